"use strict";

// The answer card: boxes, clock, reference and export.

AgentRL.PARTS = ["mechanism", "measurement", "action", "metric"];

AgentRL.element = (name, text, attributes = {}) => {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

AgentRL.button = (label, action) => {
  const made = AgentRL.element("button", label, { type: "button", class: "arl-button" });
  made.addEventListener("click", action);
  return made;
};

/** Where the words are, or why they are nowhere. */
AgentRL.stateOf = store => {
  const { words, fill, timeOfDay } = AgentRL;
  if (store.problem) return { bad: true, text: fill(words.notKept, { problem: store.problem }) };
  if (store.readOnly) return { bad: false, text: "" };
  if (store.savedAt) {
    return { bad: false, text: fill(words.kept, { time: timeOfDay(store.savedAt) }) };
  }
  return { bad: false, text: AgentRL.isTouched(store.record) ? words.keptBefore : "" };
};

AgentRL.startPart = (panel, store) => {
  const part = panel.dataset.part;
  const box = panel.querySelector("textarea");
  const reference = panel.querySelector(".arl-reference");
  const ask = panel.querySelector(".arl-ask");
  const kept = panel.querySelector(".arl-kept");
  box.addEventListener("input", () => store.write(part, box.value));

  if (reference) {
    const summary = reference.querySelector("summary");
    const open = () => { ask.hidden = true; reference.open = true; };
    summary.addEventListener("click", event => {
      const peeks = !reference.open && !store.text(part).trim()
        && !Object.keys(store.record.opened_before_writing).length;
      if (!peeks) return;
      event.preventDefault();
      ask.hidden = false;
      ask.querySelector('[data-action="write"]').focus();
    });
    // However it was opened: by a click, by a search in the page.
    reference.addEventListener("toggle", () => {
      if (reference.open) store.openReference(part);
    });
    ask.addEventListener("keydown", event => {
      if (event.key !== "Escape") return;
      ask.hidden = true;
      summary.focus();
    });
    ask.querySelector('[data-action="write"]').addEventListener("click", () => {
      ask.hidden = true;
      box.focus();
    });
    ask.querySelector('[data-action="anyway"]').addEventListener("click", () => {
      open();
      summary.focus();
    });
    for (const point of reference.querySelectorAll("[data-point]")) {
      point.addEventListener("change", () =>
        store.tick(part, Number(point.dataset.point), point.checked));
    }
  }

  const showKept = item => {
    const row = AgentRL.element("div", "", { class: "arl-notice" });
    const time = AgentRL.timeOfDay(item.written);
    row.append(
      AgentRL.element("p", AgentRL.fill(AgentRL.words.twoVersions, { time }), { role: "alert" }),
      AgentRL.element("p", item.text, { class: "arl-words" }),
      AgentRL.button(AgentRL.words.append, () => {
        const mine = store.text(part).trimEnd();
        store.write(part, mine ? `${mine}\n\n${item.text}` : item.text);
        store.putAway(part, item.draft);
      }), " ",
      AgentRL.button(AgentRL.words.putAway, () => store.putAway(part, item.draft)),
    );
    return row;
  };

  let keptShown = "";
  return () => {
    // A sign may arrive in two halves; the store keeps none that lacks its other half.
    if ((box.value.toWellFormed?.() ?? box.value) !== store.text(part)) {
      const place = box.selectionStart;
      box.value = store.text(part);
      if (document.activeElement === box) box.setSelectionRange(place, place);
    }
    for (const point of panel.querySelectorAll("[data-point]")) {
      point.checked = (store.record.self_score[part] || []).includes(Number(point.dataset.point));
    }
    const items = store.record.kept.filter(item => item.part === part && !item.put_away);
    if (JSON.stringify(items) !== keptShown) {
      keptShown = JSON.stringify(items);
      kept.replaceChildren(...items.map(showKept));
    }
  };
};

/** Ten minutes that end with an offer: the clock never opens, closes or locks anything. */
AgentRL.startClock = (card, store) => {
  const { words, fill } = AgentRL;
  const button = card.querySelector('[data-action="clock"]');
  const face = card.querySelector(".arl-face");
  const left = () => (store.record.deadline_epoch_s ?? 0) - Date.now() / 1000;
  const show = () => {
    const seconds = Math.ceil(left());
    button.textContent = seconds > 0 ? words.stop : fill(words.start, { minutes: AgentRL.minutes });
    if (seconds > 0) {
      const two = number => String(number).padStart(2, "0");
      face.textContent = fill(words.left, {
        time: `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`,
      });
    } else {
      face.textContent = store.record.deadline_epoch_s === null ? "" : words.timeUp;
    }
  };
  button.addEventListener("click", () =>
    store.runClock(left() > 0 ? null : Math.round(Date.now()) / 1000 + 60 * AgentRL.minutes));
  setInterval(show, 1000);
  return show;
};

AgentRL.startCard = card => {
  const question = card.dataset.question;
  const store = AgentRL.store(question);
  const refresh = [
    AgentRL.startClock(card, store),
    ...Array.from(card.querySelectorAll(".arl-part"), panel => AgentRL.startPart(panel, store)),
  ];
  const status = card.querySelector(".arl-status");
  const score = card.querySelector(".arl-score");
  const notices = card.querySelector(".arl-notices");
  card.querySelector('[data-action="markdown"]').addEventListener("click", () =>
    AgentRL.download(`${question}-answers.md`, AgentRL.toMarkdown(store.record)));
  card.querySelector('[data-action="json"]').addEventListener("click", () =>
    AgentRL.download(`${question}.json`, AgentRL.toJson(store.record)));
  const told = card.querySelector(".arl-told");
  told.textContent = AgentRL.isAlone ? AgentRL.words.alone : "";
  AgentRL.startBringing(card.querySelector('input[type="file"]'), [question], lines => {
    told.textContent = lines.join(" ");
  });
  for (const element of card.querySelectorAll("[disabled]")) element.disabled = false;
  card.querySelector(".arl-without").remove();
  store.watch(() => {
    for (const show of refresh) show();
    const state = AgentRL.stateOf(store);
    status.textContent = state.text;
    status.classList.toggle("arl-bad", state.bad);
    notices.replaceChildren(...store.notices.map(text =>
      AgentRL.element("p", text, { class: "arl-notice" })));
    const [given, total] = AgentRL.scoreOf(store.record);
    const opened = Object.keys(store.record.opened).length;
    score.textContent = opened ? AgentRL.fill(AgentRL.words.score, { given, total }) : "";
  });
};

/** Return the rubric points that the reader gave themselves, and how many there are. */
AgentRL.scoreOf = record => {
  const points = AgentRL.questions[record.question].points;
  let given = 0;
  for (const [part, ticks] of Object.entries(record.self_score)) {
    given += ticks.filter(tick => tick < (points[part] || []).length).length;
  }
  return [given, Object.values(points).reduce((sum, list) => sum + list.length, 0)];
};

AgentRL.toJson = data => `${JSON.stringify(data, null, 1)}\n`;

/** The reader's words as Markdown, as agentrl_lite/reader/markdown.py writes them. */
AgentRL.toMarkdown = record => {
  const { words, fill } = AgentRL;
  const asked = AgentRL.questions[record.question];
  const quoted = text => text.trim().split(/\r?\n/).map(line => `> ${line}`.trimEnd()).join("\n");
  const blocks = [`# ${asked.title}`];
  for (const part of AgentRL.PARTS) {
    const text = record.answers[part]?.text ?? "";
    blocks.push(`## ${AgentRL.headings[part]}`, text.trim() ? quoted(text) : words.nothing);
    if (part in record.opened_before_writing) blocks.push(words.unwritten);
    if (part in record.opened && asked.points[part]) {
      const ticks = record.self_score[part] || [];
      blocks.push(asked.points[part]
        .map((point, n) => `- [${ticks.includes(n) ? "x" : " "}] ${point}`).join("\n"));
    }
    for (const item of record.kept.filter(one => one.part === part && !one.put_away)) {
      blocks.push(words.otherVersion, quoted(item.text));
    }
  }
  const guesses = Object.entries(record.guesses);
  if (guesses.length) {
    const lines = guesses.map(([name, guess]) => {
      const known = asked.predictions[name];
      return "- " + fill(words.guessLine, {
        asked: known ? known.question : `\`${name}\`:`,
        value: AgentRL.short(guess.value),
        unit: known?.unit ? ` ${known.unit}` : "",
        date: AgentRL.day(guess.committed),
      });
    });
    blocks.push(`## ${words.guesses}`, lines.join("\n"));
  }
  return `${blocks.join("\n\n")}\n`;
};

/** Six significant digits without needless zeros: Python's format "g" for numbers of plain size. */
AgentRL.short = value => String(Number(value.toPrecision(6)));

AgentRL.download = (name, text) => {
  const address = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
  const link = AgentRL.element("a", "", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
};

for (const card of document.querySelectorAll(".arl-card")) AgentRL.startCard(card);

// Paper does not scroll: where a style cannot say so, a box is made as high as its words.
if (!CSS.supports("field-sizing", "content")) {
  const boxes = document.querySelectorAll(".arl-own textarea");
  window.addEventListener("beforeprint", () => {
    for (const box of boxes) {
      box.dataset.height = box.style.height;
      box.style.height = `${box.scrollHeight + 2}px`; // and its border
    }
  });
  window.addEventListener("afterprint", () => {
    for (const box of boxes) box.style.height = box.dataset.height;
  });
}
