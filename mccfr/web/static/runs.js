// The Runs view: metrics of run folders while they run, and trained strategies.

import { draw, line } from "page/charts.js";
import { byId, el, say } from "page/dom.js";
import { count, exact, number, seconds } from "page/numbers.js";
import { StrategyView } from "page/strategy.js";

const EVERY = 1000;

async function get(path) {
  const answer = await fetch(path);
  const found = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(found.message ?? found.detail ?? `the server answered ${answer.status}`);
  if (found.refused) throw new Error(found.refused);
  return found;
}

/** The end of a path: enough to tell runs apart, the whole of it is the title. */
const short = (name) => name.split("/").slice(-2).join("/");

/** Seconds as people say how long ago. */
function ago(age) {
  if (age === null || age === undefined) return "–";
  if (age < 5) return "now";
  if (age < 90) return `${Math.round(age)} s ago`;
  if (age < 5400) return `${Math.round(age / 60)} min ago`;
  return age < 129600 ? `${Math.round(age / 3600)} h ago` : `${Math.round(age / 86400)} days ago`;
}

function missing(key) {
  const [kind, id] = key.split("/");
  const what = ["run", "strategy"].includes(kind) ? `There is no ${kind} ${id ?? ""} here` : "This link names no run";
  return `${what}: it was made with other folders or files. Choose one from the list.`;
}

const broken = (one) =>
  el(
    "tr",
    {},
    el("td", { class: "wide", title: one.name }, short(one.name)),
    el("td", { colspan: 7, class: "wide why" }, `⚠ ${one.error}`),
  );

function table(title, head, rows) {
  return el(
    "table",
    { class: "run-list-table" },
    el("caption", {}, title),
    el("thead", {}, el("tr", {}, ...head.map((word) => el("th", { scope: "col" }, word)))),
    el("tbody", {}, ...rows),
  );
}

export class Runs {
  constructor(state, changed, replay) {
    Object.assign(this, { state, changed, replay, question: 0 });
    this.strategies = new StrategyView(get, state, changed);
  }

  shown() {
    if (this.replay) return this.nothing("Run folders need a server: `mccfr watch FOLDER`.");
    this.refresh();
    this.timer ??= setInterval(() => this.waiting || this.refresh(), EVERY);
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

  /** Reads the list, and what is chosen in it. An answer that comes after a newer question is dropped. */
  async refresh() {
    const question = ++this.question;
    const late = () => question !== this.question;
    this.waiting = true;
    try {
      const found = await get("api/runs");
      if (late()) return;
      this.list(found);
      const [kind, id] = this.state.run.split("/");
      if (kind === "strategy" && this.strategies.id === id) this.strategies.update(found.strategies);
      if (late() || kind !== "run" || !found.runs.some((run) => String(run.id) === id && !run.error)) return;
      const run = await get(`api/runs/${id}`);
      if (!late()) this.follow(run);
    } catch (error) {
      if (!late()) this.nothing(error.message);
    } finally {
      if (!late()) this.waiting = false;
    }
  }

  list({ runs, strategies }) {
    if (!runs.length && !strategies.length)
      return this.nothing(
        "No runs are open. `mccfr watch FOLDER` shows a run folder live, `mccfr watch FILE.mccfr` shows a trained strategy, and `mccfr watch blueprint:nolimit` shows hold'em as the package plays it.",
      );
    const ages = runs.map((run) => run.age);
    const state = JSON.stringify([runs.map((run) => ({ ...run, age: null })), strategies, this.state.run]);
    if (state !== this.listed) this.write(runs, strategies, state);
    ages.forEach((age, i) => this.ages?.[i] && say(this.ages[i], ago(age)));
  }

  write(runs, strategies, state) {
    this.listed = state;
    if (!this.state.run) return this.choose(runs.length ? `run/${runs[0].id}` : `strategy/${strategies[0].id}`);
    const [kind, id] = this.state.run.split("/");
    const chosen = (kind === "strategy" ? strategies : runs).find((one) => String(one.id) === id);
    if (chosen && !chosen.error && kind === "strategy" && this.strategies.id !== id) this.open(chosen, strategies);
    this.ages = runs.map((run) => el("span", {}, ago(run.age)));
    byId("run-list").replaceChildren(
      ...(chosen ? [] : [el("p", { class: "problem", role: "alert", testid: "run-problem" }, missing(this.state.run))]),
      ...(runs.length ? [this.runTable(runs, strategies)] : []),
      ...(strategies.length ? [this.strategyTable(strategies)] : []),
    );
  }

  runTable(runs, strategies) {
    const head = ["run", "game", "method", "state", "iterations", "time", "exploitability", "last change"];
    return table(
      "Runs",
      head,
      runs.map((run, i) =>
        this.row(
          run,
          this.ages[i],
          strategies.find((one) => one.run === run.id && !one.error),
        ),
      ),
    );
  }

  strategyTable(strategies) {
    const head = ["strategy", "game", "method", "iterations", "infosets"];
    return table(
      "Strategies",
      head,
      strategies.map((one) => this.strategyRow(one)),
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

  /** From a run to what it plays. */
  strategyLink(one) {
    const go = () => this.choose(`strategy/${one.id}`);
    return el("button", { class: "link", testid: `strategy-of-${one.run}`, onclick: go }, "strategy");
  }

  row(run, age, strategy) {
    if (run.error) return broken(run);
    const of = run.of_pot === null ? "" : ` (${(100 * run.of_pot).toPrecision(2)} % of the pot)`;
    return el(
      "tr",
      { testid: `run-row-${run.id}` },
      el(
        "td",
        { class: "wide" },
        this.button(`run/${run.id}`, run.name),
        ...(strategy ? [" · ", this.strategyLink(strategy)] : []),
      ),
      el("td", { class: "wide game", title: run.game }, run.title),
      el("td", { class: "wide" }, run.method),
      el("td", { "data-label": "state", title: run.note }, run.status + (run.note ? " ⚠" : "")),
      el("td", { "data-label": "iterations" }, count(run.iterations)),
      el("td", { "data-label": "time" }, seconds(run.seconds)),
      el(
        "td",
        { "data-label": "exploitability", title: exact(run.exploitability), testid: `run-exploitability-${run.id}` },
        run.exploitability === null ? "not measured" : number(run.exploitability) + of,
      ),
      el("td", { "data-label": "last change" }, age),
    );
  }

  strategyRow(one) {
    if (one.error) return broken(one);
    return el(
      "tr",
      {},
      el("td", { class: "wide" }, this.button(`strategy/${one.id}`, one.name)),
      el("td", { class: "wide game", title: one.game }, one.title),
      el("td", { class: "wide" }, one.method),
      el("td", { "data-label": "iterations" }, `${count(one.iterations)}${one.live ? " so far" : ""}`),
      el("td", { "data-label": "infosets" }, count(one.infosets)),
    );
  }

  choose(key) {
    if (key !== this.state.run && this.state.run) Object.assign(this.state, { line: "", versus: "" });
    this.state.run = key;
    this.listed = null;
    this.changed();
    this.refresh();
  }

  open(one, strategies) {
    byId("run-panel").hidden = true;
    byId("strategy-panel").hidden = false;
    this.strategies.open(one, strategies);
  }

  follow(run) {
    byId("strategy-panel").hidden = true;
    this.strategies.id = null;
    byId("run-panel").hidden = false;
    byId("run-title").textContent = `${short(run.name)}: ${run.title}, ${run.method}, seed ${run.seed} (${run.status})`;
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
