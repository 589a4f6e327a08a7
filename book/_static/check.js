"use strict";

// An answer held against what the package has computed when the page was made.

AgentRL.SIGNS = { right: "✓", wrong: "✗", unanswered: "○", type: "!" };

/** Judge as agentrl_lite.appendix.exercises.judge does, and return status and message. */
AgentRL.judge = (asked, text) => {
  const { words, fill, must } = AgentRL;
  const typed = text.trim();
  if (!typed) return ["unanswered", words.writeNumber];
  const number = AgentRL.parseAnswer(typed);
  const short = shown => (shown.length <= 40 ? shown : `${shown.slice(0, 37)}...`);
  if (number === null || (asked.kind === "integer" && !Number.isInteger(number))) {
    const told = fill(must[asked.kind], { answer: short(number === null ? `'${typed}'` : typed) });
    return ["type", told + (typed.includes(",") ? words.point : "")];
  }
  if (asked.kind === "share" && (number < 0 || number > 1)) {
    return ["type", fill(words.outsideShare, { answer: short(typed) })];
  }
  // The few units in the last place are for answers that were computed in another order.
  const isNear = target =>
    Math.abs(number - target) <= asked.tolerance + 1e-9 * Math.max(1, Math.abs(target));
  if (isNear(asked.truth)) return ["right", words.right];
  const hint = asked.hints.find(([value]) => isNear(value));
  return ["wrong", words.notYet + (hint ? hint[1] : asked.otherwise)];
};

/** Return what a form's answer is judged by. */
AgentRL.judgedBy = form => {
  const bytes = Uint8Array.from(atob(form.dataset.judge), letter => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
};

AgentRL.startCheck = form => {
  const { element, fill, words } = AgentRL;
  const { check } = form.dataset;
  const store = AgentRL.store(form.dataset.question);
  const asked = AgentRL.judgedBy(form);
  const field = form.querySelector("input");
  const place = form.querySelector(".arl-verdict");
  const show = (status, message) => {
    const name = AgentRL.statuses[status];
    const sign = element("strong", AgentRL.SIGNS[status], { role: "img", "aria-label": name });
    place.dataset.status = status;
    place.replaceChildren(sign, ` ${message}`);
  };
  form.addEventListener("submit", event => {
    event.preventDefault();
    const [status, message] = AgentRL.judge(asked, field.value);
    if (status === "right") store.passCheck(check);
    const state = AgentRL.stateOf(store);
    show(status, status === "right" && state.bad ? `${message} ${state.text}` : message);
  });
  for (const item of form.querySelectorAll("[disabled]")) item.disabled = false;
  form.querySelector(".arl-without").remove();
  const passed = store.record.checks_passed[check];
  if (passed) show("right", fill(words.passed, { date: AgentRL.day(passed) }));
};

for (const form of document.querySelectorAll(".arl-check")) AgentRL.startCheck(form);
