// A trained strategy: a table with a filter, or thirteen rows and columns of starting hands.

import { byId, el, say } from "page/dom.js";
import { handGrid, stack, swatch } from "page/grid.js";
import { count, exact, percent } from "page/numbers.js";

const PAGE = 50;
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
    const host = handGrid({
      cells: found.cells,
      testid: "grid",
      label: "Starting hands",
      says: (cell) => found.actions.map((action, i) => `${action} ${percent(cell.probabilities[i])}`).join(", "),
      fill: (cell) => stack(cell.probabilities),
      choose: (cell, button) => this.tell(cell, button),
    });
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
