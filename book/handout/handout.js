"use strict";

window.MathJax = {
  tex: { inlineMath: [["$", "$"], ["\\(", "\\)"]], processEscapes: true },
  // The text is set in a font with tall small letters: formulas of the same height look too large.
  svg: { fontCache: "global", scale: 0.88 },
  options: { enableMenu: false },
};
