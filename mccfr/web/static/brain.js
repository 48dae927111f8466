// The cards: what the solver has learned at each infoset. They are rewritten in place, so that playing stays smooth.

import { BrainGrid } from "page/brain_grid.js";
import { byId, el, say } from "page/dom.js";
import { count, exact, percent, signed } from "page/numbers.js";

const PAGE = 60;

export class Card {
  constructor(item, choose) {
    this.rows = item.actions.map((action) => row(action));
    this.visits = el("span", { testid: "visits" });
    this.element = el(
      "button",
      {
        class: `card player${item.player}`,
        testid: `card-${item.player}:${item.label}`,
        onclick: () => choose(item.player, item.label),
        title: item.reads,
        type: "button",
      },
      el("span", { class: "card-head" }, el("b", {}, item.label), this.visits),
      item.reads ? el("span", { class: "reads", testid: "reads" }, knows(item.reads)) : null,
      ...this.rows.map((one) => one.element),
    );
    this.label = item.label;
    this.player = item.player;
  }

  write(item, largest, chosen) {
    this.element.classList.toggle("updated", Boolean(item.updated));
    this.element.classList.toggle("chosen", chosen);
    const visits = `${count(item.visits)} visit${item.visits === 1 ? "" : "s"}`;
    say(this.visits, `P${item.player} · ${visits}${item.updated ? " · updated" : ""}`);
    this.element.setAttribute("aria-pressed", String(chosen));
    this.rows.forEach((one, i) => one.write(item.regret[i], item.current[i], item.average[i], largest));
  }
}

/** What the card's player knows, without saying again which player that is. */
function knows(reads) {
  const words = reads.replace(/^Player \d /, "");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function row(action) {
  const plus = el("i", { class: "plus" });
  const minus = el("i", { class: "minus" });
  const now = el("i", {});
  const mean = el("b", {});
  const regret = el("span", { class: "figure", testid: "regret" });
  const figures = el("span", { class: "figure second", testid: "current" });
  const average = el("data", { testid: "average", hidden: true });
  const element = el(
    "span",
    { class: "card-row" },
    el("span", { class: "name", title: action }, action),
    el("span", { class: "regret" }, plus, minus),
    regret,
    el("span"),
    el("span", { class: "odds" }, now, mean),
    figures,
    average,
  );
  function write(r, p, q, largest) {
    const share = largest > 0 ? 50 * Math.min(1, Math.abs(r) / largest) : 0;
    plus.style.width = r > 0 ? `${share}%` : "0";
    minus.style.width = r < 0 ? `${share}%` : "0";
    now.style.width = `${100 * p}%`;
    mean.style.left = `${100 * q}%`;
    say(regret, signed(r));
    say(figures, `${percent(p)} · ${percent(q)}`);
    if (regret.dataset.value !== exact(r)) regret.title = regret.dataset.value = exact(r);
    figures.dataset.value = exact(p);
    average.dataset.value = exact(q);
    figures.title = `current strategy ${exact(p)}, average ${exact(q)}`;
  }
  return { element, write };
}

export class Brain {
  /** `look(view)` tells the server which cards are wanted; `choose` opens the mathematics of one. */
  constructor(look, choose) {
    this.look = look;
    this.choose = choose;
    this.view = { filter: "", player: null, offset: 0, limit: PAGE, group: null };
    this.grid = new BrainGrid(choose, (group) => this.ask({ group, offset: 0 }));
    this.cards = new Map();
    this.order = "";
    this.chosen = "";
    this.tools();
  }

  tools() {
    this.search = el("input", {
      type: "search",
      placeholder: "Search, e.g. K:",
      "aria-label": "Search infosets by label",
      testid: "search",
      size: 14,
      oninput: () => this.ask({ filter: this.search.value, offset: 0 }),
    });
    this.player = el(
      "select",
      {
        "aria-label": "Player",
        testid: "player",
        onchange: () => this.ask({ player: this.player.value === "" ? null : Number(this.player.value), offset: 0 }),
      },
      el("option", { value: "" }, "both players"),
      el("option", { value: "0" }, "player 0"),
      el("option", { value: "1" }, "player 1"),
    );
    this.previous = el(
      "button",
      {
        testid: "cards-previous",
        "aria-label": "Previous cards",
        onclick: () => this.ask({ offset: Math.max(0, this.view.offset - PAGE) }),
      },
      "‹",
    );
    this.next = el(
      "button",
      {
        testid: "cards-next",
        "aria-label": "Next cards",
        onclick: () => this.ask({ offset: this.view.offset + PAGE }),
      },
      "›",
    );
    this.place = el("span", { testid: "cards-place" });
    this.pager = el("span", { class: "pager", hidden: true }, this.previous, this.place, this.next);
    byId("brain-tools").replaceChildren(this.search, this.player, this.pager, this.grid.tools);
  }

  ask(change) {
    Object.assign(this.view, change);
    this.look(this.view);
  }

  /** All infosets again, as at the beginning. */
  all() {
    this.search.value = "";
    this.player.value = "";
    this.ask({ filter: "", player: null, offset: 0 });
  }

  /** Another game: one with many infosets, which come in groups, is shown as grids. */
  reset(groups) {
    this.cards.clear();
    this.order = "";
    const group = this.grid.open(groups);
    if (group !== this.view.group) this.ask({ group, offset: 0 });
  }

  draw(cards, chosen) {
    this.player.hidden = this.pager.hidden = Boolean(cards.layout);
    if (cards.layout) return this.drawGrid(cards, chosen);
    const keys = cards.items.map((item) => `${item.player}:${item.label}`);
    const order = keys.join("|");
    if (order !== this.order) this.arrange(cards.items, keys, order);
    const largest = Math.max(0, ...cards.items.flatMap((item) => item.regret.map(Math.abs)));
    cards.items.forEach((item, i) => this.cards.get(keys[i]).write(item, largest, keys[i] === chosen));
    const last = cards.offset + cards.items.length;
    say(byId("brain-count"), `${count(cards.total)} infosets`);
    this.pager.hidden = cards.total <= cards.items.length;
    say(this.place, cards.total ? `${cards.offset + 1}–${last} of ${count(cards.total)}` : "none");
    this.previous.disabled = cards.offset === 0;
    this.next.disabled = last >= cards.total;
  }

  drawGrid(cards, chosen) {
    this.order = "grid";
    say(byId("brain-count"), `${count(cards.total)} infosets`);
    const item = cards.items.find((one) => `${one.player}:${one.label}` === chosen);
    if (item && !this.cards.has(chosen)) this.cards = new Map([[chosen, new Card(item, this.choose)]]);
    this.grid.draw(cards, item && this.cards.get(chosen), chosen);
  }

  arrange(items, keys, order) {
    this.order = order;
    const kept = new Map();
    items.forEach((item, i) => kept.set(keys[i], this.cards.get(keys[i]) ?? new Card(item, this.choose)));
    this.cards = kept;
    const nothing = el("p", { class: "soft" }, "No infoset label contains this.");
    byId("brain").replaceChildren(...(items.length ? [...kept.values()].map((card) => card.element) : [nothing]));
  }
}
