"use strict";

// Sets the formulas, makes each slide fit, and only then lets reveal.js begin: a slide that is not
// shown has no height.

// A phone held upright gets slides of its own shape, so that their text is not tiny.
const [WIDTH, HEIGHT] = innerHeight > innerWidth ? [720, 1280] : [1280, 720];
const LARGEST = 38, SMALL = 32, SMALLEST = 24;  // px of text, on a slide of that size
const ROOM = HEIGHT - 12;  // px of height; the last paragraph has a margin, and the number is there
const CODE_LARGEST = 28, CODE_SMALLEST = 18;
const LINE = (WIDTH - 160) / 0.602;  // over a line's letters: the font size, in px, at which they fit

// As large as its longest line allows: a broken line of code is harder to read than a small one.
const fitCode = pre => {
  const longest = Math.max(...pre.textContent.split("\n").map(line => line.length));
  const size = Math.max(CODE_SMALLEST, Math.min(CODE_LARGEST, Math.floor(LINE / longest)));
  pre.style.fontSize = `${size}px`;
};

const overflows = slide => slide.scrollHeight > ROOM || slide.scrollWidth > slide.clientWidth;

// A figure is as large as the slide, and gives way to text until it is as large as its own pixels:
// its labels can still be read then.
const fitPicture = (slide, image) => {
  const whole = Math.min(HEIGHT - 80, (WIDTH - 80) * image.naturalHeight / image.naturalWidth);
  const least = Math.min(whole, image.naturalHeight);
  let height = whole;
  const set = () => { image.style.height = `${height}px`; };
  set();
  while (overflows(slide) && height > least) {
    height = Math.max(least, height - 6);
    set();
  }
};

const fitText = (slide, size, least) => {
  while (overflows(slide) && size > least) {
    size -= 1;
    slide.style.fontSize = `${size}px`;
  }
};

const fit = slide => {
  slide.querySelectorAll(".jp-OutputArea img").forEach(image => fitPicture(slide, image));
  const code = [...slide.querySelectorAll(":scope > :not(aside) pre, :scope > pre")];
  const limitCode = most => code.forEach(pre => {
    if (overflows(slide)) pre.style.fontSize = `${Math.min(most, parseFloat(pre.style.fontSize))}px`;
  });
  limitCode(24);
  fitText(slide, LARGEST, SMALL + 2);
  // A wide table's words may break over many lines: they give way before the text does.
  for (const size of [".76em", ".72em", ".68em"]) {
    if (overflows(slide)) slide.style.setProperty("--table", size);
  }
  if (overflows(slide)) slide.classList.add("tight");
  fitText(slide, SMALL + 2, SMALL);
  limitCode(20);
  fitText(slide, SMALL, SMALLEST);
  if (overflows(slide)) {
    slide.classList.add("long");
    slide.tabIndex = 0;  // so that the arrow keys can scroll it
  }
};

// No line begins with the comma after a formula, or ends with the bracket before it.
const joinSigns = formula => {
  const before = formula.previousSibling, after = formula.nextSibling;
  const found = (node, signs) => node?.nodeType === Node.TEXT_NODE && signs.exec(node.data)?.[0] || "";
  const opening = found(before, /[([]$/), closing = found(after, /^[.,;:!?%)\]]+/);
  if (!opening && !closing) return;
  const joined = document.createElement("span");
  joined.className = "joined";
  formula.replaceWith(joined);
  joined.append(opening, formula, closing);
  if (opening) before.data = before.data.slice(0, -1);
  if (closing) after.data = after.data.slice(closing.length);
};

// A window for the speaker, on S: the code and the checks behind the slide, and what comes next.
// reveal.js has a view of its own, as a plug-in; it loads the slides twice more.
const openNotes = () => {
  const view = window.open("", "notes", "width=900,height=700");
  if (!view) return;  // the browser does not allow it
  const page = view.document;
  const style = page.createElement("link");
  style.rel = "stylesheet";
  style.href = new URL("assets/slides.css", location.href).href;
  page.head.replaceChildren(style);
  page.title = document.title;
  page.body.className = "speaker";
  const add = (name, text) => {
    const line = page.createElement("p");
    line.className = name;
    line.textContent = text;
    page.body.append(line);
  };
  const show = () => {
    const slides = Reveal.getSlides(), at = slides.indexOf(Reveal.getCurrentSlide());
    page.body.replaceChildren();
    add("place", `${at + 1} / ${slides.length}`);
    page.body.insertAdjacentHTML("beforeend", Reveal.getSlideNotes() || "");
    const next = slides[at + 1]?.querySelector("h1, h2, h3, p, li");
    if (next) add("next", `→ ${next.innerText}`);
  };
  show();
  Reveal.on("slidechanged", show);
  view.onkeydown = event => { Reveal.triggerKey(event.keyCode); };
};

const begin = async () => {
  document.documentElement.style.setProperty("--slide-width", `${WIDTH}px`);
  document.documentElement.style.setProperty("--slide-height", `${HEIGHT}px`);
  await Promise.all([...document.images].map(image => image.decode().catch(() => null)));
  document.querySelectorAll(".slides mjx-container:not([display])").forEach(joinSigns);
  document.querySelectorAll(".slides pre").forEach(fitCode);
  document.querySelectorAll(".slides > section > section").forEach(fit);
  document.body.classList.remove("measuring");
  await Reveal.initialize({
    width: WIDTH, height: HEIGHT, margin: 0.02, center: false, hash: true, slideNumber: "c/t",
    navigationMode: "linear",  // one key leads through all, in order
    transition: "none", backgroundTransition: "none",
  });
  Reveal.addKeyBinding({ keyCode: 83, key: "S", description: "Notes for the speaker" }, openNotes);
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
