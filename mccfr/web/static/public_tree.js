// The public tree of a dealt game: its nodes, the hands at the chosen one, and which of them one walk touches.

import { byId, el, say } from "page/dom.js";
import { count, exact, percent } from "page/numbers.js";

const APART = 500; // ms between two questions while playing
const MOVER = { player0: "player 0 moves", player1: "player 1 moves", chance: "chance", terminal: "the end" };

const many = (n, one, several = `${one}s`) => `${count(n)} ${n === 1 ? one : several}`;

export class PublicTree {
  constructor(source, replay) {
    this.source = source;
    this.replay = replay;
    this.panel = byId("public");
    this.question = 0;
    this.tools();
  }

  tools() {
    this.walker = el(
      "select",
      { testid: "public-walker", onchange: () => this.ask() },
      el("option", { value: "0" }, "player 0"),
      el("option", { value: "1" }, "player 1"),
    );
    const deal = el(
      "button",
      { testid: "public-deal", onclick: () => this.ask({ deal: this.wish.deal + 1 }) },
      "Deal other hands",
    );
    byId("public-tools").replaceChildren(el("label", {}, "walk for ", this.walker), deal);
  }

  /** Another game: from its root, in the form of the method. A recording holds no public nodes. */
  open(game) {
    this.panel.hidden = !game.vectors || this.replay;
    this.wish = { node: 0, deal: 0 };
    this.form = null;
    this.listed = "";
  }

  /** Something has been learned: the same node again, but seldom while playing. */
  frame(playing) {
    if (playing && performance.now() - (this.asked ?? 0) < APART) return;
    this.ask();
  }

  async ask(change = {}) {
    if (this.panel.hidden || byId("view-watch").hidden) return;
    Object.assign(this.wish, change);
    this.asked = performance.now();
    this.question += 1;
    const { question } = this;
    const wish = { ...this.wish, walker: Number(this.walker.value), lane: 0 };
    try {
      const found = await this.source.ask("public", wish, (message) => message.type === "public");
      if (question === this.question) this.draw(found);
    } catch (error) {
      if (question === this.question) say(byId("public-says"), error.message);
    }
  }

  draw(found) {
    this.found = found;
    this.form ??= found.form;
    const { histories, infosets, nodes } = found.counts;
    say(
      byId("public-count"),
      `${many(histories, "history", "histories")}, ${many(infosets, "infoset")}, ${many(nodes, "public node")}`,
    );
    this.drawNodes(found);
    this.drawForms(found);
    this.drawHands(found);
  }

  /** The list is built anew only if it holds other nodes, so that the focus stays where it is. */
  drawNodes({ nodes, node }) {
    const listed = nodes.map(({ id }) => id).join();
    if (listed !== this.listed) {
      const focused = this.listed && document.activeElement?.dataset.node;
      this.listed = listed;
      this.buttons = new Map();
      byId("public-nodes").replaceChildren(...nodes.map((one) => this.item(one)));
      this.buttons.get(Number(focused))?.focus();
    }
    this.buttons.forEach((button, id) => button.setAttribute("aria-current", String(id === node)));
    const { line, kind } = nodes.find(({ id }) => id === node);
    say(byId("public-title"), `${line ? `After ${line}` : "Before the first move"}: ${MOVER[kind]}`);
  }

  item({ id, depth, action, line, kind, histories, infosets }) {
    const words = [
      el("b", {}, action ?? "root"),
      el("span", { class: kind }, MOVER[kind]),
      el(
        "span",
        { class: "soft" },
        `${infosets ? `${many(infosets, "infoset")} · ` : ""}${many(histories, "history", "histories")}`,
      ),
    ];
    const host = el("li", { testid: `public-node-${id}` });
    host.style.setProperty("--depth", depth);
    if (kind === "terminal") {
      host.append(el("span", { class: "public-end" }, ...words));
      return host;
    }
    const button = el(
      "button",
      {
        type: "button",
        title: line || "before the first move",
        "data-node": id,
        onclick: () => this.ask({ node: id }),
      },
      ...words,
    );
    this.buttons.set(id, button);
    host.append(button);
    return host;
  }

