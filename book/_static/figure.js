"use strict";

// Sliders over pictures that were made beforehand. One control moves at a time: the others go back
// to where the page starts.

AgentRL.startFigure = figure => {
  const data = JSON.parse(figure.querySelector('script[type="application/json"]').textContent);
  const image = figure.querySelector("img");
  const summary = figure.querySelector(".arl-summary span");
  const group = figure.querySelector(".arl-controls");
  if (!group) return;
  const controls = [...group.querySelectorAll("[data-control]")];
  const stopsOf = control => data.controls[control.dataset.control];
  const starts = new Map(controls.map(control =>
    [control, stopsOf(control).findIndex(([index]) => index === 0)]));

  const put = (control, place) => {
    control.value = place;
    const output = control.parentElement.querySelector("output");
    if (!output) return; // a list shows the name itself
    const text = stopsOf(control)[place][1];
    control.setAttribute("aria-valuetext", text);
    output.textContent = text;
  };

  const show = index => {
    const [file, sentence] = data.frames[index];
    image.src = file;
    image.alt = `${data.alt} ${sentence}`;
    summary.textContent = sentence;
  };

  const move = control => {
    for (const other of controls) {
      if (other !== control) put(other, starts.get(other));
    }
    put(control, Number(control.value));
    show(stopsOf(control)[Number(control.value)][0]);
  };

  for (const control of controls) {
    put(control, starts.get(control)); // a browser may have brought back another place
    control.addEventListener("input", () => move(control));
    // Its pictures are fetched when the reader reaches for it, so that none comes late.
    const fetchAll = () => {
      for (const [index] of stopsOf(control)) new Image().src = data.frames[index][0];
    };
    for (const event of ["pointerover", "focus"]) {
      control.addEventListener(event, fetchAll, { once: true });
    }
  }
  group.querySelector("button").addEventListener("click", () => {
    for (const control of controls) put(control, starts.get(control));
    show(0);
  });
  group.hidden = false;
};

for (const figure of document.querySelectorAll(".arl-figure:not(.arl-still)")) {
  AgentRL.startFigure(figure);
}
