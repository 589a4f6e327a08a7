"use strict";

// A guess committed to before anything is computed, and later laid beside the truth.

AgentRL.withUnit = (value, unit) => `${value} ${unit}`.trim();

/** Return the number that was typed, or throw what to tell the reader. */
AgentRL.parseGuess = (text, unit, minimum, maximum) => {
  const { words, fill, withUnit } = AgentRL;
  let bare = text.trim();
  if (unit && bare.endsWith(unit)) bare = bare.slice(0, -unit.length).trim();
  if (!bare) throw new Error(words.writeNumber);
  const value = AgentRL.parseAnswer(bare);
  if (value === null) throw new Error(fill(words.notNumber, { text: text.trim() }));
  if (value < minimum || value > maximum) {
    throw new Error(fill(words.outside, {
      minimum: withUnit(minimum, unit), maximum: withUnit(maximum, unit), value: withUnit(bare, unit),
    }));
  }
  return value;
};

/** Return a question where 0.27 may stand for 27 %; else nothing. */
AgentRL.doubt = (text, value, unit) => {
  if (unit !== "%" || text.includes("%") || !(value > 0 && value < 1)) return "";
  const { short, fill, words } = AgentRL;
  return fill(words.doubt, { percent: short(100 * value), value: short(value) });
};

/** Say in words by how much a guess is off. */
AgentRL.compareGuess = (guess, truth, unit, digits) => {
  const { words, fill } = AgentRL;
  const off = Number((guess - truth).toFixed(digits));
  if (off === 0) return words.exact;
  const name = unit === "%" ? words.points : unit;
  const distance = `${Math.abs(off).toFixed(digits)} ${name}`.trim();
  const [small, large] = [Math.min(guess, truth), Math.max(guess, truth)];
  if (small > 0 && large / small >= 2) {
    const ratio = (large / small).toFixed(1);
    return fill(off > 0 ? words.highBy : words.lowBy, { distance, ratio });
  }
  return fill(off > 0 ? words.high : words.low, { distance });
};

AgentRL.startGuess = form => {
  const { prediction, unit, minimum, maximum } = form.dataset;
  const store = AgentRL.store(form.dataset.question);
  const field = form.querySelector("input");
  const problem = form.querySelector(".arl-notice");
  const frozen = form.querySelector(".arl-good");
  let doubted = "";
  form.addEventListener("submit", event => {
    event.preventDefault();
    try {
      const value = AgentRL.parseGuess(field.value, unit, Number(minimum), Number(maximum));
      const question = field.value === doubted ? "" : AgentRL.doubt(field.value, value, unit);
      if (question) {
        doubted = field.value;
        throw new Error(question);
      }
      problem.hidden = true;
      store.commitGuess(prediction, value);
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
      field.focus();
    }
  });
  for (const element of form.querySelectorAll("[disabled]")) element.disabled = false;
  store.watch(() => {
    const guess = store.record.guesses[prediction];
    form.querySelector(".arl-open").hidden = Boolean(guess);
    frozen.hidden = !guess;
    if (!guess) return;
    const state = AgentRL.stateOf(store);
    frozen.textContent = AgentRL.fill(AgentRL.words.frozen, {
      value: AgentRL.withUnit(AgentRL.short(guess.value), unit),
      date: `${AgentRL.day(guess.committed)}, ${AgentRL.timeOfDay(guess.committed)}`,
    }) + (state.bad ? ` ${state.text}` : "");
  });
};

AgentRL.startTruth = place => {
  const { prediction, unit, digits, truth } = place.dataset;
  const store = AgentRL.store(place.dataset.question);
  const told = place.querySelector(".arl-good");
  store.watch(() => {
    const guess = store.record.guesses[prediction];
    place.querySelector(".arl-open").hidden = Boolean(guess);
    told.hidden = !guess;
    if (!guess) return;
    told.textContent = AgentRL.fill(AgentRL.words.guessed, {
      guess: AgentRL.withUnit(AgentRL.short(guess.value), unit),
      truth: AgentRL.withUnit(Number(truth).toFixed(Number(digits)), unit),
    }) + " " + AgentRL.compareGuess(guess.value, Number(truth), unit, Number(digits));
  });
};

for (const form of document.querySelectorAll(".arl-guess")) AgentRL.startGuess(form);
for (const place of document.querySelectorAll(".arl-truth")) AgentRL.startTruth(place);
