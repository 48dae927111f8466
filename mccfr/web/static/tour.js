// The tour: ten steps that drive the page itself. It can be left at any step and taken up again there.

import { byId, el, prefersStillness, say } from "page/dom.js";
import { remember, remembered } from "page/rules.js";
import { Quotes, STEPS } from "page/tour_steps.js";

const KEY = "mccfr-tour"; // the step at which it was left, "done", or "declined"
const STAGE = { game: "kuhn", method: "external", seed: "1" };

export class Tour {
  /** `page` is the whole page: the tour opens its game and moves its Watch view. */
  constructor(page) {
    this.page = page;
    this.source = page.source;
    this.watch = page.views.watch;
    this.quotes = new Quotes(this.source, this.watch);
    this.at = null;
    this.turn = 0;
    this.build();
    this.offer();
    if (page.recording) this.unavailable();
    this.follow();
  }

  /** A link may name a step. */
  follow() {
    const asked = Number(this.page.state.tour);
    if (!this.page.recording && Number.isInteger(asked) && asked >= 1 && asked <= STEPS.length) this.start(asked - 1);
    else this.page.state.tour = "";
  }

  build() {
    this.title = el("h2", { id: "tour-title" });
    this.body = el("p", { id: "tour-body", testid: "tour-body", "aria-live": "polite" });
    this.where = el("span", { class: "soft small", testid: "tour-where" });
    this.links = el("div", { class: "tour-links" });
    const button = (words, testid, act, style = "") =>
      el("button", { testid, onclick: act, class: style, type: "button" }, words);
    this.back = button("Back", "tour-back", () => this.go(this.at - 1));
    this.next = button("Next", "tour-next", () => this.forward(), "primary");
    this.panel = el(
      "div",
      {
        id: "tour",
        class: "tour",
        role: "dialog",
        "aria-labelledby": "tour-title",
        "aria-describedby": "tour-body",
        testid: "tour",
        hidden: true,
      },
      el(
        "div",
        { class: "tour-head" },
        this.title,
        el(
          "button",
          { class: "quiet", "aria-label": "Leave the tour", testid: "tour-leave", onclick: () => this.leave() },
          "✕",
        ),
      ),
      this.body,
      this.links,
      el("div", { class: "tour-foot" }, this.where, this.back, this.next),
    );
    byId("main-anchor").after(this.panel);
    this.panel.addEventListener("keydown", (event) => this.keyed(event));
    document.addEventListener("keydown", (event) => {
      const writing = event.target.matches?.("input:not([type=range]), textarea, select");
      if (event.key === "Escape" && this.at !== null && !writing && !byId("help").open) this.leave();
    });
    byId("tour-open").addEventListener("click", () => (this.at === null ? this.resume() : this.leave()));
  }

  keyed(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.stopPropagation();
    event.preventDefault();
    if (this.at + by >= 0 && this.at + by < STEPS.length) this.go(this.at + by);
  }

  /** On a first visit it is offered, once. */
  offer() {
    const strip = byId("tour-offer");
    strip.hidden = remembered(KEY) !== null || Boolean(this.page.recording) || this.page.state.tour !== "";
    byId("tour-accept").addEventListener("click", () => this.start(0));
    byId("tour-decline").addEventListener("click", () => {
      remember(KEY, "declined");
      strip.hidden = true;
    });
    this.name();
  }

  unavailable() {
    byId("tour-open").disabled = true;
    byId("tour-open").title = "The tour needs a server: run `mccfr watch`.";
  }

  get left() {
    const step = Number(remembered(KEY));
    return remembered(KEY) !== null && Number.isInteger(step) && step > 0 && step < STEPS.length ? step : 0;
  }

  name() {
    say(byId("tour-open"), this.left ? `Tour ${this.left + 1}/${STEPS.length}` : "Tour");
    byId("tour-open").setAttribute(
      "aria-label",
      this.left ? `Tour ${this.left + 1}/${STEPS.length}: resume it at this step` : "Tour of ten steps",
    );
  }

  resume() {
    this.start(this.left);
  }

  start(index) {
    byId("tour-offer").hidden = true;
    this.panel.hidden = false;
    document.documentElement.classList.add("touring");
    this.go(index);
    this.next.focus({ preventScroll: true });
  }

