// Learning as it happens: exploitability and every infoset's average strategy over the iterations, while they are made.

import { byId, el, say } from "page/dom.js";
import { Failure } from "page/failure.js";
import { count, exact, number, percent } from "page/numbers.js";
import { Plot } from "page/plot.js";
import { upToNow } from "page/session.js";
import { isExhibit } from "page/setup.js";

const EVERY = 250; // ms between two drawings while it plays

const decade = (n) => Math.max(1, Math.ceil(Math.log10(Math.max(1, n)) - 1e-9));

export class Learning {
  constructor(source, about, replay) {
    Object.assign(this, { source, about, replay, drawn: 0 });
    this.failure = new Failure(() => this.redraw());
    byId("learning").addEventListener("toggle", () => this.redraw());
    addEventListener("resize", () => this.shown());
  }

  opened(opened, state) {
    this.game = opened.game;
    this.method = opened.lanes[0].method;
    this.exhibit = isExhibit(this.about, this.method);
    this.failure.stop();
    this.build();
    if (this.exhibit && !this.replay) this.failure.start(state.game, this.method, Number(state.seed));
  }

  /** Equilibria that took a moment to find. */
  aim(targets) {
    if (!this.game || !targets) return;
    this.game.targets = targets;
    this.build();
    this.redraw();
  }

  /** The view has come into sight: now its width is known. */
  shown() {
    if (!this.game) return;
    this.build();
    this.redraw();
  }

  build() {
    const wide = byId("learning").clientWidth || 900;
    const room = wide < 700 ? wide - 30 : Math.min(560, 0.42 * wide);
    this.curve = new Plot({
      width: Math.max(280, room),
      height: wide < 700 ? 200 : 300,
      left: 52,
      bottom: 34,
      logY: true,
      title: "iterations",
      label: `Exploitability of ${this.method} over iterations, on logarithmic axes`,
      testid: "learning-curve",
    });
    byId("learning-curve").replaceChildren(this.curve.element);
    say(byId("learning-units"), `in ${this.game.units.name} per game`);
    const charts = this.game.charts ?? [];
    this.charts = charts.map((chart) => new AverageChart(chart, this.game.targets?.[`${chart.player}:${chart.label}`]));
    byId("learning-averages").replaceChildren(...this.charts.map((chart) => chart.element));
    say(byId("learning-note"), this.note(charts));
  }

  note(charts) {
    if (!charts.length)
      return `${this.game.name} has ${count(this.game.infosets)} infosets: too many for a chart each. The cards below show the average strategy of each as it is now.`;
    if (!this.game.targets) return "Lines: the average strategy over the iterations. The equilibrium is not known yet.";
    const family = this.source.opened?.equilibrium;
    return family
      ? "Lines: how often the average strategy bets or calls. Dashed: equilibria. This game has a line of them, so some targets are a band."
      : "Lines: the average strategy over the iterations. Dashed: one equilibrium, found by linear programming; there may be others.";
  }

  /** Draws up to the iteration that is looked at; while it plays, a few times a second. */
  frame(playing, last) {
    this.last = last;
    const now = performance.now();
    if (playing && now - this.drawn < EVERY) return;
    this.drawn = now;
    this.redraw();
  }

  redraw() {
    const lane = this.source.frame?.lanes[0];
    if (!lane || !this.curve || !byId("learning").open || byId("view-watch").hidden) return;
    const last = this.last ?? lane.iteration;
    const kept = (points) => points.filter((point) => point[0] <= last);
    const points = kept(upToNow(this.source.curves[0] ?? [], lane)).map((point) => [point[0], point[3]]);
    this.drawCurve(points);
    const averages = kept(this.source.averages[0] ?? []);
    if (lane.average && lane.iteration === last && averages.at(-1)?.[0] !== last && last > 0)
      averages.push([last, ...lane.average]);
    const ends = decade(last);
    this.charts.forEach((chart) => chart.draw(averages, ends));
  }

  drawCurve(points) {
    const shown = [points, this.failure.wrong, this.failure.right].filter((one) => one.length);
    const positive = shown.flat().filter((point) => point[1] > 0);
    const values = positive.map((point) => point[1]);
    const last = Math.max(decade(points.at(-1)?.[0] ?? 1), ...shown.map((one) => decade(one.at(-1)[0])));
    const low = values.length ? Math.floor(Math.log10(Math.min(...values))) : -1;
    const high = values.length ? Math.ceil(Math.log10(Math.max(...values)) + 1e-9) : 0;
    this.curve.span(last, low, Math.max(low + 1, high));
    const above = (one) => one.filter((point) => point[1] > 0);
    if (this.exhibit) {
      this.curve.line("reference", above(this.failure.right), "reference");
      this.curve.line("ahead", above(this.failure.wrong), "ahead");
    }
    this.curve.line("watched", above(points), "watched");
    this.says(points.at(-1));
  }

  says(newest) {
    const units = this.game.units.name;
    byId("learning-says").replaceChildren(
      ...(newest
        ? [
            `After ${count(newest[0])} iteration${newest[0] === 1 ? "" : "s"} a perfect opponent would win `,
            el("b", { testid: "learning-exploitability", "data-value": exact(newest[1]) }, number(newest[1])),
            ` ${units} per game against the average strategy.`,
          ]
        : ["Press play: the curve grows with every iteration, and falls as the average strategy gets better."]),
      ...(this.exhibit
        ? [el("span", { class: "failure", testid: "failure" }, this.failure.words(units, this.replay))]
        : []),
    );
  }
}

/** One infoset: a line for every action but the first, which is what remains; dashed targets. */
class AverageChart {
  constructor(chart, targets) {
    this.chart = chart;
    const shown = chart.actions.map((_, i) => i).slice(chart.actions.length > 1 ? 1 : 0);
    this.shown = shown;
    const names = shown.map((i) => chart.actions[i]).join(", ");
    this.plot = new Plot({ width: 190, height: 104, left: 38, bottom: 18, label: `${chart.reads}: ${names}` });
    this.now = el("span", { class: "soft" });
    this.targets = shown.map((i) => targets?.[i] ?? null);
    this.element = el(
      "figure",
      {
        class: `average-chart player${chart.player}`,
        testid: `average-${chart.player}:${chart.label}`,
        title: chart.reads,
      },
      el("figcaption", {}, el("b", {}, chart.label), ` ${names} `, this.now),
      this.plot.element,
    );
    this.aim();
  }

  aim() {
    this.plot.under.replaceChildren();
    this.targets.forEach((target) => target && this.plot.target(...target));
  }

  draw(averages, ends) {
    if (this.plot.span(ends, 0, 1)) this.aim();
    const { entry } = this.chart;
    this.shown.forEach((i, k) =>
      this.plot.line(
        `action-${i}`,
        averages.map((point) => [point[0], point[1 + entry + i]]),
        `action-${k}`,
      ),
    );
    const newest = averages.at(-1);
    say(this.now, newest ? this.shown.map((i) => percent(newest[1 + entry + i])).join(" · ") : "");
  }
}
