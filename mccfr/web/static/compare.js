// The Compare view: two methods, the same game and seed, one clock. A session of its own with two lanes.

import { Card } from "page/brain.js";
import { AXES, against, draw, line } from "page/charts.js";
import { Controls } from "page/controls.js";
import { byId, el, say } from "page/dom.js";
import { count, number } from "page/numbers.js";
import { Picker } from "page/picker.js";
import { Session, upToNow } from "page/session.js";
import { isExhibit, methodChoices } from "page/setup.js";
import { Status } from "page/status.js";

const CARDS = 12;
const BASES = { iteration: "iterations", touched: "nodes touched", seconds: "seconds of solving" };

/** The last point of a curve that had not cost more than a limit. */
function upTo(curve, axis, limit) {
  const column = AXES[axis][0];
  return curve.filter((point) => point[column] <= limit).at(-1) ?? null;
}

/** One method: its figures and its first cards. */
class LaneView {
  constructor(index) {
    this.index = index;
    this.title = el("h2", {});
    this.figures = el("div", { class: "status" });
    this.cards = el("div", { class: "cards" });
    this.element = el("div", { class: "panel lane", testid: `lane-${index}` }, this.title, this.figures, this.cards);
    this.status = new Status(this.figures, `lane-${index}`);
    this.known = new Map();
  }

  opened(lane, exhibit) {
    this.title.replaceChildren(
      exhibit ? `⚠ ${lane.method}` : lane.method,
      el(
        "span",
        { class: "soft small" },
        exhibit ? "exhibit: biased on purpose" : lane.title === lane.method ? "" : (lane.title ?? ""),
      ),
    );
    this.known.clear();
    this.cards.replaceChildren();
    this.status.last = null;
  }

  draw(lane, game) {
    this.status.draw(lane, game);
    const largest = Math.max(0, ...lane.cards.items.flatMap((item) => item.regret.map(Math.abs)));
    for (const item of lane.cards.items.slice(0, CARDS)) {
      const key = `${item.player}:${item.label}`;
      if (!this.known.has(key)) {
        this.known.set(key, new Card(item, () => {}));
        this.cards.append(this.known.get(key).element);
      }
      this.known.get(key).write(item, largest, false);
    }
  }
}

export class Compare {
  /** `replay` is a recording's source, or null: then a session of its own is opened when the view is first shown. */
  constructor(state, changed, about, replay) {
    Object.assign(this, { state, changed, about, replay });
    this.recorded = replay?.recording.opened.lanes.length === 2;
    this.lanes = [new LaneView(0), new LaneView(1)];
    this.base = state.axis in BASES ? state.axis : "iteration";
    byId("lanes").replaceChildren(...this.lanes.map((lane) => lane.element));
    this.tools();
  }

  tools() {
    const host = byId("compare-tools");
    const choices = methodChoices(this.about);
    this.left = new Picker("Left", "compare-left", choices, (method) => this.choose({ method }));
    this.right = new Picker("Right", "compare-right", choices, (other) => this.choose({ other }));
    this.clock = el(
      "select",
      {
        testid: "time-base",
        "aria-label": "Time base",
        onchange: () => {
          this.base = this.state.axis = this.clock.value;
          this.changed();
          this.redraw();
        },
      },
      ...Object.entries(BASES).map(([name, words]) =>
        el("option", { value: name, selected: name === this.base }, words),
      ),
    );
    host.append(
      this.left.element,
      this.right.element,
      el("label", { class: "field" }, "Time base", this.clock),
      el("span", { class: "gap" }),
    );
    this.controls = new Controls(host, this, { inside: false, prefix: "compare-" });
    if (this.replay) this.left.disabled = this.right.disabled = true;
    if (this.replay && !this.recorded)
      host.querySelectorAll("button, input, select").forEach((one) => {
        one.disabled = true;
      });
    if (this.recorded) this.session = this.attend(this.replay);
  }

  choose(change) {
    Object.assign(this.state, change);
    this.changed();
    this.open();
  }

  get visible() {
    return !byId("view-compare").hidden;
  }

