// One node of a hold'em strategy: the line so far, the moves that follow, cards to come, the grid and single hands.

import { cardPicker, signed, signedAll } from "page/card_picker.js";
import { el, say } from "page/dom.js";
import { exact, number, percent } from "page/numbers.js";
import { chips, classTable, handsTable } from "page/range_details.js";
import { runoutTable } from "page/runouts.js";
import { brief, moveColumn, moveFills, moveSwatch, RangeGrid, reachColumn, shade, sharesBar } from "page/range_grid.js";

const PATIENCE = 60; // milliseconds that a pointer rests on a class before its hands are asked for
const LONGEST = 300; // characters of a line
const KEPT = 60; // classes whose hands are remembered

const words = (given) =>
  new URLSearchParams(Object.entries(given).filter(([, value]) => value !== "" && value !== null));

export class RangePane {
  /** `get(path)` asks the server; `changed(pane)` is told when another node is shown; `mark` tells panes apart in tests. */
  constructor({ get, mark = "", changed }) {
    Object.assign(this, { get, mark, changed, line: "", player: null, filter: "", made: "", shows: "moves" });
    this.kept = new Map();
    this.grid = new RangeGrid({
      testid: `grid${mark}`,
      label: "Starting hands: pairs on the diagonal, suited above it, offsuit below",
      tell: (cell) => this.glance(cell),
      pin: (cell) => this.look(cell),
    });
    this.crumbs = el("nav", {
      class: "crumbs",
      "aria-label": mark ? "Second line so far" : "Line so far",
      testid: `crumbs${mark}`,
    });
    this.facts = el("p", { class: "node-facts", testid: `node-facts${mark}` });
    this.seats = el("table", { class: "seats-table", testid: `seats${mark}` });
    this.moves = el("div", { class: "moves", role: "group", "aria-label": "Moves", testid: `moves${mark}` });
    this.total = el("div", { class: "total", testid: `total${mark}` });
    this.cards = el("div");
    this.tools = el("div", { class: "tools range-tools" });
    this.details = el("div", { class: "details", testid: `grid-details${mark}` });
    this.problem = el("p", { class: "problem", role: "alert", testid: `node-problem${mark}`, hidden: true });
    this.element = el(
      "div",
      { class: "range-pane", testid: `pane${mark}` },
      this.crumbs,
      this.facts,
      this.problem,
      this.cards,
      this.moves,
      this.total,
      this.tools,
      el("div", { class: "grid-and-details" }, this.grid.element, el("div", {}, this.seats, this.details)),
    );
    this.makeTools();
  }

  makeTools() {
    const choice = (name, text) =>
      el("button", { testid: `shows-${name}${this.mark}`, onclick: () => this.show({ shows: name }, false) }, text);
    this.modes = { moves: choice("moves", "Strategy"), ev: choice("ev", "EV"), equity: choice("equity", "Equity") };
    this.players = [0, 1].map((player) =>
      el("button", { testid: `player-${player}${this.mark}`, onclick: () => this.show({ player }) }, ""),
    );
    this.search = el("input", {
      type: "search",
      placeholder: "Filter, e.g. QQ+,AKs",
      "aria-label": "Only these hands, written as a range",
      testid: `range-filter${this.mark}`,
      size: 16,
      maxlength: 2000,
      onchange: () => this.show({ filter: this.search.value.trim() }),
    });
    this.makes = el("select", {
      "aria-label": "Only hands that make this with the board",
      testid: `made-filter${this.mark}`,
      onchange: () => this.show({ made: this.makes.value }),
    });
    const group = (label, ...inside) =>
      el("span", { class: "segments", role: "group", "aria-label": label }, ...inside);
    this.tools.append(
      group("Whose hands", ...this.players),
      group("What cells show", ...Object.values(this.modes)),
      this.search,
      this.makes,
    );
  }

  /** Another strategy, or the same one as it is now. */
  open(id, line = "") {
    Object.assign(this, { id: String(id), line, player: null });
    return this.reload();
  }

  /** Looks at the same node again: the strategy has changed. */
  async reload() {
    this.kept = new Map(); // answers that are still on their way go into the old one
    this.loses = "";
    await this.load();
    this.measure();
  }

  go(line) {
    Object.assign(this, { line, player: null });
    return this.load();
  }

  show(change, again = true) {
    Object.assign(this, change);
    if (again) return this.load();
    this.draw();
    this.changed(this);
  }

  async load() {
    if (this.line.length > LONGEST) return this.fail("this line is too long to be one");
    const asked = (this.asked = { line: this.line, player: this.player, filter: this.filter, made: this.made });
    const late = setTimeout(
      () => say(this.facts, "Opening. A large strategy takes a few seconds the first time."),
      300,
    );
    try {
      const node = await this.get(`api/strategies/${this.id}/node?${words(asked)}`);
      if (asked !== this.asked) return;
      this.node = node;
      this.line = node.line;
      this.problem.hidden = true;
      this.draw();
      this.changed(this);
    } catch (error) {
      if (asked === this.asked) this.fail(error.message);
    } finally {
      clearTimeout(late);
    }
  }

