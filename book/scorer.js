// Pages of the book come before pages of the package: a reader who looks for "mask" wants to read.
var Scorer = {
  score: ([docname, , , , score]) => (docname.startsWith("api") ? score - 100 : score),
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
