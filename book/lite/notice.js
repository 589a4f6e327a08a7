"use strict";

// JupyterLite says nothing where a browser cannot get Python: its cells only wait. So we ask for
// the file that its kernel asks for, and say it.

const python = new URL(document.currentScript.dataset.python, document.baseURI);

const tell = () => {
  const bar = document.createElement("div");
  bar.setAttribute("role", "alert");
  bar.style.cssText = "position: fixed; z-index: 10000; inset: auto 0 0 0; padding: .6rem 1rem; "
    + "font: 1rem/1.4 sans-serif; color: #1f2328; background: #fff; border-top: 4px solid #d55e00;";
  bar.textContent = `Python could not be loaded from ${python.host}, so no cell runs. Text and `
    + "pictures are there to read. Once the network is back, load this page again. ";
  const close = document.createElement("button");
  close.textContent = "Close";
  close.onclick = () => bar.remove();
  bar.append(close);
  document.body.append(bar);
};

// From another host an answer is opaque: it has no status, but it came.
fetch(python, {mode: "no-cors"})
  .then(answer => { if (answer.type !== "opaque" && !answer.ok) tell(); }, tell);
