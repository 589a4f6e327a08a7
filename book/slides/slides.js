"use strict";

// Sets the formulas, makes each slide fit, and only then lets reveal.js begin: a slide that is not
// shown has no height.

// A phone held upright gets slides of its own shape, so that their text is not tiny.
const [WIDTH, HEIGHT] = innerHeight > innerWidth ? [720, 1280] : [1280, 720];
const LARGEST = 38, SMALLEST = 24;  // px of text, on a slide of that size
const ROOM = HEIGHT - 30;  // px of height
const CODE_LARGEST = 28, CODE_SMALLEST = 18;
const LINE = (WIDTH - 160) / 0.602;  // over a line's letters: the font size, in px, at which they fit

// As large as its longest line allows: a broken line of code is harder to read than a small one.
const fitCode = pre => {
  const longest = Math.max(...pre.textContent.split("\n").map(line => line.length));
  const size = Math.max(CODE_SMALLEST, Math.min(CODE_LARGEST, Math.floor(LINE / longest)));
  pre.style.fontSize = `${size}px`;
};

const overflows = slide => slide.scrollHeight > ROOM || slide.scrollWidth > slide.clientWidth;

const fit = slide => {
  let size = LARGEST;
  const code = [...slide.querySelectorAll("pre")];
  while (overflows(slide) && code.some(pre => parseFloat(pre.style.fontSize) > 22)) {
    code.forEach(pre => { pre.style.fontSize = `${Math.min(22, parseFloat(pre.style.fontSize))}px`; });
  }
  while (overflows(slide) && size > SMALLEST) {
    size -= 1;
    slide.style.fontSize = `${size}px`;
  }
  if (overflows(slide)) {
    slide.classList.add("long");
    slide.tabIndex = 0;  // so that the arrow keys can scroll it
  }
};

const begin = async () => {
  document.documentElement.style.setProperty("--slide-width", `${WIDTH}px`);
  document.documentElement.style.setProperty("--slide-height", `${HEIGHT}px`);
  await Promise.all([...document.images].map(image => image.decode().catch(() => null)));
  document.querySelectorAll(".slides pre").forEach(fitCode);
  document.querySelectorAll(".slides > section > section").forEach(fit);
  document.body.classList.remove("measuring");
  await Reveal.initialize({
    width: WIDTH, height: HEIGHT, margin: 0.02, center: false, hash: true, slideNumber: "c/t",
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