  forward() {
    if (this.at < STEPS.length - 1) return this.go(this.at + 1);
    remember(KEY, "done");
    this.close();
  }

  leave() {
    remember(KEY, String(this.at));
    this.close();
  }

  close() {
    this.at = null;
    this.turn += 1;
    this.panel.hidden = true;
    this.point(null);
    document.documentElement.classList.remove("touring");
    this.page.state.tour = "";
    this.page.changed();
    this.name();
    byId("tour-open").focus({ preventScroll: true });
  }

  /** Drives the page to a step's place, then says its words. */
  async go(index) {
    this.at = index;
    this.turn += 1;
    const { turn } = this;
    const step = STEPS[index];
    this.page.state.tour = String(index + 1);
    remember(KEY, String(index));
    say(this.title, step.title);
    say(this.where, `Step ${index + 1} of ${STEPS.length}`);
    say(this.next, index < STEPS.length - 1 ? "Next" : "Finish");
    this.back.disabled = index === 0;
    this.panel.setAttribute("aria-busy", "true");
    delete this.panel.dataset.step;
    await this.reach(step);
    if (turn !== this.turn) return;
    this.body.replaceChildren(...step.words(this.quotes));
    this.links.replaceChildren(...(step.next ?? []).map(([view, words]) => this.link(view, words)));
    this.point(typeof step.target === "function" ? step.target(this.quotes) : step.target);
    this.panel.removeAttribute("aria-busy");
    this.panel.dataset.step = String(index + 1);
    this.page.changed();
  }

  link(view, words) {
    const act = () => {
      remember(KEY, "done");
      this.close();
      this.page.show(view);
    };
    return el("button", { class: "link", type: "button", onclick: act }, words);
  }

  /** The game of the tour, the iteration, the step inside it, the chosen infoset. */
  async reach(step) {
    const { page, watch, source } = this;
    if (page.state.view !== "watch") page.show("watch");
    if (!this.staged()) {
      page.reopen({ ...STAGE, view: "watch" });
      await this.frame(() => this.staged());
    }
    const { filter, player, offset } = watch.brain.view;
    if (filter || player !== null || offset) watch.brain.all();
    const needsWalk =
      step.iteration > 0 && !(watch.lane.trace?.walks.length && watch.lane.iteration === step.iteration);
    if (watch.busy || watch.lane.iteration !== step.iteration || needsWalk) {
      watch.jump(step.iteration);
      await this.frame(() => !source.frame.playing && watch.lane.iteration === step.iteration);
    }
    await this.frame(() => watch.lane.cards.items.length === source.opened.game.infosets);
    if (step.target === "#rules") watch.rules.host.open = true;
    if (step.target === "#learning") byId("learning").open = true;
    watch.state.infoset = step.infoset ? step.infoset(this.quotes) : "";
    if (watch.walk.length) watch.goto(step.step ? step.step(watch.walk) : watch.walk.length - 1);
    else watch.moved();
  }

  staged() {
    const { opened, frame } = this.source;
    const lane = opened?.lanes[0];
    return (
      Boolean(frame) &&
      opened.game.name === STAGE.game &&
      lane.method === STAGE.method &&
      String(opened.seed) === STAGE.seed
    );
  }

  /** Waits for a frame after which something holds; at once if it holds. */
  frame(holds) {
    if (this.watch.lane && this.source.frame && holds()) return Promise.resolve();
    return new Promise((resolve) => {
      const look = () => {
        if (!this.watch.lane || !holds()) return;
        this.source.removeEventListener("frame", look);
        resolve();
      };
      this.source.addEventListener("frame", look);
    });
  }

  /** Outlines what a step is about, and brings it into sight above or beside the panel. */
  point(selector) {
    document.querySelectorAll(".tour-target").forEach((one) => one.classList.remove("tour-target"));
    const target = selector && document.querySelector(selector);
    if (!target) return;
    target.classList.add("tour-target");
    target.scrollIntoView({ block: "start", behavior: prefersStillness() ? "auto" : "smooth" });
    const { left, width } = target.getBoundingClientRect();
    this.panel.classList.toggle("beside", left + width / 2 > 0.55 * innerWidth);
  }
}