  /** A line or a filter that makes no sense: says so, and leads back to where it did. */
  fail(message) {
    const home = el(
      "button",
      { class: "link", onclick: () => this.show({ line: "", player: null, filter: "", made: "" }) },
      "Back to the start",
    );
    this.problem.replaceChildren(`${message[0].toUpperCase()}${message.slice(1)}. `, home);
    this.problem.hidden = false;
    if (!this.node) say(this.facts, "");
  }

  // ---- drawing

  draw() {
    const { node } = this;
    const led = [this.moves, this.crumbs, this.cards].some((part) => part.contains(document.activeElement));
    this.fills = moveFills(node.choices);
    this.hasEv = node.cells.some((cell) => cell.ev !== null);
    this.drawCrumbs();
    this.drawFacts();
    this.drawMoves();
    this.drawTools();
    this.drawSeats();
    this.drawGrid();
    if (led) this.lead();
    const still = node.cells.find((cell) => cell.hand === this.grid.pinned);
    if (still) this.look(still);
    else
      this.details.replaceChildren(
        el("p", { class: "soft" }, "Point at a class of hands, or choose one, to see its hands one by one."),
      );
  }

  /** Who came here by keys goes on by keys: to the first move, the first card, or the last step. */
  lead() {
    const next = this.moves.querySelector("button") ?? this.cards.querySelector("button:enabled");
    (next ?? this.crumbs.lastElementChild).focus({ preventScroll: true });
  }

  drawCrumbs() {
    const step = (text, line, last) =>
      el(
        "button",
        { class: "crumb", "aria-current": last ? "step" : null, onclick: () => this.go(line) },
        signedAll(text),
      );
    const { steps } = this.node;
    const all = [{ text: "Start", line: "" }, ...steps];
    this.crumbs.replaceChildren(...all.map(({ text, line }, i) => step(text, line, i === all.length - 1)));
  }

  drawFacts() {
    const { node } = this;
    const board = node.board.length ? node.board.map(signed).join(" ") : "no board yet";
    const next = node.over
      ? { fold: "the hand is over: a fold", showdown: "the hand goes to a showdown" }[node.over]
      : node.mover === null
        ? `${node.cards === 1 ? "a card comes" : `${node.cards} cards come`}`
        : `the player ${inSeat(node.seats[node.mover])} moves`;
    const made = node.iterations > 1 ? `, ${node.iterations.toLocaleString("en-US")} iterations` : "";
    this.facts.replaceChildren(
      el("strong", {}, board),
      ` · pot ${number(node.pot, 6)} · ${next} `,
      el("span", { class: "soft" }, `(${node.method}${made}${this.loses ?? ""})`),
    );
  }

  /** How good the whole strategy is, where that is measured quickly; the grid does not wait for it. */
  async measure() {
    this.loses = "";
    const { id } = this;
    const found = await this.get(`api/strategies/${id}/exploitability`).catch(() => ({}));
    if (id !== this.id || (found.exploitability ?? null) === null) return;
    const share = found.of_pot === null ? "" : `, ${(100 * found.of_pot).toPrecision(2)} % of the pot`;
    this.loses = `, exploitability ${number(found.exploitability)}${share}`;
    if (this.node) this.drawFacts();
  }

  drawMoves() {
    const { node } = this;
    const mine = node.mover === node.player;
    this.moves.replaceChildren(
      ...node.choices.map((move, i) =>
        el(
          "button",
          {
            testid: `move-${move.action}${this.mark}`,
            title: move.over ? "The hand ends with this move" : "Go on with this move",
            "data-value": exact(move.frequency),
            onclick: () => this.go(move.line),
          },
          moveSwatch(this.fills[i]),
          move.text,
          mine ? el("b", {}, percent(move.frequency)) : null,
        ),
      ),
    );
    this.moves.hidden = !node.choices.length;
    this.total.replaceChildren(
      ...(mine
        ? [
            sharesBar(
              node.choices.map((move) => move.frequency),
              this.fills,
            ),
          ]
        : []),
    );
    this.total.hidden = !mine || node.choices.some((move) => move.frequency === null);
    this.cards.replaceChildren();
    if (node.cards) this.cards.append(this.picker(), this.runoutButton());
  }

  /** Of spots: the cards in a table, when asked for. */
  runoutButton() {
    const { line, seats } = this.node;
    if (!this.hasEv) return "";
    const button = el("button", { testid: `show-runouts${this.mark}`, onclick: () => show() }, "What each card does");
    const show = async () => {
      button.disabled = true;
      const go = (cards) => this.go(`${line}${cards}:`);
      const asked = this.get(`api/strategies/${this.id}/runouts?${words({ line })}`);
      const found = await asked
        .then((rows) => runoutTable(rows, seats, go))
        .catch((error) => el("p", {}, error.message));
      button.replaceWith(found);
    };
    return button;
  }

