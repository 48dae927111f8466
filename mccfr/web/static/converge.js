// The Converge view: a solver per curve, each with a socket of its own, and what the main session approaches.

import { AXES, against, draw, line, look } from "page/charts.js";
import { byId, el, svg } from "page/dom.js";
import { Family } from "page/family.js";
import { Noise } from "page/noise.js";
import { count, exact, milliBlinds, number, seconds } from "page/numbers.js";
import { Picker } from "page/picker.js";
import { Session, upToNow } from "page/session.js";
import { isExhibit, methodChoices } from "page/setup.js";
import { colour } from "page/theme.js";

const FIRST = ["external", "cfr", "outcome", "outcome+history", "external+page_rule"];
const LENGTHS = [1e4, 1e5, 1e6];

/** Iterations at which a curve reports: four to a decade, so that it can be seen growing. */
function milestones(last) {
  const found = [];
  for (let k = 0; Math.round(10 ** (k / 4)) < last; k++) found.push(Math.round(10 ** (k / 4)));
  return [...new Set(found), last];
}

/** What a curve's points depend on besides its method. */
const source = (game, seed) => `${game}\n${seed}`;

/** One method's solver, run to a given iteration. */
export class Curve {
  constructor(method, index, changed) {
    this.method = method;
    this.index = index;
    this.changed = changed;
    this.clear();
  }

  /** Forgets what ran; `of` says of which game and seed the points are. */
  clear() {
    this.stop();
    this.points = [];
    this.lane = this.error = this.of = null;
  }

  start(game, seed, last) {
    this.clear();
    this.of = source(game, seed);
    const goals = milestones(last);
    this.session = new Session();
    const session = this.session;
    session.on("error", ({ message }) => {
      this.error = message;
      this.changed();
    });
    session.on("opened", () => session.send("view", { limit: 0 }));
    session.on("frame", (frame) => {
      this.lane = frame.lanes[0];
      this.points = upToNow(session.curves[0], this.lane);
      while (goals.length && goals[0] <= this.lane.iteration) goals.shift();
      if (goals.length) session.send("jump", { iteration: goals[0] });
      else this.stop();
      this.changed();
    });
    session.open(game, this.method, seed);
  }

  get running() {
    return Boolean(this.session);
  }

  stop() {
    this.session?.close();
    this.session = null;
  }
}

export class Converge {
  constructor(source, state, changed, about, replay) {
    Object.assign(this, { source, state, changed, about, replay });
    this.family = new Family(source);
    this.noise = new Noise(source, state, replay);
    this.curves = (state.curves ? state.curves.split("|") : FIRST).map(
      (method, i) => new Curve(method, i, () => this.redraw()),
    );
    this.tools();
    source.on("opened", (opened) => this.opened(opened));
    source.on("frame", () => this.visible && (replay ? this.redraw() : null, this.family.draw()));
  }

  get visible() {
    return !byId("view-converge").hidden;
  }

  opened(opened) {
    this.game = opened.game;
    this.family.opened(opened);
    // Whoever pressed "Run all" before the server had answered must not lose the run: it is of this game already.
    const current = source(this.state.game, Number(this.state.seed));
    this.curves.filter((curve) => curve.of !== current).forEach((curve) => curve.clear());
    if (this.visible) this.shown();
    if (this.eager) this.start();
    this.eager = false;
  }

  tools() {
    this.add = new Picker(
      "Add a method",
      "curve-add",
      [{ value: "", title: "choose…" }, ...methodChoices(this.about)],
      (method) => this.include(method),
    );
    this.axis = el(
      "select",
      {
        testid: "axis",
        "aria-label": "Horizontal axis",
        onchange: () => {
          this.state.axis = this.axis.value;
          this.changed();
          this.redraw();
        },
      },
      ...Object.entries(AXES).map(([name, [, words]]) =>
        el("option", { value: name, selected: name === this.state.axis }, words),
      ),
    );
    this.length = el(
      "select",
      { testid: "curve-length", "aria-label": "How many iterations" },
      ...LENGTHS.map((n) => el("option", { value: n, selected: n === 1e5 }, `${count(n)} iterations`)),
    );
    this.run = el("button", { class: "primary", testid: "curve-run", onclick: () => this.start() }, "Run all");
    this.halt = el(
      "button",
      {
        testid: "curve-stop",
        onclick: () => {
          this.curves.forEach((curve) => curve.stop());
          this.redraw();
        },
      },
      "Stop",
    );
    byId("curve-tools").replaceChildren(
      this.add.element,
      el("label", {}, "against", this.axis),
      this.length,
      this.run,
      this.halt,
    );
    if (this.replay)
      [this.run, this.halt, this.length].forEach((one) => {
        one.disabled = true;
      });
    this.add.disabled = this.replay;
  }

  include(method) {
    if (!method || this.curves.some((curve) => curve.method === method)) return;
    const used = new Set(this.curves.map((curve) => curve.index));
    const index = [0, 1, 2, 3, 4, 5, 6, 7].find((i) => !used.has(i)) ?? this.curves.length;
    this.curves.push(new Curve(method, index, () => this.redraw()));
    this.add.value = "";
    this.rewrite();
  }

  remove(curve) {
    curve.stop();
    this.curves = this.curves.filter((one) => one !== curve);
    this.rewrite();
  }

