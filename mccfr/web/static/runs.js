// The Runs view: metrics of run folders while they run, and trained strategies.

import { draw, line } from "page/charts.js";
import { byId, el } from "page/dom.js";
import { count, exact, number, seconds } from "page/numbers.js";
import { StrategyView } from "page/strategy.js";

const EVERY = 1000;

async function get(path) {
  const answer = await fetch(path);
  const found = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(found.message ?? found.detail ?? `the server answered ${answer.status}`);
  return found;
}

/** The end of a path: enough to tell runs apart, the whole of it is the title. */
const short = (name) => name.split("/").slice(-2).join("/");

export class Runs {
  constructor(state, changed, replay) {
    Object.assign(this, { state, changed, replay });
    this.strategies = new StrategyView(get);
  }

  shown() {
    if (this.replay) return this.nothing("Run folders need a server: `mccfr watch FOLDER`.");
    this.refresh();
    this.timer ??= setInterval(() => this.refresh(), EVERY);
  }

  hidden() {
    clearInterval(this.timer);
    this.timer = null;
  }

  recolour() {
    if (this.newest) this.chart(this.newest);
  }

  nothing(words) {
    byId("run-list").replaceChildren(el("p", { class: "soft" }, words));
  }

  async refresh() {
    try {
      const found = await get("api/runs");
      this.list(found);
      const [kind, id] = this.state.run.split("/");
      if (kind === "run" && found.runs.some((run) => String(run.id) === id)) await this.follow(id);
    } catch (error) {
      this.nothing(error.message);
    }
  }

  list({ runs, strategies }) {
    if (!runs.length && !strategies.length)
      return this.nothing(
        "No runs are open. `mccfr watch FOLDER` shows a run folder live, and `mccfr watch FILE.mccfr` shows a trained strategy.",
      );
    const state = JSON.stringify([runs, strategies, this.state.run]);
    if (state === this.listed) return;
    this.listed = state;
    if (!this.state.run) return this.choose(runs.length ? `run/${runs[0].id}` : `strategy/${strategies[0].id}`);
    const [kind, id] = this.state.run.split("/");
    if (kind === "strategy" && this.strategies.id !== id) this.open(this.state.run, strategies);
    const head = ["name", "game", "method", "status", "iterations", "time", "exploitability"];
    byId("run-list").replaceChildren(
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, ...head.map((word) => el("th", { scope: "col" }, word)))),
        el("tbody", {}, ...runs.map((run) => this.row(run)), ...strategies.map((one) => this.strategyRow(one))),
      ),
    );
  }

  button(key, name) {
    return el(
      "button",
      {
        class: "link",
        testid: key.replace("/", "-"),
        "aria-pressed": null,
        "aria-current": this.state.run === key ? "true" : null,
        title: name,
        onclick: () => this.choose(key),
      },
      `${this.state.run === key ? "▸ " : ""}${short(name)}`,
    );
  }

  row(run) {
    if (run.error)
      return el("tr", {}, el("td", { title: run.name }, short(run.name)), el("td", { colspan: 6 }, `⚠ ${run.error}`));
    return el(
      "tr",
      {},
      el("td", {}, this.button(`run/${run.id}`, run.name)),
      el("td", {}, run.game),
      el("td", {}, run.method),
      el("td", {}, run.status),
      el("td", {}, count(run.iterations)),
      el("td", {}, seconds(run.seconds)),
      el("td", { title: exact(run.exploitability) }, number(run.exploitability)),
    );
  }

  strategyRow(one) {
    if (one.error) return el("tr", {}, el("td", {}, one.name), el("td", { colspan: 6 }, `⚠ ${one.error}`));
    return el(
      "tr",
      {},
      el("td", {}, this.button(`strategy/${one.id}`, one.name)),
      el("td", {}, one.game),
      el("td", { colspan: 5 }, `strategy, ${count(one.infosets)} infosets`),
    );
  }

  choose(key) {
    this.state.run = key;
    this.listed = null;
    this.changed();
    this.refresh();
  }

  open(key, strategies) {
    byId("run-panel").hidden = true;
    byId("strategy-panel").hidden = false;
    this.strategies.open(strategies.find((one) => String(one.id) === key.split("/")[1]));
  }

  async follow(id) {
    const run = await get(`api/runs/${id}`);
    byId("strategy-panel").hidden = true;
    this.strategies.id = null;
    byId("run-panel").hidden = false;
    byId("run-title").textContent = `${short(run.name)}: ${run.game}, ${run.method}, seed ${run.seed} (${run.status})`;
    this.newest = run;
    this.chart(run);
    this.table(run);
  }

  chart(run) {
    const x = run.columns.indexOf("iterations");
    const y = run.columns.indexOf("exploitability");
    if (x < 0 || y < 0) return;
    const points = run.rows.map((row) => [row[x], row[y]]).filter(([a, b]) => a > 0 && b > 0);
    draw(byId("run-chart"), [line(points, 0, run.name)], { x: "iterations", y: "exploitability", legend: false });
  }

  table(run) {
    const last = run.rows.slice(-12).reverse();
    byId("run-table").replaceChildren(
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, ...run.columns.map((word) => el("th", { scope: "col", class: "number" }, word)))),
        el(
          "tbody",
          {},
          ...last.map((row) =>
            el(
              "tr",
              {},
              ...row.map((x) =>
                el(
                  "td",
                  { class: "number", title: exact(x) },
                  typeof x === "number" ? (Number.isInteger(x) ? count(x) : number(x, 4)) : String(x ?? "–"),
                ),
              ),
            ),
          ),
        ),
      ),
    );
  }
}