  picker() {
    const { ranks, suits, cards, kinds, line } = this.node;
    return cardPicker({ ranks, suits, count: cards, kinds, done: (names) => this.go(`${line}${names.join("")}:`) });
  }

  drawTools() {
    const { node } = this;
    this.players.forEach((button, player) => {
      say(button, node.seats[player]);
      button.setAttribute("aria-pressed", String(player === node.player));
    });
    this.modes.ev.disabled = !this.hasEv;
    this.modes.ev.title = this.hasEv ? "" : (node.why_no_ev ?? "No EVs here: this line is never played.");
    if (this.shows === "ev" && !this.hasEv) this.shows = "moves";
    for (const [name, button] of Object.entries(this.modes))
      button.setAttribute("aria-pressed", String(name === this.shows));
    this.makes.hidden = !node.made.length;
    const option = (text, value) => el("option", { value, selected: value === this.made }, text);
    this.makes.replaceChildren(option("any made hand", ""), ...node.made.map((word) => option(word, word)));
    if (document.activeElement !== this.search) this.search.value = this.filter;
  }

  drawSeats() {
    const { node } = this;
    const figure = (player, name, write) => {
      const x = node.players[player][name];
      return el(
        "td",
        { class: "number", testid: `${name}-${player}${this.mark}`, title: exact(x), "data-value": exact(x) },
        write(x),
      );
    };
    const rows = [0, 1].map((player) =>
      el(
        "tr",
        {},
        el(
          "th",
          { scope: "row" },
          `${node.seats[player]}${node.filtered && player === node.player ? ", filtered" : ""}`,
        ),
        figure(player, "combos", (x) => number(x, 4)),
        figure(player, "ev", (x) => number(x, 5)),
        figure(player, "equity", percent),
      ),
    );
    const head = ["player", "combos", "EV", "equity"].map((word) =>
      el("th", { scope: "col", class: word === "player" ? null : "number" }, word),
    );
    this.seats.replaceChildren(el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows));
  }

  drawGrid() {
    const { node, shows } = this;
    const mine = node.mover === node.player;
    const most = Math.max(...node.cells.map((cell) => Math.abs(cell.ev ?? 0)), 1e-9);
    const pictures = {
      moves: (cell) => (mine ? moveColumn(cell, this.fills) : reachColumn(cell)),
      ev: (cell) => shade((cell.ev ?? 0) / most),
      equity: (cell) => shade(cell.equity ?? 0),
    };
    const figures = {
      ev: (cell) => (cell.ev === null ? "–" : brief(cell.ev)),
      equity: (cell) => (cell.equity === null ? "–" : String(Math.round(100 * cell.equity))),
    };
    this.grid.draw({
      ranks: node.ranks,
      cells: node.cells,
      picture: pictures[shows],
      figure: figures[shows],
      says: (cell) => this.inWords(cell),
      empty: node.filtered ? "not in this range, or filtered out" : "not in this range",
    });
  }

  inWords(cell) {
    const { node } = this;
    const moves =
      node.mover === node.player ? node.choices.map((move, i) => `${move.text} ${percent(cell.frequency[i])}`) : [];
    const worth = cell.ev === null ? [] : [`EV ${chips(cell.ev)}`];
    const share = cell.equity === null ? [] : [`equity ${percent(cell.equity)}`];
    return [`${number(cell.combos)} of ${cell.possible} combos`, ...moves, ...worth, ...share].join(", ");
  }

  // ---- single hands

  glance(cell) {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.look(cell), PATIENCE);
  }

  async look(cell) {
    clearTimeout(this.resting);
    const { node } = this;
    if (cell.missing) {
      this.details.replaceChildren(el("h3", {}, cell.hand), el("p", { class: "soft" }, "Not in this range."));
      return;
    }
    this.looked = cell.hand;
    const title = el("h3", {}, cell.hand);
    const found = this.kept.get(this.keyOf(cell)) ?? (await this.ask(cell));
    if (this.looked !== cell.hand || node !== this.node || !found) return;
    this.details.replaceChildren(title, classTable(cell, node, this.fills), handsTable(found, node, this.fills));
  }

  keyOf(cell) {
    return `${this.node.line}|${this.node.player}|${this.made}|${cell.hand}`;
  }

  async ask(cell) {
    const { kept } = this;
    const key = this.keyOf(cell);
    const asked = words({ line: this.node.line, player: this.node.player, hand: cell.hand, made: this.made });
    try {
      const found = await this.get(`api/strategies/${this.id}/hands?${asked}`);
      if (kept.size >= KEPT) kept.clear();
      kept.set(key, found);
      return found;
    } catch (error) {
      if (this.looked === cell.hand && kept === this.kept)
        this.details.replaceChildren(el("h3", {}, cell.hand), el("p", { class: "soft" }, error.message));
      return null;
    }
  }
}

/** "out of position" stands by itself, other seats are "in the big blind". */
const inSeat = (seat) => (seat.endsWith("position") ? seat : seat === "dealer" ? "who deals" : `in the ${seat}`);
