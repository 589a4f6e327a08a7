"use strict";

// Sliders over pictures that were made beforehand. One control moves at a time: the others go back
// to where the page starts.

AgentRL.startFigure = figure => {
  const data = JSON.parse(figure.querySelector('script[type="application/json"]').textContent);
  const image = figure.querySelector("img");
  const summary = figure.querySelector(".arl-summary span");
  const controls = figure.querySelector(".arl-controls");
  if (!controls) return;
  const sliders = [...controls.querySelectorAll("input[type=range]")];
  const stopsOf = slider => data.controls[slider.dataset.control];
  const starts = new Map(sliders.map(slider => [slider, Number(slider.value)]));

  const put = (slider, place) => {
    slider.value = place;
    const text = stopsOf(slider)[place][1];
    slider.setAttribute("aria-valuetext", text);
    slider.parentElement.querySelector("output").textContent = text;
  };

  const show = index => {
    const [file, sentence] = data.frames[index];
    image.src = file;
    image.alt = `${data.alt} ${sentence}`;
    summary.textContent = sentence;
  };

  const move = slider => {
    for (const other of sliders) {
      if (other !== slider) put(other, starts.get(other));
    }
    put(slider, Number(slider.value));
    show(stopsOf(slider)[Number(slider.value)][0]);
  };

  // The pictures are fetched when the reader reaches for a slider, so that none comes late.
  const fetchAll = () => {
    for (const [file] of data.frames) new Image().src = file;
  };
  controls.addEventListener("pointerover", fetchAll, { once: true });
  controls.addEventListener("focusin", fetchAll, { once: true });

  for (const slider of sliders) {
    put(slider, starts.get(slider)); // a browser may have brought back another place
    slider.addEventListener("input", () => move(slider));
  }
  controls.querySelector("button").addEventListener("click", () => {
    for (const slider of sliders) put(slider, starts.get(slider));
    show(0);
  });
  controls.hidden = false;
};

for (const figure of document.querySelectorAll(".arl-figure:not(.arl-still)")) {
  AgentRL.startFigure(figure);
}
