// A grid of starting hands with a row and a column for each rank: stacked moves, EVs, equities or differences.

import { el } from "page/dom.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** The colour of each move: by its kind, and of several sizes the larger ones are darker. */
export function moveFills(choices) {
  const sizes = choices.filter((one) => one.kind === "bet").length;
  let seen = 0;
  return choices.map(({ kind }) => {
    if (kind !== "bet") return `var(--move-${kind})`;
    seen += 1;
    return `var(--move-bet-${Math.min(4, sizes === 1 ? 2 : seen)})`;
  });
}

export function moveSwatch(fill) {
  const one = el("span", { class: "swatch", "aria-hidden": "true" });
  one.style.background = fill;
  return one;
}

/** One bar across, a part for each share. */
export function sharesBar(shares, fills) {
  const bar = el("span", { class: "shares", "aria-hidden": "true" });
  shares.forEach((p, i) => {
    const part = el("i", {});
    part.style.width = `${100 * (p ?? 0)}%`;
    part.style.background = fills[i];
    bar.append(part);
  });
  return bar;
}

/** Moves on top of each other: a part is as high as the share of the class's hands that come here and take the move. */
export function moveColumn(cell, fills) {
  const column = el("span", { class: "column", "aria-hidden": "true" });
  cell.frequency.forEach((p, i) => {
    const part = el("i", {});
    part.style.height = `${100 * (p ?? 0) * Math.min(1, cell.fill)}%`;
    part.style.background = fills[i];
    column.append(part);
  });
  return column;
}

/** How often hands of the class come here, for a player who does not move. */
export function reachColumn(cell) {
  const column = el("span", { class: "column", "aria-hidden": "true" });
  const part = el("i", { class: "reach" });
  part.style.height = `${100 * Math.min(1, cell.fill)}%`;
  column.append(part);
  return column;
}

/** A number as a shade: from 0 to 1 in one colour, or from -1 to 1 in two. */
export function shade(share, apart = false) {
  const tone = el("span", { class: "tone", "aria-hidden": "true" });
  const size = Math.min(1, Math.abs(share));
  tone.style.background = apart ? `var(--tone-${share < 0 ? "less" : "more"})` : "var(--tone)";
  tone.style.opacity = String(0.08 + 0.8 * size);
  return tone;
}

/** A number that fits into a cell of a phone. */
export const brief = (x) => (Math.abs(x) < 9.95 ? x.toFixed(1) : String(Math.round(x))).replace("-", "\u2212");

function nameAt(ranks, row, column) {
  if (row === column) return ranks[row] + ranks[row];
  return row < column ? `${ranks[row]}${ranks[column]}s` : `${ranks[column]}${ranks[row]}o`;
}

export class RangeGrid {
  /** `tell(cell)` is told of a class that is looked at, by hover, focus or touch, and `pin(cell)` of one that is chosen. */
  constructor({ testid, label, tell, pin }) {
    Object.assign(this, { tell, pin, at: [0, 0], pinned: null, testid, label });
    this.element = el("div", { class: "range-grid", role: "grid", testid, "aria-label": label });
    this.element.addEventListener("keydown", (event) => this.keyed(event));
    this.element.addEventListener("pointerover", (event) => this.hovered(event));
  }

  /** `picture(cell)` is drawn in a cell, `figure(cell)` is a short text in it, `says(cell)` what it says in words. */
  draw({ ranks, cells, picture, figure, says, empty = "not in this range" }) {
    const known = new Map(cells.map((cell) => [`${cell.row},${cell.column}`, cell]));
    const focused = this.element.contains(document.activeElement);
    this.side = ranks.length;
    this.at = this.at.map((place) => Math.min(place, this.side - 1));
    this.element.style.setProperty("--side", this.side);
    this.boxes = [...ranks].map((_, row) =>
      [...ranks].map((__, column) => {
        const cell = known.get(`${row},${column}`);
        const name = nameAt(ranks, row, column);
        const words = cell ? says(cell) : empty;
        const text = cell && figure ? figure(cell) : "";
        const box = el(
          "div",
          {
            role: "gridcell",
            class: cell ? "cell" : "cell void",
            testid: `hand-${name}`,
            "aria-label": `${name}${text && ` ${text}`}: ${words}`,
            "aria-selected": String(this.pinned === name),
            tabindex: row === this.at[0] && column === this.at[1] ? "0" : "-1",
            onclick: () => this.choose(row, column),
            onfocus: () => this.came(row, column),
          },
          cell ? picture(cell) : null,
          el("span", { class: "hand" }, name),
          text ? " " : null,
          text ? el("span", { class: "figure" }, text) : null,
        );
        box.cell = cell ?? { hand: name, missing: true };
        return box;
      }),
    );
    this.element.replaceChildren(...this.boxes.map((row) => el("div", { role: "row", class: "range-row" }, ...row)));
    if (focused) this.box.focus({ preventScroll: true });
  }

  get box() {
    return this.boxes[this.at[0]][this.at[1]];
  }

  hovered(event) {
    if (event.pointerType === "touch") return;
    const box = event.target.closest("[role=gridcell]");
    if (box && box !== this.over) {
      this.over = box;
      this.tell(box.cell);
    }
  }

  came(row, column) {
    this.box.tabIndex = -1;
    this.at = [row, column];
    this.box.tabIndex = 0;
    this.tell(this.box.cell);
  }

  choose(row, column) {
    const box = this.boxes[row][column];
    this.pinned = box.cell.hand;
    for (const each of this.boxes.flat()) each.setAttribute("aria-selected", String(each === box));
    this.pin?.(box.cell);
  }

  keyed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [row, column] = this.at;
    const last = this.side - 1;
    const ends = { Home: [row, 0], End: [row, last] };
    let place = ends[event.key];
    if (STEPS[event.key]) {
      const [down, right] = STEPS[event.key];
      place = [Math.max(0, Math.min(last, row + down)), Math.max(0, Math.min(last, column + right))];
    }
    if (event.key === "Enter" || event.key === " ") this.choose(row, column);
    else if (!place) return;
    event.preventDefault();
    event.stopPropagation();
    if (place) this.boxes[place[0]][place[1]].focus();
  }
}
