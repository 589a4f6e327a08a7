"use strict";

// Sets the formulas, makes each slide fit, and only then lets reveal.js begin: a slide that is not
// shown has no height.

const LARGEST = 38, SMALLEST = 22;  // px of text, on a slide 720 px high
const ROOM = 690;  // px of height

const fit = slide => {
  let size = LARGEST;
  while (slide.scrollHeight > ROOM && size > SMALLEST) {
    size -= 1;
    slide.style.fontSize = `${size}px`;
  }
  if (slide.scrollHeight > ROOM) {
    slide.classList.add("long");
    slide.tabIndex = 0;  // so that the arrow keys can scroll it
  }
};

const begin = async () => {
  await Promise.all([...document.images].map(image => image.decode().catch(() => null)));
  document.querySelectorAll(".slides > section > section").forEach(fit);
  document.body.classList.remove("measuring");
  await Reveal.initialize({
    width: 1280, height: 720, margin: 0.02, center: false, hash: true, slideNumber: "c/t",
    navigationMode: "linear",  // one key leads through all, in order
    transition: "none", backgroundTransition: "none",
  });
  document.body.dataset.ready = "yes";
};

window.MathJax = {
  tex: { inlineMath: [["$", "$"], ["\\(", "\\)"]], processEscapes: true },
  svg: { fontCache: "global" },
  options: { enableMenu: false },  // the menu could switch on parts that are not here
  startup: {
    ready: () => {
      MathJax.startup.defaultReady();
      MathJax.startup.promise.then(begin);
    },
  },
};
