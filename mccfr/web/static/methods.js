// The view Methods: an index, and a page for each family of methods with a figure that runs.

import { byId, el } from "page/dom.js";
import { GadgetFigure } from "page/gadget_figure.js";
import { MethodFigure, figure } from "page/method_figure.js";
import { count, number } from "page/numbers.js";
import { linkTerms } from "page/terms.js";

export class Methods {
  /** `open` opens a game and a method in another view. */
  constructor(state, changed, open, exhibits, replay) {
    Object.assign(this, { state, changed, open, exhibits, replay });
    this.host = byId("view-methods");
  }

  get visible() {
    return !this.host.hidden;
  }

  async shown() {
    if (this.replay) return this.tell("The pages about methods run solvers, which need a server: run `mccfr watch`.");
    try {
      this.loading ??= fetch("api/methods").then((answer) => answer.json());
      this.known = await this.loading;
    } catch {
      this.loading = null;
      return this.tell("The pages about methods could not be loaded. Is `mccfr watch` still running?");
    }
    if (this.visible) this.draw();
  }

  tell(words) {
    this.host.replaceChildren(el("div", { class: "panel" }, el("p", { testid: "methods-note" }, words)));
  }

  /** What the address names, once; a figure that is running goes on. */
  draw() {
    const wanted = `${this.state.about}\n${this.state.seed}`;
    if (this.drawn === wanted) return this.figure?.redraw?.();
    this.figure?.stop();
    this.figure = null;
    this.drawn = wanted;
    const page = this.known.pages.find((one) => one.key === this.state.about);
    this.host.replaceChildren(...(page ? this.page(page) : this.index()));
    this.host.querySelectorAll(".method-text, .method-intro, .method-sources").forEach((text) => linkTerms(text));
    if (this.figure instanceof MethodFigure) this.figure.start();
  }

  hidden() {
    this.figure?.stop();
  }

  recolour() {
    if (this.visible) this.figure?.recolour();
  }

  go(key) {
    this.state.about = key;
    this.changed();
    this.draw();
    scrollTo(0, 0);
    byId("method-title").focus({ preventScroll: true });
  }

  // The index.

  index() {
    const unknown = this.state.about
      ? [el("p", { class: "notice", testid: "methods-unknown" }, `There is no page about “${this.state.about}”. These are all:`)]
      : [];
    return [
      ...unknown,
      el(
        "div",
        { class: "panel method-intro", testid: "methods-index" },
        el("h2", { id: "method-title", tabindex: -1 }, "Methods"),
        el(
          "p",
          {},
          "All of these minimise regret, and their average strategies approach an equilibrium. They differ in how much of the game an iteration visits, in what regrets become, and in how much noise is left. Every page has a figure that runs the method against others.",
        ),
        ...this.known.groups.flatMap((group) => this.group(group)),
      ),
    ];
  }

  group(group) {
    const pages = this.known.pages.filter((page) => page.group === group.key);
    return [
      el("h3", {}, group.title),
      el(
        "ul",
        { class: "method-cards" },
        ...pages.map((page) =>
          el("li", {}, this.link(page, `method-${page.key}`), el("p", { class: "small" }, page.summary)),
        ),
      ),
    ];
  }

  link(page, testid) {
    return el("button", { class: "link", testid, onclick: () => this.go(page.key) }, page.title);
  }

  // A page.

  page(page) {
    const { pages } = this.known;
    const at = pages.indexOf(page);
    if (page.gadgets) this.figure = new GadgetFigure(page);
    else if (page.curves.length) this.figure = new MethodFigure(page, Number(this.state.seed), this.exhibits);
    return [
      el(
        "div",
        { class: "method-columns" },
        this.menu(page),
        el(
          "article",
          { class: "method-page", testid: `page-${page.key}`, "aria-labelledby": "method-title" },
          this.begin(page),
          this.figure?.element,
          this.price(page),
          this.origin(page),
          this.around(pages[at - 1], pages[at + 1]),
        ),
      ),
    ];
  }

  menu(page) {
    const item = (one) => {
      const link = this.link(one, `menu-${one.key}`);
      if (one === page) link.setAttribute("aria-current", "page");
      return el("li", {}, link);
    };
    return el(
      "nav",
      { class: "panel method-menu", "aria-label": "Methods" },
      ...this.known.groups.map((group) =>
        el(
          "div",
          {},
          el("p", { class: "small soft" }, group.title),
          el("ul", {}, ...this.known.pages.filter((one) => one.group === group.key).map(item)),
        ),
      ),
    );
  }

