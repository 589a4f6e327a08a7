"use strict";

// What the reader writes, kept by the browser: one entry of localStorage for each question.

AgentRL.fill = (text, fields) =>
  text.replace(/\{(\w+)\}/g, (_whole, name) => String(fields[name]));

AgentRL.isoNow = () => new Date().toISOString().replace("Z", "+00:00");

AgentRL.timeOfDay = iso =>
  new Date(iso).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** The day of a moment, here and not in Greenwich: 2026-11-29. */
AgentRL.day = iso => {
  const at = new Date(iso);
  const two = number => String(number).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
};

AgentRL.PREFIX = "agentrl-lite/";

/** The live record of one question, the same in every tab of this browser. */
AgentRL.Store = class {
  constructor(question) {
    this.question = question;
    this.key = AgentRL.PREFIX + question;
    this.notices = [];
    this.problem = "";
    this.savedAt = "";
    this.watchers = [];
    // Names the edits of this tab: a text of another one is told apart by it.
    this.writer = Array.from(crypto.getRandomValues(new Uint8Array(4)),
      byte => byte.toString(16).padStart(2, "0")).join("");
    this.drafts = 0;
    this.readOnly = false;
    this.record = this.read() || AgentRL.emptyRecord(question);
    window.addEventListener("storage", event => {
      if (event.key === this.key || event.key === null) this.follow();
    });
  }

  /** Return what is stored; null if there is nothing, or nothing that can be used. */
  read() {
    let text;
    try {
      text = localStorage.getItem(this.key);
    } catch (error) {
      this.problem = error.message;
      return null;
    }
    if (text === null) return null;
    let problem;
    try {
      const data = JSON.parse(text);
      problem = AgentRL.recordProblem(data);
      if (!problem) return data;
    } catch {
      problem = "no JSON";
    }
    this.setAside(text, problem);
    return null;
  }

  /** What cannot be read is never written over. */
  setAside(text, problem) {
    if (problem === "newer") {
      this.readOnly = true;
      this.note(AgentRL.fill(AgentRL.words.newer, { question: this.question }));
      return;
    }
    const aside = `${this.key}/damaged-${Date.now()}`;
    try {
      localStorage.setItem(aside, text);
      localStorage.removeItem(this.key);
    } catch (error) {
      this.problem = error.message;
      return;
    }
    this.note(AgentRL.fill(AgentRL.words.damaged, { question: this.question, aside }));
  }

  note(text) {
    if (!this.notices.includes(text)) this.notices.push(text);
  }

  watch(watcher) {
    this.watchers.push(watcher);
    watcher();
  }

  tell() {
    for (const watcher of this.watchers) watcher();
  }

  /** Take over what another tab has stored. */
  follow() {
    const stored = this.read();
    if (stored) this.record = this.problem ? AgentRL.mergeRecords(this.record, stored) : stored;
    this.tell();
  }

  /** Change the newest record, and store it at once. */
  update(change) {
    const stored = this.read();
    let next = structuredClone(this.record);
    if (stored) next = this.problem ? AgentRL.mergeRecords(next, stored) : stored;
    change(next);
    this.record = next;
    this.save();
    this.tell();
  }

  save() {
    if (this.readOnly) return;
    try {
      localStorage.setItem(this.key, JSON.stringify(this.record));
      this.problem = "";
      this.savedAt = AgentRL.isoNow();
    } catch (error) {
      this.problem = error.message || error.name;
    }
  }

  text(part) {
    return this.record.answers[part]?.text ?? "";
  }

  write(part, text) {
    const seen = this.record.answers[part];
    this.update(next => {
      const there = next.answers[part];
      const unseen = there && there.text.trim() && there.text !== text
        && (there.draft !== seen?.draft || there.revision !== seen?.revision);
      if (unseen) next.kept.push({ part, put_away: false, ...there });
      const mine = !unseen && there?.draft.startsWith(`${this.writer}-`);
      next.answers[part] = {
        text: text.toWellFormed?.() ?? text,
        written: AgentRL.isoNow(),
        draft: mine ? there.draft : `${this.writer}-${++this.drafts}`,
        revision: mine ? there.revision + 1 : 1,
      };
    });
  }

  tick(part, point, given) {
    this.update(next => {
      const ticks = new Set(next.self_score[part] || []);
      if (given) ticks.add(point);
      else ticks.delete(point);
      next.self_score[part] = [...ticks].sort((a, b) => a - b);
      if (!ticks.size) delete next.self_score[part];
    });
  }

  runClock(deadline) {
    this.update(next => { next.deadline_epoch_s = deadline; });
  }

  openReference(part) {
    if (part in this.record.opened) return;
    this.update(next => {
      const at = AgentRL.isoNow();
      next.opened[part] ??= at;
      if (!(next.answers[part]?.text ?? "").trim()) next.opened_before_writing[part] ??= at;
    });
  }

  commitGuess(name, value) {
    this.update(next => { next.guesses[name] ??= { value, committed: AgentRL.isoNow() }; });
    return this.record.guesses[name].value;
  }

  passCheck(name) {
    if (name in this.record.checks_passed) return;
    this.update(next => { next.checks_passed[name] ??= AgentRL.isoNow(); });
  }

  putAway(part, draft) {
    this.update(next => {
      for (const item of next.kept) {
        if (item.part === part && item.draft === draft) item.put_away = true;
      }
    });
  }

  /** Join an exported record to what is here. */
  bringBack(record) {
    this.update(next => {
      const joined = AgentRL.mergeRecords(next, record);
      Object.assign(next, AgentRL.keepWords(joined, [structuredClone(next), record]));
    });
  }
};

AgentRL.stores = Object.create(null); // a question may be called toString

AgentRL.store = question => AgentRL.stores[question] ??= new AgentRL.Store(question);

// Words that no storage holds are lost with the page: the browser asks before it goes.
window.addEventListener("beforeunload", event => {
  const unsaved = Object.values(AgentRL.stores).some(store =>
    (store.problem || store.readOnly) && Object.values(store.record.answers).some(a => a.text));
  if (unsaved) event.preventDefault();
});
