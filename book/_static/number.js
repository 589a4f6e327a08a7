"use strict";

// Numbers that a reader types: as a guess, and as the answer to a check.

/** Return the number that was typed, as digits or as a fraction; null for anything else. */
AgentRL.parseAnswer = text => {
  const parts = text.replaceAll("−", "-").split("/").map(part => part.trim());
  const isNumber = part => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(part);
  if (parts.length > 2 || !parts.every(isNumber)) return null;
  const value = parts.map(Number).reduce((a, b) => a / b);
  return Number.isFinite(value) ? value : null;
};
