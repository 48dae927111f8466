// The last update of one infoset: three steps with the numbers in them, and the sampled regret beside the true one.

import { byId, el, say } from "page/dom.js";
import { exact, number, percent, signed } from "page/numbers.js";

const cell = (text, value, testid) => el("td", { class: "number", title: exact(value), "data-value": exact(value), testid }, text);

const sum = (visits, i) => visits.reduce((total, visit) => total + (visit.increment?.[i] ?? 0), 0);

export class Mathematics {
  constructor() {
    this.host = byId("mathematics");
  }

  clear(words = "Choose a card to see its last update, number by number.") {
    say(byId("math-title"), "");
    this.host.replaceChildren(el("p", { class: "soft" }, words));
  }

  draw(found, following) {
    say(byId("math-title"), `player ${found.player} at ${found.label}${following ? ", following the walk" : ""}`);
    const parts = (found.steps ?? []).map((step, i) => this.step(step, i));
    parts.push(this.contrast(found));
    if (found.visits?.length) parts.push(this.visits(found));
    this.host.replaceChildren(...parts);
  }

  step(step, i) {
    return el("section", { class: "math-step", testid: `math-step-${i + 1}` }, el("h3", {}, `${i + 1}. ${step.title}`),
      el("pre", { class: "formula", tabindex: "0" }, step.formula), step.note ? el("p", { class: "small soft" }, step.note) : null);
  }

  /** True regret, mean of the sampled one, and the sample itself: noise and bias told apart. */
  contrast(found) {
    const expected = found.expected_sampled;
    const head = ["action", "R before", "added now", expected ? "mean added" : null, "true regret", "R after", "σ next", "average"].filter((word) => word !== null);
    const rows = found.actions.map((action, i) => el("tr", {}, el("th", { scope: "row" }, action),
      cell(signed(found.before.regret[i]), found.before.regret[i], "math-before"),
      cell(found.visits?.length ? signed(sum(found.visits, i)) : "not visited", found.visits?.length ? sum(found.visits, i) : null, "math-added"),
      expected ? cell(signed(expected[i]), expected[i], "math-mean") : null,
      cell(signed(found.true.regret[i]), found.true.regret[i], "math-true"),
      cell(signed(found.after.regret[i]), found.after.regret[i], "math-after"),
      cell(percent(found.after.current[i]), found.after.current[i], "math-current"),
      cell(percent(found.after.average[i]), found.after.average[i], "math-average")));
    const header = el("tr", {}, ...head.map((word, i) => el("th", { scope: "col", class: i ? "number" : "" }, word)));
    return el("section", { class: "math-step" }, el("h3", {}, "Noise and bias"),
      el("div", { class: "scroll" }, el("table", { class: "contrast", testid: "contrast" }, el("thead", {}, header), el("tbody", {}, ...rows))), this.verdict(found));
  }

  verdict(found) {
    if (!found.expected_sampled) return el("p", { class: "verdict" }, found.note ?? "The mean over all possible walks is not worked out for a game of this size.");
    const off = Math.max(...found.expected_sampled.map((mean, i) => Math.abs(mean - found.true.regret[i])));
    const right = found.biased === undefined ? off < 1e-9 : !found.biased;
    const words = right
      ? "Right on average: over all possible walks the mean of what is added equals the true regret. The difference of this one walk is noise."
      : `Biased: even on average what is added misses the true regret by ${number(off)}. More iterations do not cure this.`;
    return el("p", { class: `verdict ${right ? "right" : "biased"}`, testid: "verdict" }, right ? "✓ " : "⚠ ", words);
  }

  visits(found) {
    const rows = found.visits.map((visit) => el("tr", {}, el("td", {}, String(visit.node)), cell(number(visit.weight), visit.weight),
      el("td", {}, list(visit.values)), el("td", {}, list(visit.q)), el("td", {}, list(visit.baseline)), cell(number(visit.value), visit.value), el("td", {}, list(visit.increment, signed))));
    const head = el("tr", {}, ...["node", "w", "v(a)", "q(a)", "b(a)", "v", "w (v(a) − v)"].map((word) => el("th", { scope: "col" }, word)));
    return el("details", { class: "math-step" }, el("summary", {}, `The ${found.visits.length} visit${found.visits.length > 1 ? "s" : ""} of this iteration`),
      el("div", { class: "scroll" }, el("table", { class: "contrast" }, el("thead", {}, head), el("tbody", {}, ...rows))));
  }
}

const list = (numbers, as = number) => (numbers ?? []).map((x) => as(x)).join(", ") || "–";