  drawForms({ forms, form }) {
    if (!this.radios) this.buildForms(forms);
    forms.forEach((one) => {
      const { radio, mine, hands, infosets, histories } = this.radios.get(one.key);
      radio.checked = one.key === this.form;
      mine.hidden = one.key !== form;
      say(hands, one.hands);
      say(infosets, count(one.infosets));
      say(histories, count(one.histories));
    });
    say(byId("public-says"), forms.find(({ key }) => key === this.form).says);
  }

  /** The rows stay, so that the arrow keys can go through the choices; only their numbers are written anew. */
  buildForms(forms) {
    this.radios = new Map();
    const rows = forms.map(({ key, name }) => {
      const choose = () => {
        this.form = key;
        this.draw(this.found);
      };
      const radio = el("input", {
        type: "radio",
        name: "public-form",
        value: key,
        testid: `form-${key}`,
        onchange: choose,
      });
      const mine = el("span", { class: "soft", hidden: true }, " (this method)");
      const cells = ["hands", "infosets", "histories"].map((one, i) =>
        el("td", { class: i ? "number" : "", testid: `${one}-${key}` }),
      );
      this.radios.set(key, { radio, mine, hands: cells[0], infosets: cells[1], histories: cells[2] });
      return el("tr", {}, el("th", { scope: "row" }, el("label", {}, radio, el("span", {}, name, mine))), ...cells);
    });
    const head = ["one walk in", "carries", "infosets here", "histories here"].map((word, i) =>
      el("th", { scope: "col", class: i > 1 ? "number" : "" }, word),
    );
    byId("public-forms").replaceChildren(
      el(
        "table",
        { class: "public-form-table" },
        el("thead", {}, el("tr", {}, ...head)),
        el("tbody", {}, ...rows),
      ),
    );
  }

  drawHands({ vectors }) {
    byId("public-hands").replaceChildren(...vectors.map((vector) => this.vector(vector)));
  }

  /** A player's hands: the range now and on average, and of whoever moves the strategy of every hand. */
  vector({ player, moves, actions, hands }) {
    const head = ["", "hand", "range", ...actions];
    const role = moves ? ", who moves: an infoset each" : "";
    return el(
      "table",
      { class: moves ? "public-vector mover" : "public-vector", testid: `vector-${player}` },
      el("caption", {}, `${many(hands.length, "hand")} of player ${player}${role}`),
      el("thead", {}, el("tr", {}, ...head.map((word) => (word ? el("th", { scope: "col" }, word) : el("td"))))),
      el("tbody", {}, ...hands.map((hand) => this.hand(hand, actions))),
    );
  }

  hand({ hand, label, range, touched, current, average }, actions) {
    const on = touched.includes(this.form);
    const mark = on ? el("span", { role: "img", "aria-label": "touched" }, "●") : null;
    return el(
      "tr",
      { class: on ? "touched" : "", testid: label ? `hand-${label}` : null },
      el("td", {}, mark),
      el("th", { scope: "row", title: label }, hand),
      bar(range.current, range.average, "range"),
      ...actions.map((_, a) => bar(current[a], average[a], "strategy")),
    );
  }
}

/** A probability under the current strategy, as a bar, with a tick for the average strategy. */
function bar(now, mean, testid) {
  const current = el("i");
  const average = el("b");
  current.style.width = `${100 * now}%`;
  average.style.left = `${100 * mean}%`;
  return el(
    "td",
    {
      testid,
      "data-value": exact(now),
      "data-average": exact(mean),
      title: `current strategy ${exact(now)}, average ${exact(mean)}`,
    },
    el("span", { class: "odds" }, current, average),
    el("span", { class: "public-figure" }, `${percent(now)} · ${percent(mean)}`),
  );
}