  rewrite() {
    this.state.curves = this.curves.map((curve) => curve.method).join("|");
    this.changed();
    this.redraw();
  }

  start() {
    const seed = Number(this.state.seed);
    this.curves.forEach((curve) => curve.start(this.state.game, seed, Number(this.length.value)));
    this.redraw();
  }

  shown() {
    this.family.draw();
    this.redraw();
  }

  recolour() {
    if (this.visible) this.redraw();
  }

  /** A recording has one curve per lane: its own. */
  shownCurves() {
    if (!this.replay) return this.curves;
    return this.source.curves.map((points, index) => ({
      method: this.source.opened.lanes[index].method,
      index,
      points,
      lane: this.source.frame?.lanes[index],
      running: false,
    }));
  }

  /** Soon, and not more often than the eye needs: five curves report twenty times each. */
  redraw() {
    this.later ??= setTimeout(() => {
      this.later = null;
      this.drawNow();
    }, 250);
  }

  drawNow() {
    if (!this.visible) return;
    const curves = this.shownCurves();
    byId("curve-list").replaceChildren(...curves.map((curve) => this.chip(curve)));
    byId("curve-table").replaceChildren(this.table(curves));
    const traces = curves.map((curve) =>
      line(against(curve.points, this.state.axis), curve.index, this.named(curve.method)),
    );
    const annotations = curves
      .filter((curve) => isExhibit(this.about, curve.method) && curve.points.length > 8)
      .map((curve) => this.flag(curve));
    draw(byId("curve-chart"), traces, {
      x: AXES[this.state.axis]?.[1] ?? "iterations",
      y: `exploitability (${this.game?.units.name ?? "units"}/game)`,
      height: 430,
      annotations,
      legend: false,
    });
  }

  flag(curve) {
    const last = against(curve.points, this.state.axis).at(-1);
    return {
      x: Math.log10(last[0]),
      y: Math.log10(last[1]),
      text: innerWidth < 600 ? "⚠ biased" : "⚠ biased exhibit: does not converge",
      showarrow: true,
      arrowhead: 2,
      arrowcolor: look(curve.index).colour,
      ax: innerWidth < 600 ? -24 : -60,
      ay: -58,
      xanchor: "right",
      bgcolor: colour("paper"),
      font: { color: look(curve.index).colour, size: 13 },
    };
  }

  named(method) {
    return isExhibit(this.about, method) ? `${method} (exhibit: biased)` : method;
  }

  chip(curve) {
    const { colour: tint, dash } = look(curve.index);
    const dashes = {
      solid: "",
      dash: "8 4",
      dot: "2 4",
      dashdot: "8 4 2 4",
      longdash: "14 4",
      longdashdot: "14 4 2 4",
    }[dash];
    const sample = svg(
      "svg",
      { width: 34, height: 10, "aria-hidden": "true" },
      svg("path", { d: "M0,5 H34", stroke: tint, "stroke-width": 3, "stroke-dasharray": dashes, fill: "none" }),
    );
    const exhibit = isExhibit(this.about, curve.method);
    return el(
      "span",
      { class: `chip ${exhibit ? "exhibit" : ""}`, testid: `curve-${curve.method}` },
      sample,
      (exhibit ? "⚠ " : "") + this.named(curve.method),
      curve.running ? " …" : "",
      this.replay
        ? null
        : el(
            "button",
            {
              "aria-label": `Remove ${curve.method}`,
              testid: `curve-remove-${curve.method}`,
              onclick: () => this.remove(curve),
            },
            "✕",
          ),
    );
  }

  table(curves) {
    const head = ["method", "iterations", "nodes touched", "solving time", "exploitability", "in mbb/g"];
    const rows = curves
      .filter((curve) => curve.lane || curve.error)
      .map((curve) => {
        if (curve.error)
          return el("tr", {}, el("th", { scope: "row" }, curve.method), el("td", { colspan: 5 }, curve.error));
        const { lane } = curve;
        return el(
          "tr",
          { testid: `curve-row-${curve.method}` },
          el("th", { scope: "row" }, this.named(curve.method)),
          figure(count(lane.iteration), lane.iteration),
          figure(count(lane.touched), lane.touched),
          figure(seconds(lane.seconds), lane.seconds),
          figure(
            `${number(lane.exploitability)} ${this.game?.units.name ?? ""}/game`,
            lane.exploitability,
            "curve-exploitability",
          ),
          figure(milliBlinds(lane.exploitability, this.game?.units), null),
        );
      });
    if (!rows.length)
      return el(
        "p",
        { class: "soft" },
        this.replay ? "This is the curve of the recording." : "Press “Run all”: every method starts from the same seed.",
      );
    return el(
      "table",
      {},
      el(
        "thead",
        {},
        el("tr", {}, ...head.map((word, i) => el("th", { scope: "col", class: i ? "number" : "" }, word))),
      ),
      el("tbody", {}, ...rows),
    );
  }

  /** The exhibit beside the right rule, as soon as the game is open. */
  exhibit() {
    ["external", "external+page_rule"].forEach((method) => this.include(method));
    this.eager = true;
  }
}

const figure = (text, value, testid) =>
  el("td", { class: "number", title: exact(value), "data-value": exact(value), testid }, text);
