// Questions come first: a reader who looks for "mask" wants to read. A term of the glossary, which
// Sphinx would put above everything, comes behind the questions that have it in their title. Pages
// that hold a line of every question come behind all others, and the package's come last.
var Scorer = {
  score: ([docname, , , , score]) => {
    if (docname.startsWith("api")) return score - 100;
    if (/^[qx]\d+_/.test(docname)) return score + 20;
    return score - ({ glossary: 70, gallery: 20 }[docname] ?? 0);
  },
  // The rest is as Sphinx has it.
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
