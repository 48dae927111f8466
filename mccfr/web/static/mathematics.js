// The last update of one infoset: three steps with the numbers in them, and the sampled regret beside the true one.

import { byId, el, say } from "page/dom.js";
import { exact, number, percent, signed } from "page/numbers.js";

const cell = (text, value, testid) =>
  el("td", { class: "number", title: exact(value), "data-value": exact(value), testid }, text);

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
    const steps = found.steps ?? [];
    const reads = found.reads ? el("p", { class: "small soft", testid: "math-reads" }, `${found.reads}.`) : null;
    const parts = steps.some((step) => step.formula)
      ? steps.map((step, i) => this.step(step, i))
      : [el("p", {}, steps[0]?.note ?? "")];
    parts.push(this.contrast(found));
    if (found.visits?.length) parts.push(this.visits(found));
    this.host.replaceChildren(...(reads ? [reads] : []), ...parts);
  }

  step(step, i) {
    return el(
      "section",
      { class: "math-step", testid: `math-step-${i + 1}` },
      el("h3", {}, `${i + 1}. ${step.title}`),
      step.formula ? el("pre", { class: "formula", tabindex: "0" }, step.formula) : null,
      step.note ? el("p", { class: "small soft" }, step.note) : null,
    );
  }

  /** True regret, mean of the sampled one, and the sample itself: noise and bias told apart. */
  contrast(found) {
    const expected = found.expected_sampled;
    const head = [
      "action",
      "R before",
      "added now",
      expected ? "mean added" : null,
      found.true ? "true regret" : null,
      "R after",
      "σ next",
      "average",
    ].filter((word) => word !== null);
    const rows = found.actions.map((action, i) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, action),
        cell(signed(found.before.regret[i]), found.before.regret[i], "math-before"),
        cell(
          found.visits?.length ? signed(sum(found.visits, i)) : "not visited",
          found.visits?.length ? sum(found.visits, i) : null,
          "math-added",
        ),
        expected ? cell(signed(expected[i]), expected[i], "math-mean") : null,
        found.true ? cell(signed(found.true.regret[i]), found.true.regret[i], "math-true") : null,
        cell(signed(found.after.regret[i]), found.after.regret[i], "math-after"),
        cell(percent(found.after.current[i]), found.after.current[i], "math-current"),
        cell(percent(found.after.average[i]), found.after.average[i], "math-average"),
      ),
    );
    const header = el("tr", {}, ...head.map((word, i) => el("th", { scope: "col", class: i ? "number" : "" }, word)));
    return el(
      "section",
      { class: "math-step" },
      el("h3", {}, "Noise and bias"),
      el(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "Noise and bias" },
        el("table", { class: "contrast", testid: "contrast" }, el("thead", {}, header), el("tbody", {}, ...rows)),
      ),
      this.verdict(found),
    );
  }

  verdict(found) {
    if (!found.visits?.length) return null;
    if (!found.expected_sampled) return this.withoutMean(found);
    const off = Math.max(...found.expected_sampled.map((mean, i) => Math.abs(mean - found.true.regret[i])));
    const right = off < 1e-9;
    const words = right
      ? `Right on average at this infoset: the mean over all possible walks equals the true regret. The difference in this walk is noise.${found.exhibit ? " The exhibit is wrong where the opponent has acted before." : ""}`
      : `Biased: the mean over all possible walks differs from the true regret by ${number(off)}. More iterations do not help.`;
    return el("p", { class: `verdict ${right ? "right" : "biased"}`, testid: "verdict" }, right ? "✓ " : "⚠ ", words);
  }

  /** No mean over all walks was sent: nothing is drawn, or there are too many walks to go through. */
  withoutMean(found) {
    const same =
      found.true && found.actions.every((_, i) => Math.abs(sum(found.visits, i) - found.true.regret[i]) < 1e-9);
    return same
      ? el("p", { class: "verdict right", testid: "verdict" }, "✓ What was added is the true regret.")
      : el(
          "p",
          { class: "verdict" },
          "The mean over all possible walks is not computed for this game, so noise and bias cannot be distinguished here.",
        );
  }

  visits(found) {
    const rows = found.visits.map((visit) =>
      el(
        "tr",
        {},
        el("td", {}, String(visit.node)),
        cell(number(visit.weight), visit.weight),
        el("td", {}, list(visit.values)),
        el("td", {}, list(visit.q)),
        el("td", {}, list(visit.baseline)),
        cell(number(visit.value), visit.value),
        el("td", {}, list(visit.increment, signed)),
      ),
    );
    const head = el(
      "tr",
      {},
      ...["node", "w", "v(a)", "q(a)", "b(a)", "v", "w (v(a) − v)"].map((word) => el("th", { scope: "col" }, word)),
    );
    return el(
      "details",
      { class: "math-step" },
      el("summary", {}, `The ${found.visits.length} visit${found.visits.length > 1 ? "s" : ""} of this iteration`),
      el(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "Visits" },
        el("table", { class: "contrast" }, el("thead", {}, head), el("tbody", {}, ...rows)),
      ),
    );
  }
}

const list = (numbers, as = number) => (numbers ?? []).map((x) => as(x)).join(", ") || "–";
