// The Play view: hands of hold'em against an agent. A socket of its own, so that a hand never waits for a solver.

import { Bets } from "page/bets.js";
import { byId, el, say } from "page/dom.js";
import { drawFelt, readCards } from "page/felt.js";
import { number, signed } from "page/numbers.js";
import { Review } from "page/review.js";
import { Session } from "page/session.js";

const KEY = "mccfr-game"; // under which a tab remembers its game

function remembered() {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function remember(token) {
  try {
    sessionStorage.setItem(KEY, token);
  } catch {
    /* a page that may not store begins a new game when it is reloaded */
  }
}

export class Play {
  constructor(state, changed, about, complain, replay) {
    Object.assign(this, { state, changed, complain, replay });
    this.agents = about.agents ?? [];
    this.session = null;
    this.busy = false;
    this.table = null;
    const act = (move) => this.act(move);
    const deal = () => this.deal();
    this.bets = new Bets(byId("play-moves"), act, deal);
    this.review = new Review(byId("play-review"));
    if (!replay) this.tools();
  }

  tools() {
    this.menu = el(
      "select",
      { testid: "play-agent", onchange: () => this.choose(this.menu.value) },
      ...this.agents.map((agent) => el("option", { value: agent.name }, agent.title)),
    );
    this.save = el(
      "button",
      { testid: "play-download", onclick: () => this.download(), disabled: true },
      "Download the hands",
    );
    byId("play-tools").append(el("label", {}, "Against", this.menu));
    byId("play-files").append(this.save);
  }

  shown() {
    if (this.replay) return say(byId("play-says"), "Playing needs a server: run `mccfr watch`.");
    if (!this.session) this.sit();
  }

  recolour() {
    this.review.recolour();
  }

  // Speaking to the server: one thing at a time.

  connect() {
    this.session = new Session();
    this.session.on("lost", () => {
      this.session = null;
      this.busy = false;
    });
    return this.session;
  }

  /** Asks, and shows what comes back; while something is on its way nothing else is asked. */
  async ask(type, fields = {}) {
    if (this.busy || this.replay) return null;
    this.busy = true;
    this.bets.wait(true);
    try {
      const session = this.session ?? (await this.again());
      const found = await session.ask(type, fields);
      this.complain(null);
      return found;
    } catch (error) {
      this.complain(error.message);
      return null;
    } finally {
      this.busy = false;
      this.bets.wait(false);
      if (this.chosen) this.choose(this.chosen);
    }
  }

  /** A new connection to the old game, after the last one was lost. */
  async again() {
    const session = this.connect();
    await session.ask("sit", { agent: this.agent, game: remembered() });
    return session;
  }

  get agent() {
    const known = this.agents.some((one) => one.name === this.state.agent);
    return known ? this.state.agent : (this.agents[0]?.name ?? "");
  }

  async sit() {
    this.connect();
    this.menu.value = this.agent;
    if (!this.table) say(byId("play-says"), "The agent is being loaded, which takes some seconds the first time.");
    this.draw(await this.ask("sit", { agent: this.agent, game: remembered() }));
  }

  /** Another agent; if something is on its way, as soon as that has come. */
  async choose(name) {
    this.state.agent = name;
    this.changed();
    this.chosen = this.busy ? name : null;
    if (this.busy) return;
    say(byId("play-says"), "The agent is being loaded, which takes some seconds the first time.");
    this.draw(await this.ask("sit", { agent: name }));
  }

  async deal() {
    this.draw(await this.ask("deal"));
  }

  async act(move) {
    const hand = this.table?.hand;
    if (hand?.turn !== "you") return;
    this.draw((await this.ask("act", { hand: hand.number, line: hand.line, move })) ?? (await this.refresh()));
  }

  /** The table as the server has it, after something was refused. */
  async refresh() {
    const words = byId("notice").textContent;
    const found = this.session && (await this.ask("sit", { agent: this.agent, game: this.table?.game ?? null }));
    this.complain(words);
    return found;
  }

  async download() {
    const found = await this.ask("history");
    if (!found) return;
    const address = URL.createObjectURL(new Blob([found.text], { type: "text/plain" }));
    el("a", { href: address, download: found.name }).click();
    URL.revokeObjectURL(address);
  }

  // Drawing.

  draw(table) {
    if (!table) return;
    const before = this.table?.game === table.game ? this.table.hand : null;
    this.table = table;
    remember(table.game);
    say(byId("play-rules"), `${table.rules.title}. Every hand begins with full stacks, and the deal alternates.`);
    drawFelt(byId("felt"), table);
    this.bets.draw(table.hand);
    this.log(table.hand);
    this.score(table.score);
    say(byId("play-says"), readCards(news(before, table.hand)));
    const over = Boolean(table.hand?.result);
    if (!over) this.review.clear();
    else if (before?.number !== table.hand.number || !before.result) this.look(table);
  }

  log(hand) {
    const list = byId("play-log");
    list.replaceChildren(...(hand?.log ?? []).map((line) => el("li", { class: line.who }, readCards(line.text))));
    list.scrollTop = list.scrollHeight;
  }

  /** What can be said about a hand that is over. It comes by itself, and the next hand does not wait for it. */
  async look(table) {
    const found = await this.session?.ask("review", {}).catch((error) => this.complain(error.message));
    if (!found || this.table !== table) return;
    this.score(found.score);
    this.review.draw(found, table.hand);
  }

  score({ plain, aivat }) {
    this.save.disabled = plain.hands === 0;
    const figures = [
      figure("hands", number(plain.hands), plain.hands === 1 ? "hand" : "hands"),
      figure("chips", signed(plain.chips), "chips won"),
      figure("rate", rate(plain), "bb/100"),
    ];
    if (aivat) figures.push(figure("aivat", rate(aivat), "bb/100 without luck (AIVAT)"));
    byId("play-score").replaceChildren(...figures);
  }

  // Keys. Digits are bets here, so that views are reached through their tabs.

  keyed({ key, target }) {
    if (key === "Escape") byId("tab-play").focus();
    else if (key === "Enter") {
      if (target.matches("button, a, [role=tab]") && target.id !== "tab-play") return false;
      if (!this.table?.hand || this.table.hand.result) this.deal();
    } else return this.bets.key(key);
    return true;
  }
}

/** What has happened since the page last said something. */
function news(before, hand) {
  if (!hand) return "Deal the first hand.";
  const same = before && before.number === hand.number;
  const lines = hand.log.slice(same ? before.log.length : 0).map((line) => line.text);
  const fresh = lines.filter((text) => !text.startsWith("You "));
  const words = fresh.length || hand.result ? fresh : lines;
  return [...words, hand.turn === "you" ? "Your turn." : ""].join(" ").trim();
}

function rate({ bb100, within }) {
  if (bb100 === null) return "–";
  return within === null ? signed(bb100) : `${signed(bb100)} ± ${number(within)}`;
}

function figure(name, text, words) {
  return el("div", { class: "stat" }, el("b", { testid: `play-${name}` }, text), el("span", {}, words));
}
