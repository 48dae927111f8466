// Begins: asks what there is, opens the session that the address names, and connects tabs, keys and views.

import { readAddress, writeAddress, addressed } from "page/address.js";
import { Compare } from "page/compare.js";
import { Converge } from "page/converge.js";
import { byId } from "page/dom.js";
import { Explain } from "page/explain.js";
import { FrameClock } from "page/frames.js";
import { listen } from "page/keyboard.js";
import { Methods } from "page/methods.js";
import { beyond, refused, repair } from "page/links.js";
import { count } from "page/numbers.js";
import { Play } from "page/play.js";
import { recordingInPage, Replay } from "page/replay.js";
import { Runs } from "page/runs.js";
import { Session } from "page/session.js";
import { Setup } from "page/setup.js";
import { Status } from "page/status.js";
import { linkTerms, startTerms } from "page/terms.js";
import { startTheme } from "page/theme.js";
import { Tour } from "page/tour.js";
import { Watch } from "page/watch.js";

const VIEWS = ["watch", "converge", "compare", "explain", "methods", "runs", "play"];

class Page {
  constructor(about, recording) {
    this.about = about;
    this.recording = recording;
    this.state = readAddress();
    if (!addressed()) Object.assign(this.state, about.start ?? {});
    this.linked(repair(this.state, VIEWS));
    this.clock = new FrameClock();
    this.source = recording ? new Replay(recording) : new Session();
    this.status = new Status(byId("status"));
    this.setup = new Setup(about, this.state, (change) => this.reopen(change));
    const changed = () => this.changed();
    this.views = {
      watch: new Watch(this.source, this.state, changed, about),
      converge: new Converge(this.source, this.state, changed, about, Boolean(recording)),
      compare: new Compare(this.state, changed, about, recording ? this.source : null),
      explain: new Explain(this.source, () => this.showExhibit(), Boolean(recording)),
      methods: new Methods(this.state, changed, (change) => this.reopen(change), about.exhibits, Boolean(recording)),
      runs: new Runs(this.state, changed, Boolean(recording)),
      play: new Play(this.state, changed, about, (words) => this.notice(words), Boolean(recording)),
    };
    this.views.watch.moves = () => this.figures();
    this.views.watch.beyond = (...numbers) => this.linked([...this.saidOfLink, beyond(...numbers)]);
    this.source.on("opened", (opened) => this.opened(opened)).on("frame", (frame) => this.frame(frame));
    this.source
      .on("error", (error) => this.refused(error.message))
      .on("lost", () => this.notice("The server has stopped. Start `mccfr watch` again and reload the page."));
    this.source.on("compiled", ({ exact_value, targets }) => {
      this.compiled(exact_value);
      this.views.watch.learning.aim(targets);
    });
    this.source.on("progress", (progress) => progress.goal && this.progress(progress));
    startTerms(about.glossary ?? [], (key) => this.showTerm(key));
    this.tabs();
    this.keys();
    startTheme(() => Object.values(this.views).forEach((view) => view.recolour?.()));
    addEventListener("hashchange", () => this.readdress());
    if (recording) this.replayed();
    this.open();
    this.tour = new Tour(this);
  }

  open() {
    if (!this.recording) this.notice(null);
    this.source.open(this.state.game, this.state.method, Number(this.state.seed));
    clearTimeout(this.opening);
    this.opening = setTimeout(
      () => this.notice("Opening. The first use of a method compiles it, which takes a few seconds.", true),
      700,
    );
    this.show(this.state.view);
  }

  /** What is wrong with the link that was followed; it is still to be opened. */
  linked(said) {
    this.saidOfLink = said;
    this.byLink = true;
    byId("link-notice").textContent = said.join(" ");
    byId("link-notice").hidden = !said.length;
  }

  /** The server has refused something: if that was the link itself, the page opens with what always works. */
  refused(line) {
    if (!this.byLink || this.recording) return this.notice(line);
    const { view } = this.state;
    const said = [...this.saidOfLink, refused(this.state, /[.!?]$/.test(line) ? line : `${line}.`)];
    this.reopen({ game: "kuhn", method: "external", infoset: "", view });
    this.linked(said);
    this.byLink = false;
  }

  /** Another game, method or seed: from the beginning. */
  reopen(change) {
    this.linked([]);
    this.byLink = false;
    Object.assign(this.state, { iteration: "0", step: "" }, change);
    if (change.game) this.state.infoset = "";
    this.setup.show(this.state);
    this.open();
    this.views[this.state.view].reopened?.();
    this.changed();
  }

  showExhibit() {
    this.views.converge.exhibit();
    this.reopen({ game: "kuhn", view: "converge" });
  }

  /** The entry of a word in the glossary, which is a part of the view Explain. */
  showTerm(key) {
    this.show("explain");
    const entry = byId(`term-${key}`);
    entry.focus({ preventScroll: true });
    entry.scrollIntoView({ block: "center" });
  }