  begin(page) {
    return el(
      "div",
      { class: "panel method-text" },
      el("button", { class: "link small", testid: "methods-all", onclick: () => this.go("") }, "All methods"),
      el("h2", { id: "method-title", tabindex: -1 }, page.title),
      el("p", { class: "lead" }, page.summary),
      page.command ? this.tries(page) : null,
      el("h3", {}, "What it does"),
      ...page.what.map((words) => el("p", {}, ...prose(words))),
      el("pre", { class: "formula", tabindex: 0, testid: "method-formula", "aria-label": "As a formula", role: "region" }, page.formula),
      el("h3", {}, "Why it works"),
      ...page.why.map((words) => el("p", {}, ...prose(words))),
    );
  }

  /** The way to the view Watch, and to the terminal. */
  tries(page) {
    const watch = () => {
      this.hidden();
      this.open({ game: page.games[0], method: page.curves[0], view: "watch" });
    };
    const said = el("span", { class: "soft small", "aria-live": "polite", testid: "copied" });
    const command = el("code", { testid: "command", tabindex: 0 }, page.command);
    return el(
      "div",
      { class: "method-tries" },
      page.curves.length ? el("button", { class: "primary", testid: "watch-it", onclick: watch }, "Watch it") : null,
      el("span", { class: "soft small" }, "The command:"),
      command,
      el("button", { testid: "copy", onclick: () => copy(command, said) }, "Copy"),
      said,
    );
  }

  price(page) {
    return el(
      "section",
      { class: "panel method-text", "aria-labelledby": "price-title" },
      el("h3", { id: "price-title" }, "What it costs"),
      ...page.price.map((words) => el("p", {}, ...prose(words))),
      page.costs.length ? this.costs(page) : null,
    );
  }

  costs(page) {
    const games = page.costs[0].games.map(({ game }) => game);
    const head = [
      "method",
      ...games.map((game) => `nodes, ${game}`),
      ...games.map((game) => `tables, ${game}`),
      `variance, ${games[0]}`,
    ];
    const rows = page.costs.map((row) =>
      el(
        "tr",
        { testid: `cost-${row.method}` },
        el("th", { scope: "row" }, row.method),
        ...row.games.map((one) => figure(number(one.nodes, 4), one.nodes)),
        ...row.games.map((one) => figure(`${count(one.bytes)} B`, one.bytes)),
        figure(number(row.games[0].variance, 4), row.games[0].variance),
      ),
    );
    return el(
      "div",
      {},
      el(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "Costs of an iteration" },
        el(
          "table",
          {},
          el("thead", {}, el("tr", {}, ...head.map((word, i) => el("th", { scope: "col", class: i ? "number" : "" }, word)))),
          el("tbody", {}, ...rows),
        ),
      ),
      el(
        "p",
        { class: "small soft" },
        "Nodes of one iteration, the mean of the first 1,000 with seed 1. Tables in bytes. Variance of what one iteration adds to a regret, averaged over all of them: exact, over all outcomes of the dice, as mccfr audit prints it.",
      ),
    );
  }

  origin(page) {
    return el(
      "section",
      { class: "panel method-sources", "aria-labelledby": "origin-title" },
      el("h3", { id: "origin-title" }, "Where it comes from"),
      el(
        "ul",
        {},
        ...page.sources.map((source) =>
          el(
            "li",
            {},
            source.url ? el("a", { href: source.url, rel: "noreferrer" }, source.text) : el("cite", {}, source.text),
            el("p", { class: "small" }, ...prose(`Taken from it: ${source.takes}.`)),
            source.differs ? el("p", { class: "small" }, ...prose(`What differs: ${source.differs}`)) : null,
          ),
        ),
      ),
    );
  }

  around(before, after) {
    return el(
      "nav",
      { class: "method-around", "aria-label": "Previous and next" },
      before ? el("span", {}, "← ", this.link(before, "method-before")) : el("span", {}),
      after ? el("span", {}, this.link(after, "method-after"), " →") : el("span", {}),
    );
  }
}

/** A text whose words of methods stand between backticks. */
const prose = (words) => words.split("`").map((piece, i) => (i % 2 ? el("code", {}, piece) : piece));

/** Copies a command; where a page may not, it is marked, ready to be copied by hand. */
async function copy(command, said) {
  try {
    await navigator.clipboard.writeText(command.textContent);
    said.textContent = "Copied.";
  } catch {
    getSelection().selectAllChildren(command);
    said.textContent = "Marked: press Ctrl+C.";
  }
}
