// The figure of a method's page: the method and its rivals from one seed, drawn while they run.

import { AXES, against, draw, line, look } from "page/charts.js";
import { Curve } from "page/converge.js";
import { el, say, svg } from "page/dom.js";
import { count, exact, number } from "page/numbers.js";

const LENGTHS = [1e3, 1e4, 1e5];
const SHOWN = ["iteration", "touched"];
const HEIGHT = 300;
const DASHES = { solid: "", dash: "8 4", dot: "2 4", dashdot: "8 4 2 4", longdash: "14 4", longdashdot: "14 4 2 4" };

export class MethodFigure {
  constructor(page, seed, exhibits) {
    Object.assign(this, { page, seed, exhibits });
    this.curves = page.curves.map((method, i) => new Curve(method, i, () => this.redraw()));
    this.game = choice("figure-game", "Game", page.games, (name) => name, page.games[0]);
    this.length = choice("figure-length", "How many iterations", LENGTHS, (n) => `${count(n)} iterations`, page.iterations);
    this.run = el("button", { class: "primary", testid: "figure-run", onclick: () => this.start() }, "Run");
    this.halt = el("button", { testid: "figure-stop", onclick: () => this.stop() }, "Stop");
    this.says = el("p", { class: "soft small", "aria-live": "polite", testid: "figure-says" });
    this.charts = SHOWN.map((axis) =>
      el("div", {
        class: "chart",
        testid: `chart-${axis}`,
        role: "img",
        "aria-label": `Exploitability against ${AXES[axis][1]}, as in the table below`,
      }),
    );
    this.table = el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "The figure in numbers" });
    this.chips = el("div", { class: "chips" }, ...this.curves.map((curve) => this.chip(curve)));
    this.element = el(
      "section",
      { class: "panel", testid: "figure", "aria-labelledby": "figure-title" },
      el(
        "div",
        { class: "panel-head" },
        el("h3", { id: "figure-title" }, "Against the others"),
        el("div", { class: "tools" }, this.game, this.length, this.run, this.halt),
      ),
      this.says,
      this.chips,
      el("div", { class: "pair" }, ...this.charts),
      this.table,
    );
    [this.game, this.length].forEach((menu) => menu.addEventListener("change", () => this.start()));
  }

  get running() {
    return this.curves.some((curve) => curve.running);
  }

  start() {
    this.halted = false;
    this.curves.forEach((curve) => curve.start(this.game.value, this.seed, Number(this.length.value)));
    this.redraw();
  }

  stop() {
    this.halted = this.running;
    this.curves.forEach((curve) => curve.stop());
    this.redraw();
  }

  redraw() {
    if (!this.element.isConnected) return;
    this.halt.disabled = !this.running;
    say(this.says, this.sentence());
    this.table.replaceChildren(this.numbers());
    SHOWN.forEach((axis, i) => {
      const traces = this.curves.map((curve) => line(against(curve.points, axis), curve.index, curve.method));
      draw(this.charts[i], traces, { x: AXES[axis][1], y: "exploitability", height: HEIGHT, legend: false });
    });
  }

  sentence() {
    const began = `All from seed ${this.seed} on ${this.game.value}, as the library computes them.`;
    if (this.running) return `${began} Running; the first use of a method compiles it, which takes a few seconds.`;
    return this.halted ? `${began} Stopped.` : `${began} Lower is better, on logarithmic axes.`;
  }

  chip(curve) {
    const exhibit = this.exhibits.includes(curve.method);
    const path = { d: "M0,5 H34", stroke: look(curve.index).colour, "stroke-width": 3, fill: "none" };
    const sample = svg(
      "svg",
      { width: 34, height: 10, "aria-hidden": "true" },
      svg("path", { ...path, "stroke-dasharray": DASHES[look(curve.index).dash] }),
    );
    const name = exhibit ? `⚠ ${curve.method} (exhibit: biased)` : curve.method;
    return el("span", { class: `chip ${exhibit ? "exhibit" : ""}`, title: this.page.titles[curve.method] }, sample, name);
  }

  numbers() {
    const head = ["method", "iterations", "nodes touched", "exploitability"];
    return el(
      "table",
      {},
      el("thead", {}, el("tr", {}, ...head.map((word, i) => el("th", { scope: "col", class: i ? "number" : "" }, word)))),
      el("tbody", {}, ...this.curves.map((curve) => this.row(curve))),
    );
  }

  row(curve) {
    const name = el("th", { scope: "row" }, curve.method);
    if (curve.error) return el("tr", {}, name, el("td", { colspan: 3 }, curve.error));
    const { lane } = curve;
    return el(
      "tr",
      { testid: `figure-row-${curve.method}`, "data-running": String(curve.running) },
      name,
      figure(count(lane?.iteration), lane?.iteration, "figure-iterations"),
      figure(count(lane?.touched), lane?.touched, "figure-touched"),
      figure(number(lane?.exploitability), lane?.exploitability, "figure-exploitability"),
    );
  }

  recolour() {
    this.chips.replaceChildren(...this.curves.map((curve) => this.chip(curve)));
    this.redraw();
  }
}

export const figure = (text, value, testid) =>
  el("td", { class: "number", title: exact(value), "data-value": exact(value), testid }, text);

export function choice(testid, label, values, words, chosen) {
  const options = values.map((value) => el("option", { value, selected: value === chosen }, words(value)));
  return el("select", { testid, "aria-label": label }, ...options);
}