  opened(opened) {
    clearTimeout(this.opening);
    this.byLink = false;
    if (!this.recording) this.notice(null);
    this.game = opened.game;
    this.setup.opened(opened.lanes[0], opened.game);
    linkTerms(byId("setup"));
    if (opened.compiling) this.tellCompiling();
    document.title = `${opened.game.name} · ${opened.lanes[0].method} · mccfr watch`;
  }

  /** The view is open, the method's program is not ready yet: says so, and for how long. */
  tellCompiling() {
    const began = performance.now();
    const tell = () => {
      const seconds = Math.round((performance.now() - began) / 1000);
      this.notice(
        `The method's program is being compiled, the first time only: ${seconds} s so far. Stepping works already.`,
        true,
      );
      this.ticking = setTimeout(tell, 1000);
    };
    tell();
  }

  compiled(value) {
    if (this.ticking) this.notice(null);
    if (this.game) this.game.exact_value = value;
    if (this.state.view === "converge") this.views.converge.recolour?.();
  }

  /** A long way to go: says how far, and lets pause stop it. */
  progress({ iteration, goal }) {
    this.running = true;
    this.notice(`Running to iteration ${count(goal)}: ${count(iteration)} so far. Press pause to stop.`, true);
    this.views.watch.running();
  }

  frame(frame) {
    if (this.running && !this.recording) this.notice(null);
    this.running = false;
    this.figures();
  }

  /** The figures above the views: those of the step that is looked at. */
  figures() {
    this.status.draw(this.views.watch.figures(), this.game, this.clock.quantile(0.5));
  }

  notice(words, calm = false) {
    if (!calm) clearTimeout(this.opening);
    clearTimeout(this.ticking);
    this.ticking = null;
    const place = byId("notice");
    place.hidden = !words;
    place.textContent = words ?? "";
    place.classList.toggle("calm", calm);
  }

  replayed() {
    const { opened } = this.recording;
    Object.assign(this.state, {
      game: opened.game.name,
      method: opened.lanes[0].method,
      seed: String(opened.seed ?? 1),
    });
    this.setup.show(this.state);
    this.setup.freeze();
    this.notice(
      "This is a recording, which replays without a server. Other games, methods, seeds, comparisons and run folders need `mccfr watch`.",
      true,
    );
    document.documentElement.dataset.recording = "true";
  }

  // Tabs, with the arrow keys that a row of tabs should have.

  tabs() {
    this.buttons = VIEWS.map((name) => byId(`tab-${name}`));
    this.buttons.forEach((button, i) => {
      button.addEventListener("click", () => this.show(VIEWS[i]));
      button.addEventListener("keydown", (event) => {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!by) return;
        const next = (i + by + VIEWS.length) % VIEWS.length;
        this.buttons[next].focus();
        this.show(VIEWS[next]);
      });
    });
  }

  show(name) {
    const view = VIEWS.includes(name) ? name : "watch";
    VIEWS.forEach((other, i) => {
      byId(`view-${other}`).hidden = other !== view;
      this.buttons[i].setAttribute("aria-selected", String(other === view));
      this.buttons[i].tabIndex = other === view ? 0 : -1;
    });
    const left = this.state.view;
    this.state.view = view;
    byId("status").hidden = ["compare", "methods", "runs", "play"].includes(view);
    byId("setup").hidden = ["methods", "runs", "play"].includes(view);
    this.setup.method.element.hidden = this.setup.line.hidden = view === "compare"; // which has a menu for each lane
    if (left !== view) this.views[left]?.hidden?.();
    this.views[view].shown?.();
    this.changed();
  }

  keys() {
    const help = byId("help");
    byId("help-open").addEventListener("click", () => help.showModal());
    const active = () => (this.state.view === "compare" ? this.views.compare : this.views.watch);
    listen({
      own: (event) => this.views[this.state.view].keyed?.(event) ?? false,
      toggle: () => active().controls.flip(),
      step: () => active().step(),
      inside: () => this.views.watch.inside(),
      back: () => this.views.watch.back(),
      jump: () => {
        active().controls.iteration.focus();
        active().controls.iteration.select();
      },
      restart: () => active().restart(),
      search: () => {
        this.show("watch");
        this.views.watch.brain.search.focus();
      },
      help: () => help.showModal(),
      tour: () => byId("tour-open").click(),
      view: (key) => this.show(VIEWS[Number(key) - 1]),
    });
  }

  changed() {
    clearTimeout(this.writing);
    this.writing = setTimeout(() => writeAddress(this.state), 150);
  }

  /** Somebody edited the address or followed a link: show that. */
  readdress() {
    const next = readAddress();
    const same = ["game", "method", "seed", "iteration", "step"].every(
      (name) => next[name] === String(this.state[name]),
    );
    Object.assign(this.state, next);
    this.linked(repair(this.state, VIEWS));
    this.setup.show(this.state);
    if (next.tour) this.tour.follow();
    else if (same) this.show(this.state.view);
    else {
      this.open();
      this.views[this.state.view].reopened?.();
    }
  }
}

async function begin() {
  const recording = recordingInPage();
  const about = recording ? recording.about : await (await fetch("api/about")).json();
  window.mccfrPage = new Page(about, recording);
}

begin();
