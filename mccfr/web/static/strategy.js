// A trained strategy: a table with a filter, or thirteen rows and columns of starting hands.

import { look } from "page/charts.js";
import { byId, el, say } from "page/dom.js";
import { count, exact, percent } from "page/numbers.js";

const PAGE = 50;
const RANKS = [..."AKQJT98765432"];

/** One bar, an action per part; pattern and order tell them apart as well as colour. */
function stack(probabilities) {
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

export class StrategyView {
  constructor(get) {
    this.get = get;
    this.id = null;
    this.view = { filter: "", player: "", offset: 0 };
  }

  open(one) {
    this.id = String(one.id);
    this.one = one;
    this.view = { filter: "", player: "", offset: 0 };
    say(byId("strategy-title"), `${one.name}: ${one.game}`);
    if (one.grid) this.openGrid("");
    else this.openTable();
  }

  // The table.

  openTable() {
    this.search = el("input", {
      type: "search",
      placeholder: "Filter labels",
      "aria-label": "Filter infosets by label",
      testid: "strategy-filter",
      value: this.view.filter,
      oninput: () => this.look({ filter: this.search.value, offset: 0 }),
    });
    const player = el(
      "select",
      {
        "aria-label": "Player",
        testid: "strategy-player",
        onchange: () => this.look({ player: player.value, offset: 0 }),
      },
      el("option", { value: "" }, "both players"),
      el("option", { value: "0" }, "player 0"),
      el("option", { value: "1" }, "player 1"),
    );
    this.place = el("span", { class: "soft" });
    const turn = (words, by, testid) =>
      el(
        "button",
        { testid, "aria-label": words, onclick: () => this.look({ offset: Math.max(0, this.view.offset + by) }) },
        by < 0 ? "‹" : "›",
      );
    byId("strategy-tools").replaceChildren(
      this.search,
      player,
      turn("Previous", -PAGE, "strategy-previous"),
      this.place,
      turn("Next", PAGE, "strategy-next"),
      ...(this.one.grid ? [el("button", { testid: "as-grid", onclick: () => this.openGrid("") }, "As a grid")] : []),
    );
    this.look({});
  }

  async look(change) {
    Object.assign(this.view, change);
    const words = new URLSearchParams({ filter: this.view.filter, offset: this.view.offset, limit: PAGE });
    if (this.view.player !== "") words.set("player", this.view.player);
    const found = await this.get(`api/strategies/${this.id}?${words}`);
    if (found.total && this.view.offset >= found.total)
      return this.look({ offset: Math.floor((found.total - 1) / PAGE) * PAGE });
    say(
      this.place,
      found.total ? `${found.offset + 1}–${found.offset + found.items.length} of ${count(found.total)}` : "none",
    );
    const rows = found.items.map((item) =>
      el(
        "tr",
        {},
        el("td", {}, `${item.player}`),
        el("th", { scope: "row" }, el("code", {}, item.label)),
        el("td", {}, stack(item.probabilities)),
        el(
          "td",
          { testid: `strategy-${item.player}:${item.label}` },
          item.actions.map((action, i) => `${action} ${percent(item.probabilities[i])}`).join("   "),
        ),
      ),
    );
    byId("strategy").replaceChildren(
      el(
        "div",
        { class: "scroll" },
        el(
          "table",
          { class: "table-strategy" },
          el(
            "thead",
            {},
            el("tr", {}, ...["player", "infoset", "", "plays"].map((word) => el("th", { scope: "col" }, word))),
          ),
          el("tbody", {}, ...rows),
        ),
      ),
    );
  }

  // The grid.

  async openGrid(lineName) {
    const found = await this.get(
      `api/strategies/${this.id}/grid?${new URLSearchParams(lineName ? { line: lineName } : {})}`,
    );
    this.grid = found;
    const lines = el(
      "select",
      { testid: "grid-line", "aria-label": "Line of play", onchange: () => this.openGrid(lines.value) },
      ...found.lines.map((one) =>
        el("option", { value: one.line, selected: one.line === found.line }, one.title ?? one.line),
      ),
    );
    byId("strategy-tools").replaceChildren(
      el("label", {}, "after", lines),
      el("button", { testid: "as-table", onclick: () => this.openTable() }, "As a table"),
    );
    const cells = new Map(found.cells.map((cell) => [`${cell.row},${cell.column}`, cell]));
    const host = el("div", {
      class: "grid169",
      role: "group",
      testid: "grid",
      "aria-label": "Starting hands: pairs on the diagonal, suited above it, offsuit below",
    });
    RANKS.forEach((_, row) =>
      RANKS.forEach((__, column) => host.append(this.cell(cells.get(`${row},${column}`), row, column))),
    );
    this.details = el(
      "div",
      { testid: "grid-details", "aria-live": "polite" },
      el("p", { class: "soft" }, "Choose a hand to see its numbers."),
    );
    const legend = el("p", { class: "small" }, ...found.actions.flatMap((action, i) => [swatch(i), ` ${action}   `]));
    byId("strategy").replaceChildren(
      el("div", { class: "grid-and-details" }, el("div", {}, legend, host), this.details),
    );
  }

  cell(cell, row, column) {
    const name =
      cell?.hand ??
      (row === column
        ? RANKS[row] + RANKS[row]
        : row < column
          ? `${RANKS[row]}${RANKS[column]}s`
          : `${RANKS[column]}${RANKS[row]}o`);
    const says = cell
      ? this.grid.actions.map((action, i) => `${action} ${percent(cell.probabilities[i])}`).join(", ")
      : "not reached";
    const button = el(
      "button",
      { "aria-label": `${name}: ${says}`, title: `${name}: ${says}`, testid: `hand-${name}` },
      cell ? stack(cell.probabilities) : null,
      el("span", { class: "hand" }, name),
    );
    button.addEventListener("click", () => cell && this.tell(cell, button));
    return button;
  }

  tell(cell, button) {
    this.chosen?.setAttribute("aria-pressed", "false");
    this.chosen = button;
    button.setAttribute("aria-pressed", "true");
    const rows = this.grid.actions.map((action, i) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, swatch(i), ` ${action}`),
        el("td", { class: "number", title: exact(cell.probabilities[i]) }, percent(cell.probabilities[i])),
      ),
    );
    const combos = (cell.combos ?? []).map((one) =>
      el("tr", {}, el("th", { scope: "row" }, el("code", {}, one.hand)), el("td", {}, stack(one.probabilities))),
    );
    this.details.replaceChildren(
      el("h3", {}, cell.hand),
      el("table", {}, el("tbody", {}, ...rows)),
      ...(combos.length ? [el("h3", {}, "By suits"), el("table", {}, el("tbody", {}, ...combos))] : []),
    );
  }
}

function swatch(i) {
  const one = el("span", { class: "swatch", "aria-hidden": "true" });
  one.style.background = fillOf(i);
  return one;
}
