// The brain of a larger game as a grid: rows are hands, columns are lines, a cell shows the average strategy. Cells are
// rewritten in place, so that playing stays smooth; the card of a chosen cell stands below.

import { look } from "page/charts.js";
import { byId, el, say } from "page/dom.js";
import { count, percent, signed } from "page/numbers.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class BrainGrid {
  /** `choose(player, label)` opens an infoset; `ask(group)` asks the server for a group, or for cards without one. */
  constructor(choose, ask) {
    Object.assign(this, { choose, ask, wanted: true, group: 0, cells: new Map(), order: "" });
    this.groups = el("select", {
      "aria-label": "Group of infosets",
      testid: "brain-group",
      onchange: () => this.go(Number(this.groups.value)),
    });
    this.toggle = el("button", { testid: "brain-as", onclick: () => this.flip() });
    this.tools = el("span", { class: "brain-grid-tools", hidden: true }, this.groups, this.toggle);
    this.says = el("p", { class: "small brain-says", testid: "brain-says", "aria-live": "polite" });
  }

  /** Another game: which group to begin with; none if its cards fit on the page, or if cards are wanted. */
  open(titles) {
    this.titles = titles;
    this.tools.hidden = !titles.length;
    this.group = 0;
    this.order = "";
    this.groups.replaceChildren(...titles.map((title, i) => el("option", { value: i }, title)));
    return this.begin();
  }

  begin() {
    const shown = this.wanted && this.titles.length > 0;
    this.groups.hidden = !shown;
    say(this.toggle, shown ? "As cards" : "As a grid");
    return shown ? this.group : null;
  }

  flip() {
    this.wanted = !this.wanted;
    this.order = "";
    this.ask(this.begin());
  }

  go(group) {
    this.group = group;
    this.ask(group);
  }

  draw({ items, layout }, card, chosen) {
    const order = `${layout.title}|${items.map((item) => item.label).join("|")}`;
    if (order !== this.order) this.arrange(items, layout, order);
    for (const item of items) this.write(item, chosen);
    const largest = Math.max(0, ...items.flatMap((item) => item.regret.map(Math.abs)));
    const place = byId("brain-card");
    if (!card) place?.replaceChildren();
    else if (place) {
      const item = items.find((one) => `${one.player}:${one.label}` === chosen);
      card.write(item, largest, true);
      if (place.firstChild !== card.element) place.replaceChildren(card.element);
    }
  }

  arrange(items, { title, rows, columns }, order) {
    this.order = order;
    this.cells = new Map();
    this.boxes = rows.map(() => columns.map(() => null));
    const actions = [...new Set(items.flatMap((item) => item.actions))];
    this.colours = new Map(actions.map((action, i) => [action, i]));
    for (const item of items) this.boxes[item.row][item.column] = this.cell(item);
    const head = columns.map((line) => el("th", { scope: "col" }, line || "first"));
    const body = rows.map((hand, r) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, hand || "–"),
        ...columns.map((_, c) => el("td", {}, this.boxes[r][c]?.box ?? null)),
      ),
    );
    const table = el(
      "table",
      { class: "brain-grid", testid: "brain-grid" },
      el("caption", {}, title),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "hand"), ...head)),
      el("tbody", {}, ...body),
    );
    table.addEventListener("keydown", (event) => this.keyed(event));
    const nothing = el("p", { class: "soft" }, "No infoset label contains this.");
    byId("brain").replaceChildren(
      this.legend(actions),
      items.length ? el("div", { class: "scroll brain-scroll" }, table) : nothing,
      this.says,
      el("div", { id: "brain-card", class: "cards" }),
    );
    say(this.says, "Bars show the average strategy. Point at a cell to see its regrets; choose it to see its card.");
    const first = this.boxes.flat().find(Boolean);
    if (first) first.box.tabIndex = 0;
    this.at = first?.box ?? null;
  }

  legend(actions) {
    const one = (action) => {
      const swatch = el("span", { class: "swatch", "aria-hidden": "true" });
      swatch.style.background = this.fill(action);
      return el("span", {}, swatch, ` ${action}`);
    };
    return el("p", { class: "small brain-legend" }, ...(actions.length <= 8 ? actions.map(one) : []));
  }

  fill(action) {
    return `color-mix(in srgb, ${look(this.colours.get(action)).colour} 75%, var(--paper))`;
  }

  cell(item) {
    const parts = item.actions.map((action) => {
      const part = el("i", {});
      part.style.background = this.fill(action);
      return part;
    });
    const box = el(
      "button",
      {
        class: "brain-cell",
        type: "button",
        tabindex: "-1",
        testid: `cell-${item.player}:${item.label}`,
        onclick: () => this.choose(item.player, item.label),
        onfocus: () => this.came(found),
        onpointerenter: () => this.tell(found),
      },
      ...parts,
    );
    const found = { box, parts, item, row: item.row, column: item.column };
    this.cells.set(`${item.player}:${item.label}`, found);
    return found;
  }

  write(item, chosen) {
    const key = `${item.player}:${item.label}`;
    const found = this.cells.get(key);
    found.item = item;
    item.average.forEach((p, i) => {
      const width = `${(100 * p).toFixed(1)}%`;
      if (found.parts[i].style.width !== width) found.parts[i].style.width = width;
    });
    found.box.classList.toggle("updated", Boolean(item.updated));
    found.box.classList.toggle("unseen", item.visits === 0);
    found.box.setAttribute("aria-pressed", String(key === chosen));
    const words = `${item.label}: ${item.actions.map((action, i) => `${action} ${percent(item.average[i])}`).join(", ")}`;
    if (found.words !== words) found.box.setAttribute("aria-label", (found.words = words));
    found.box.dataset.average = item.average.join(" ");
  }

  came(found) {
    if (this.at) this.at.tabIndex = -1;
    this.at = found.box;
    this.at.tabIndex = 0;
    this.tell(found);
  }

  tell({ item }) {
    const moves = item.actions.map(
      (action, i) =>
        `${action} ${percent(item.average[i])} (regret ${signed(item.regret[i])}, now ${percent(item.current[i])})`,
    );
    const seen = item.visits === null ? "" : `, ${count(item.visits)} ${item.visits === 1 ? "visit" : "visits"}`;
    say(this.says, `${item.label}, player ${item.player}${seen}: ${moves.join(", ")}.`);
  }

  keyed(event) {
    const step = STEPS[event.key];
    const here = [...this.cells.values()].find(({ box }) => box === document.activeElement);
    if (!step || !here || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    let [row, column] = [here.row + step[0], here.column + step[1]];
    while (this.boxes[row]?.[column] === null) [row, column] = [row + step[0], column + step[1]];
    this.boxes[row]?.[column]?.box.focus();
  }
}
