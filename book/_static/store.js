"use strict";

// What the reader writes, kept by the browser: one entry of localStorage for each question, in the
// format of the notebooks' own store (agentrl_lite/reader/record.py), so that either can read it.

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

AgentRL.emptyRecord = question => ({
  version: 1, question, answers: {}, self_score: {}, deadline_epoch_s: null, opened: {},
  opened_before_writing: {}, guesses: {}, checks_passed: {}, kept: [],
});

/** Say what is wrong with something that should be a record; nothing if it is one. */
AgentRL.recordProblem = data => {
  const isObject = value => value !== null && typeof value === "object" && !Array.isArray(value);
  if (!isObject(data)) return "no record";
  if (typeof data.version !== "number") return "no version";
  if (data.version > 1) return "newer";
  if (!(data.question in AgentRL.questions)) return `question ${data.question}`;
  const maps = ["answers", "self_score", "opened", "opened_before_writing", "guesses",
    "checks_passed"];
  const wrong = maps.find(name => !isObject(data[name]));
  if (wrong) return wrong;
  const texts = [...Object.values(data.answers), ...(Array.isArray(data.kept) ? data.kept : [null])];
  if (!texts.every(item => isObject(item) && typeof item.text === "string")) return "answers";
  const guesses = Object.values(data.guesses);
  if (!guesses.every(item => isObject(item) && typeof item.value === "number")) return "guesses";
  if (!Object.values(data.self_score).every(Array.isArray)) return "self_score";
  return "";
};

/**
 * Join two records of one question, as agentrl_lite/reader/merge.py does where neither is the
 * other's past. Of two texts mine stays and theirs is kept beside; only an empty box takes theirs.
 */
AgentRL.mergeRecords = (mine, theirs) => {
  const earliest = (a, b) => {
    const joined = { ...b };
    for (const [name, at] of Object.entries(a)) {
      if (!(name in joined) || at < joined[name]) joined[name] = at;
    }
    return joined;
  };
  const merged = AgentRL.emptyRecord(mine.question);
  const kept = new Map();
  for (const item of [...theirs.kept, ...mine.kept]) {
    const key = `${item.part} ${item.draft}`;
    const other = kept.get(key);
    if (!other || item.revision > other.revision) kept.set(key, item);
    else if (item.revision === other.revision && item.put_away) kept.set(key, item);
  }
  for (const part of new Set([...Object.keys(theirs.answers), ...Object.keys(mine.answers)])) {
    const [a, b] = [mine.answers[part], theirs.answers[part]];
    if (!a || !b) merged.answers[part] = a || b;
    else if (a.draft === b.draft) merged.answers[part] = a.revision >= b.revision ? a : b;
    else if (!a.text.trim()) merged.answers[part] = b;
    else {
      merged.answers[part] = a;
      if (b.text.trim() && b.text !== a.text) {
        kept.set(`${part} ${b.draft}`, { part, put_away: false, ...b });
      }
    }
  }
  merged.kept = [...kept.values()].filter(item => {
    const answer = merged.answers[item.part];
    return !answer || answer.draft !== item.draft || answer.revision < item.revision;
  });
  for (const part of new Set([...Object.keys(theirs.self_score), ...Object.keys(mine.self_score)])) {
    const ticks = new Set([...(theirs.self_score[part] || []), ...(mine.self_score[part] || [])]);
    merged.self_score[part] = [...ticks].sort((x, y) => x - y);
  }
  merged.deadline_epoch_s = mine.deadline_epoch_s ?? theirs.deadline_epoch_s;
  merged.opened = earliest(mine.opened, theirs.opened);
  merged.opened_before_writing = earliest(mine.opened_before_writing, theirs.opened_before_writing);
  merged.checks_passed = earliest(mine.checks_passed, theirs.checks_passed);
  merged.guesses = { ...theirs.guesses };
  for (const [name, guess] of Object.entries(mine.guesses)) {
    const other = merged.guesses[name];
    if (!other || guess.committed <= other.committed) merged.guesses[name] = guess;
  }
  return merged;
};

/**
 * Keep what one of two records says and their join does not: an older edit of a text, which its
 * author may have deleted since. A file is brought back for the words that are in it.
 */
AgentRL.keepWords = (joined, records) => {
  for (const record of records) {
    const answers = Object.entries(record.answers).map(([part, text]) => ({ part, ...text }));
    for (const item of [...answers, ...record.kept]) {
      const text = item.text.trim();
      const isThere = (joined.answers[item.part]?.text ?? "").includes(text)
        || joined.kept.some(other => other.part === item.part && other.text.includes(text));
      if (isThere) continue;
      const draft = `${item.draft}@${item.revision}`; // not the edit that has the place by now
      joined.kept.push({ put_away: false, ...item, draft });
    }
  }
  return joined;
};

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

AgentRL.stores = {};

AgentRL.store = question => AgentRL.stores[question] ??= new AgentRL.Store(question);

// Words that no storage holds are lost with the page: the browser asks before it goes.
window.addEventListener("beforeunload", event => {
  const unsaved = Object.values(AgentRL.stores).some(store =>
    (store.problem || store.readOnly) && Object.values(store.record.answers).some(a => a.text));
  if (unsaved) event.preventDefault();
});
