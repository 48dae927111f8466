// Thirteen rows and columns of starting hands, and bars that are divided among actions.

import { look } from "page/charts.js";
import { el } from "page/dom.js";

const RANKS = [..."AKQJT98765432"];

/** One bar, an action per part; pattern and order tell them apart as well as colour. */
export function stack(probabilities) {
  const bar = el("span", { class: "stack", "aria-hidden": "true" });
  probabilities.forEach((p, i) => {
    const part = el("i", {});
    part.style.width = `${100 * p}%`;
    part.style.background = fillOf(i);
    bar.append(part);
  });
  return bar;
}

function fillOf(i) {
  const { colour } = look(i);
  const tint = `color-mix(in srgb, ${colour} 78%, var(--paper))`;
  const pale = `color-mix(in srgb, ${colour} 52%, var(--paper))`;
  return [
    tint,
    `repeating-linear-gradient(45deg, ${tint} 0 6px, ${pale} 6px 9px)`,
    `repeating-linear-gradient(90deg, ${pale} 0 5px, ${tint} 5px 7px)`,
    pale,
  ][i % 4];
}

export function swatch(i) {
  const one = el("span", { class: "swatch", "aria-hidden": "true" });
  one.style.background = fillOf(i);
  return one;
}

function nameAt(row, column) {
  if (row === column) return RANKS[row] + RANKS[row];
  return row < column ? `${RANKS[row]}${RANKS[column]}s` : `${RANKS[column]}${RANKS[row]}o`;
}

/** The grid. `says(cell)` is a cell in words, `fill(cell)` its picture, `choose(cell, button)` is told of a click. */
export function handGrid({ cells, testid, label, says, fill, choose, marked = null, empty = "not reached" }) {
  const known = new Map(cells.map((cell) => [`${cell.row},${cell.column}`, cell]));
  const host = el("div", {
    class: "grid169",
    role: "group",
    testid,
    "aria-label": `${label}: pairs on the diagonal, suited above it, offsuit below`,
  });
  RANKS.forEach((_, row) =>
    RANKS.forEach((__, column) => {
      const cell = known.get(`${row},${column}`);
      const name = cell?.hand ?? nameAt(row, column);
      const words = cell ? says(cell) : empty;
      const button = el(
        "button",
        {
          "aria-label": `${name}: ${words}`,
          title: `${name}: ${words}`,
          testid: `hand-${name}`,
          class: name === marked ? "marked" : null,
        },
        cell ? fill(cell) : null,
        el("span", { class: "hand" }, name),
      );
      button.addEventListener("click", () => cell && choose(cell, button));
      host.append(button);
    }),
  );
  return host;
}
