"use strict";

// What this browser keeps of all questions: counted, exported, and brought back from a file.

AgentRL.startProgress = block => {
  const { words, fill, element } = AgentRL;
  const place = block.querySelector(".arl-table-place");
  const status = block.querySelector(".arl-status");
  const stores = Object.keys(AgentRL.questions).map(AgentRL.store);

  const touched = () => stores.map(store => store.record).filter(AgentRL.isTouched);
  let told = []; // of each file that was brought back last

  const row = record => {
    const asked = AgentRL.questions[record.question];
    const head = element("th", "", { scope: "row" });
    head.append(element("a", asked.title, { href: `${asked.page}.html` }));
    const [given, points] = AgentRL.scoreOf(record);
    const count = object => Object.keys(object).length;
    const written = Object.values(record.answers).filter(answer => answer.text.trim()).length;
    const counts = [
      [words.written, written, AgentRL.PARTS.length],
      [words.selfScore, given, points],
      [words.guesses, count(record.guesses), count(asked.predictions)],
      [words.checks, count(record.checks_passed), asked.checks],
      [words.peeked, count(record.opened_before_writing), AgentRL.PARTS.length],
    ];
    const line = element("tr", "");
    line.append(head, ...counts.map(([name, done, total]) =>
      element("td", done ? fill(words.of, { done, total }) : "–", { "data-column": name })));
    return line;
  };

  const table = records => {
    const made = element("table", "", { "aria-label": words.progress });
    const [head, body, line] = ["thead", "tbody", "tr"].map(name => element(name, ""));
    const names = [words.question, words.written, words.selfScore, words.guesses, words.checks,
      words.peeked];
    line.append(...names.map(name => element("th", name, { scope: "col" })));
    head.append(line);
    body.append(...records.map(row));
    made.append(head, body);
    return made;
  };

  const show = () => {
    const records = touched();
    const bad = stores.map(AgentRL.stateOf).find(state => state.bad);
    const isKept = !bad && !stores.some(store => store.readOnly);
    const lead = [fill(words.worked, { done: records.length, total: stores.length })];
    if (AgentRL.isAlone) lead.push(words.alone);
    else if (isKept) lead.push(words.keptAll);
    if (records.length) place.replaceChildren(element("p", lead.join(" ")), table(records));
    else place.replaceChildren(element("p", AgentRL.isAlone ? words.alone : words.noneYet));
    const notices = stores.flatMap(store => store.notices);
    status.textContent = [...told, ...notices, bad?.text].filter(Boolean).join(" ");
    status.classList.toggle("arl-bad", !isKept);
  };

  block.querySelector('[data-action="markdown"]').addEventListener("click", () =>
    AgentRL.download("answers.md", touched().map(AgentRL.toMarkdown).join("\n")));
  block.querySelector('[data-action="json"]').addEventListener("click", () =>
    AgentRL.download("answers.json", AgentRL.toJson({ version: 1, records: touched() })));
  AgentRL.startBringing(block.querySelector('input[type="file"]'), Object.keys(AgentRL.questions),
    lines => {
      told = lines;
      show();
    });
  for (const item of block.querySelectorAll("[disabled]")) item.disabled = false;
  for (const store of stores) store.watchers.push(show);
  show();
};

for (const block of document.querySelectorAll(".arl-progress")) AgentRL.startProgress(block);
