// Two nodes side by side, of one strategy or of two, and a grid of what differs.

import { el } from "page/dom.js";
import { exact, percent } from "page/numbers.js";
import { brief, RangeGrid, shade } from "page/range_grid.js";
import { RangePane } from "page/range_pane.js";

const MINUS = "\u2212";
const points = (x) => (x === null ? "–" : `${x < 0 ? MINUS : "+"}${percent(Math.abs(x)).replace("%", "")}`);
const short = (name) => name.split("/").slice(-2).join("/");
const chips = (x) => (x === null ? "–" : `${x < 0 ? MINUS : "+"}${brief(Math.abs(x))}`);

export class RangeCompare {
  /** `first` is the pane that is there already; `changed` is told when the second one shows another node. */
  constructor({ get, first, changed, close }) {
    Object.assign(this, { get, first, changed, what: "moved" });
    this.second = new RangePane({ get, mark: "-b", changed: () => this.refresh() });
    this.strategies = el("select", {
      "aria-label": "Second strategy",
      testid: "compare-strategy",
      onchange: () => this.second.open(this.strategies.value, this.second.line),
    });
    this.picks = el("select", {
      "aria-label": "What differs",
      testid: "difference-what",
      onchange: () => {
        this.what = this.picks.value;
        this.draw();
      },
    });
    this.says = el("p", { class: "small", testid: "difference-says", "aria-live": "polite" });
    this.grid = new RangeGrid({
      testid: "difference",
      label: "The second node less the first, by class of hands",
      tell: (cell) => this.tell(cell),
      pin: (cell) => this.tell(cell),
    });
    this.top = el(
      "div",
      { class: "tools compare-tools" },
      el("label", {}, "Second: ", this.strategies),
      el("button", { testid: "compare-close", onclick: close }, "Close the comparison"),
    );
    this.element = el(
      "div",
      { class: "difference", testid: "difference-panel" },
      el("h3", {}, "Second less first"),
      el("div", { class: "tools" }, this.picks),
      this.says,
      this.grid.element,
    );
  }

  open(strategies, id, line) {
    const option = (one) =>
      el("option", { value: one.id, selected: String(one.id) === String(id) }, `${short(one.name)}: ${one.title}`);
    this.strategies.replaceChildren(...strategies.map(option));
    return this.second.open(id, line);
  }

  /** One of the two nodes has changed. */
  async refresh() {
    const { first, second } = this;
    this.changed();
    if (!first.node || !second.node) return;
    const asked = new URLSearchParams({
      other: second.id,
      line: first.node.line,
      player: first.node.player,
      other_line: second.node.line,
      other_player: second.node.player,
      filter: first.filter,
    });
    this.asked = asked;
    try {
      const found = await this.get(`api/strategies/${first.id}/difference?${asked}`);
      if (asked !== this.asked) return;
      this.found = found;
      this.draw();
    } catch (error) {
      if (asked !== this.asked) return;
      this.found = null;
      this.grid.element.replaceChildren();
      this.says.textContent = error.message;
    }
  }

  draw() {
    const { found } = this;
    if (!found) return;
    const spoken = (column) => this.first.node.choices.find((move) => move.action === column)?.text ?? column;
    const kinds = [
      ...(found.columns.length ? [["moved", "how much moves, in points"]] : []),
      ...found.columns.map((column, i) => [String(i), `${spoken(column)}, in points`]),
      ...(found.cells.some((cell) => cell.ev !== null) ? [["ev", "EV"]] : []),
      ["equity", "equity, in points"],
    ];
    if (!kinds.some(([value]) => value === this.what)) this.what = kinds[0][0];
    this.picks.replaceChildren(
      ...kinds.map(([value, text]) => el("option", { value, selected: value === this.what }, text)),
    );
    this.sentence(found, spoken);
    const values = found.cells.map((cell) => Math.abs(this.value(cell) ?? 0));
    const most = this.what === "ev" ? Math.max(...values, 1e-9) : 1;
    this.grid.draw({
      ranks: this.first.node.ranks,
      cells: found.cells,
      picture: (cell) => shade((this.value(cell) ?? 0) / most, true),
      figure: (cell) => this.text(this.value(cell)),
      says: (cell) => this.inWords(cell, found, spoken),
      empty: "not in both ranges",
    });
  }

  sentence(found, spoken) {
    const totals = found.columns.map((column, i) => `${spoken(column)} ${points(found.totals[i])}`).join(", ");
    const alone = found.only.flat().length;
    const rest = alone ? ` ${alone} classes are in one of the ranges only and are left out.` : "";
    this.says.textContent = found.columns.length
      ? `Over the whole range, in points of percent: ${totals}.${rest}`
      : `In one of the nodes this player does not move, so only what hands are worth is compared.${rest}`;
  }

  value(cell) {
    return ["moved", "ev", "equity"].includes(this.what) ? cell[this.what] : cell.frequency[Number(this.what)];
  }

  text(x) {
    if (this.what === "moved") return x === null ? "–" : percent(x).replace("%", "");
    return this.what === "ev" ? chips(x) : points(x);
  }

  inWords(cell, found, spoken) {
    const moves = found.columns.map((column, i) => `${spoken(column)} ${points(cell.frequency[i])}`);
    const worth = cell.ev === null ? [] : [`EV ${chips(cell.ev)}`];
    return [...moves, ...worth, ...(cell.equity === null ? [] : [`equity ${points(cell.equity)}`])].join(", ");
  }

  tell(cell) {
    this.element.dataset.told = exact(cell.hand);
    if (cell.missing) return;
    const spoken = (column) => this.first.node.choices.find((move) => move.action === column)?.text ?? column;
    this.says.textContent = `${cell.hand}: ${this.inWords(cell, this.found, spoken)}.`;
  }
}