  shown() {
    this.left.value = this.state.method;
    this.right.value = this.recorded ? this.replay.recording.opened.lanes[1].method : this.state.other;
    if (this.recorded) this.redraw();
    else if (this.replay)
      say(
        byId("compare-says"),
        "Only one method was recorded. To compare, record two (--other M) or run `mccfr watch`.",
      );
    else if (this.key !== this.wanted) this.open();
    else this.redraw();
  }

  hidden() {
    if (this.controls.playing) this.pause();
  }

  get wanted() {
    return [this.state.game, this.state.method, this.state.other, this.state.seed].join("\n");
  }

  /** A link was followed: the same two lanes may only have to go to another iteration. */
  reopened() {
    if (this.visible && !this.replay && this.session && this.key === this.wanted)
      this.jump(Number(this.state.iteration));
    this.shown();
  }

  open() {
    this.key = this.wanted;
    this.arrived = false;
    this.session ??= this.attend(new Session());
    this.session.open(this.state.game, this.state.method, Number(this.state.seed), this.state.other);
  }

  attend(session) {
    session.on("opened", (opened) => {
      this.game = opened.game;
      opened.lanes.forEach((lane, i) => this.lanes[i].opened(lane, isExhibit(this.about, lane.method)));
      if (this.replay) return;
      session.send("view", { limit: CARDS });
      const wanted = Number(this.state.iteration);
      if (wanted > 0) session.send("jump", { iteration: wanted });
    });
    session.on("frame", (frame) => this.frame(frame));
    session.on("error", ({ message }) => say(byId("compare-says"), message));
    return session;
  }

  frame(frame) {
    this.controls.show(frame.playing);
    frame.lanes.forEach((lane, i) => this.lanes[i].draw(lane, this.game));
    this.redraw();
    if (this.visible && !this.replay && !frame.playing) this.remember(frame.lanes[0].iteration);
  }

  /** The first frame after opening has none yet; what a link asked for is then still to come. */
  remember(iteration) {
    if (iteration === 0 && !this.arrived) return;
    this.arrived = true;
    this.state.iteration = String(iteration);
    this.changed();
  }

  redraw() {
    if (!this.visible || !this.game) return;
    const { opened, frame } = this.session;
    const curves = this.session.curves.map((curve, i) => upToNow(curve, frame?.lanes[i]));
    const traces = curves.map((curve, i) => line(against(curve, this.base), i, opened.lanes[i].method));
    draw(byId("compare-chart"), traces, {
      x: BASES[this.base],
      y: `exploitability (${this.game.units.name}/game)`,
      height: 340,
    });
    say(byId("compare-says"), this.says(opened.lanes, curves));
  }

  /** Who is ahead at equal cost, read off the curves where both have a point. */
  says(lanes, curves) {
    const column = AXES[this.base][0];
    if (curves.some((curve) => !curve.length))
      return "Press play: both lanes run the same iterations from the same seed.";
    const limit = Math.min(...curves.map((curve) => curve.at(-1)[column]));
    const [a, b] = curves.map((curve) => upTo(curve, this.base, limit));
    if (!a || !b)
      return `Not yet comparable by ${BASES[this.base]}: the first point of one lane is beyond all points of the other.`;
    const [better, worse, i] = a[3] <= b[3] ? [a, b, 0] : [b, a, 1];
    const cost = this.base === "seconds" ? `${number(limit)} s` : `${count(limit)} ${BASES[this.base]}`;
    if (better[3] === worse[3])
      return `After ${cost} both are equally far from an equilibrium: ${number(better[3])} ${this.game.units.name}/game.`;
    return `After ${cost}, ${lanes[i].method} is closer to an equilibrium: ${number(better[3])} against ${number(worse[3])} ${this.game.units.name}/game.`;
  }

  recolour() {
    this.redraw();
  }

  play(rate) {
    this.session.send("play", { rate });
  }

  pause() {
    this.session.send("pause");
  }

  step() {
    this.session.send("step", { count: 1 });
  }

  jump(iteration) {
    this.session.send("jump", { iteration });
  }

  restart() {
    this.jump(0);
  }
}
