"use strict";

// What is kept of one question, in the format of the notebooks' own store
// (agentrl_lite/reader/record.py), so that either can read it: its form, and how two are joined.

AgentRL.emptyRecord = question => ({
  version: 1, question, answers: {}, self_score: {}, deadline_epoch_s: null, opened: {},
  opened_before_writing: {}, guesses: {}, checks_passed: {}, kept: [],
});

/** Whether somebody has written, guessed, opened or passed anything. */
AgentRL.isTouched = record => Boolean(
  Object.values(record.answers).some(answer => answer.text.trim())
  || [record.guesses, record.opened, record.checks_passed].some(map => Object.keys(map).length));

// What each part of a record must be, as record.py has it: a map to a test of each of its values.
AgentRL.FORM = (() => {
  const isObject = value => value !== null && typeof value === "object" && !Array.isArray(value);
  const isDate = value => typeof value === "string" && /^\d{4}-\d{2}-\d{2}/.test(value)
    && !Number.isNaN(Date.parse(value));
  const isText = item => isObject(item) && typeof item.text === "string"
    && typeof item.draft === "string" && Number.isInteger(item.revision) && isDate(item.written);
  return {
    isObject,
    isKept: item => isText(item) && typeof item.part === "string"
      && typeof item.put_away === "boolean",
    maps: {
      answers: isText,
      self_score: ticks => Array.isArray(ticks)
        && ticks.every(tick => Number.isInteger(tick) && tick >= 0),
      opened: isDate,
      opened_before_writing: isDate,
      guesses: guess => isObject(guess) && Number.isFinite(guess.value) && isDate(guess.committed),
      checks_passed: isDate,
    },
  };
})();

/** Say what is wrong with something that should be a record; nothing if it is one. */
AgentRL.recordProblem = data => {
  const { isObject, isKept, maps } = AgentRL.FORM;
  if (!isObject(data)) return "no record";
  if (!Number.isInteger(data.version)) return "no version";
  if (data.version > 1) return "newer";
  if (typeof data.question !== "string" || !Object.hasOwn(AgentRL.questions, data.question)) {
    return `question ${data.question}`;
  }
  const wrong = Object.keys(maps).find(name =>
    !isObject(data[name]) || !Object.values(data[name]).every(maps[name]));
  if (wrong) return wrong;
  if (!Array.isArray(data.kept) || !data.kept.every(isKept)) return "kept";
  const deadline = data.deadline_epoch_s ?? null;
  return deadline === null || Number.isFinite(deadline) ? "" : "deadline_epoch_s";
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
