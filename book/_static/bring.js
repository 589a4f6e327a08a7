"use strict";

// Answers that come back from a file: an export of this book, or a record of a reader's folder.

/** Firefox gives every page that is opened from a disk a storage of its own. */
AgentRL.isAlone = location.protocol === "file:" && CSS.supports("-moz-appearance", "none");

/** Return the records of a file, or throw what is wrong with it. */
AgentRL.readExport = async file => {
  const data = JSON.parse(await file.text());
  const records = Array.isArray(data?.records) ? data.records : [data];
  const problem = records.length
    ? records.map(AgentRL.recordProblem).find(Boolean) : AgentRL.words.noAnswers;
  if (problem) throw new Error(problem);
  return records;
};

/** Join what a file holds of some questions to what is here; return what to tell the reader. */
AgentRL.bringBack = async (file, questions) => {
  const { words, fill } = AgentRL;
  let records;
  try {
    records = await AgentRL.readExport(file);
  } catch (error) {
    return fill(words.notImported, { file: file.name, problem: error.message });
  }
  const named = some =>
    some.map(record => AgentRL.questions[record.question].title.split(" ")[0]).join(", ");
  const wanted = records.filter(record => questions.includes(record.question));
  if (!wanted.length) return fill(words.ofOthers, { file: file.name, names: named(records) });
  for (const record of wanted) AgentRL.store(record.question).bringBack(record);
  return fill(words.imported, { names: named(wanted) });
};

/** Let a field take files; `tell` gets a line for each of them. */
AgentRL.startBringing = (field, questions, tell) => {
  field.addEventListener("change", async () => {
    const lines = [];
    for (const file of field.files) lines.push(await AgentRL.bringBack(file, questions));
    field.value = "";
    tell(lines);
  });
};
