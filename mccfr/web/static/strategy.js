// A trained strategy: a table with a filter; of hold'em, nodes with their grids.

import { byId, el, say } from "page/dom.js";
import { stack } from "page/grid.js";
import { count, percent } from "page/numbers.js";
import { RangeCompare } from "page/range_compare.js";
import { RangePane } from "page/range_pane.js";

const PAGE = 50;

/** The end of a path: enough to tell files apart. */
const short = (name) => name.split("/").slice(-2).join("/");

export class StrategyView {
  constructor(get, state, changed) {
    Object.assign(this, { get, state, changed });
    this.id = null;
    this.all = [];
    this.view = { filter: "", player: "", offset: 0 };
  }

  open(one, all) {
    this.id = String(one.id);
    Object.assign(this, { one, all });
    this.view = { filter: "", player: "", offset: 0 };
    this.head();
    const [id, line = ""] = this.state.versus.split(" ");
    if (one.grid) this.openRanges(id ? [id, line] : null);
    else this.openTable();
  }

  head() {
    const { name, title, live, iterations } = this.one;
    const when = live ? ` · iteration ${count(iterations)} of a run that goes on` : "";
    say(byId("strategy-title"), `${short(name)}: ${title}${when}`);
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
      ...(this.one.grid ? [el("button", { testid: "as-grid", onclick: () => this.openRanges() }, "As a grid")] : []),
    );
    this.look({});
  }

  async look(change) {
    Object.assign(this.view, change);
    const words = new URLSearchParams({ filter: this.view.filter, offset: this.view.offset, limit: PAGE });
    if (this.view.player !== "") words.set("player", this.view.player);
    this.pane = null;
    this.latest = words; // answers may overtake each other
    const found = await this.get(`api/strategies/${this.id}?${words}`).catch((error) => error);
    if (words !== this.latest || this.pane) return;
    if (found instanceof Error) return byId("strategy").replaceChildren(el("p", { class: "soft" }, found.message));
    if (found.total && this.view.offset >= found.total)
      return this.look({ offset: Math.floor((found.total - 1) / PAGE) * PAGE });
    this.search.disabled = !found.searchable;
    this.search.title = found.searchable ? "" : "Too many infosets to search: look at them as a grid.";
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
        { class: "scroll", tabindex: 0, role: "group", "aria-label": "The strategy as a table" },
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

  // Hold'em: one node at a time.

  openRanges(versus) {
    this.pane = new RangePane({ get: this.get, changed: () => this.moved() });
    this.host = el("div", { class: "ranges" }, this.pane.element);
    byId("strategy").replaceChildren(this.host);
    this.compare = null;
    this.rangeTools();
    const opening = this.pane.open(this.id, this.state.line);
    if (versus) opening.then(() => this.openCompare(...versus));
  }

  rangeTools() {
    byId("strategy-tools").replaceChildren(
      ...(this.compare ? [] : [el("button", { testid: "compare-open", onclick: () => this.openCompare() }, "Compare")]),
      el("button", { testid: "as-table", onclick: () => this.openTable() }, "As a table"),
    );
  }

  /** A second node beside the first: at the beginning the same one. */
  openCompare(id = this.id, line = this.pane.line) {
    this.compare = new RangeCompare({
      get: this.get,
      first: this.pane,
      changed: () => this.remember(),
      close: () => this.closeCompare(),
    });
    this.host.classList.add("two");
    this.host.replaceChildren(this.compare.top, this.pane.element, this.compare.second.element, this.compare.element);
    this.rangeTools();
    this.compare.open(
      this.all.filter((one) => one.grid && !one.error),
      id,
      line,
    );
  }

  closeCompare() {
    this.compare = null;
    this.host.classList.remove("two");
    this.host.replaceChildren(this.pane.element);
    this.rangeTools();
    this.remember();
  }

  moved() {
    this.compare?.refresh();
    this.remember();
  }

  /** The nodes that are shown are in the address. */
  remember() {
    this.state.line = this.pane.line;
    this.state.versus = this.compare ? `${this.compare.second.id} ${this.compare.second.line}` : "";
    this.changed();
  }

  /** The list has been read again: a strategy that has changed is looked at again where it was. */
  update(strategies) {
    this.all = strategies;
    const now = strategies.find((one) => String(one.id) === this.id);
    if (!now || now.version === this.one.version) return;
    this.one = now;
    this.head();
    if (!now.grid || !this.pane) return;
    this.pane.reload();
    if (this.compare?.second.id === this.id) this.compare.second.reload();
  }
}
