// How much one walk's estimates vary while the strategy stands still.

import { byId, el } from "page/dom.js";
import { exact, number } from "page/numbers.js";
import { splitKey } from "page/watch.js";

export class Noise {
  constructor(source, state, replay) {
    this.source = source;
    this.state = state;
    this.host = byId("noise");
    this.button = el(
      "button",
      { class: "primary", testid: "noise-run", disabled: replay, onclick: () => this.run() },
      "Measure",
    );
    byId("noise-tools").replaceChildren(this.button);
    source.on("opened", () => this.clear());
    this.clear();
  }

  /** What it is for, until it is measured: another game, method or seed has another noise. */
  clear() {
    this.host.replaceChildren(
      el(
        "p",
        { class: "soft" },
        "This freezes the current strategy and repeats the walk, to show what a walk returns on average and how much that varies. Full sweeps have no variance. Choose a card in Watch to include its regrets.",
      ),
    );
  }

  async run() {
    this.button.disabled = true;
    const { opened } = this.source;
    const [player, label] = splitKey(this.state.infoset);
    try {
      const found = await this.source.ask(
        "noise",
        { lane: 0, walks: 2000, ...(label === null ? {} : { player, label }) },
        (message) => message.type === "noise",
      );
      if (opened === this.source.opened) this.draw(found);
    } catch (error) {
      if (opened === this.source.opened) this.host.replaceChildren(el("p", {}, error.message));
    }
    this.button.disabled = false;
  }

  draw(found) {
    if (!found.root.length) return this.host.replaceChildren(el("p", {}, found.note));
    const root = found.root.map((one) =>
      row(`value of the current strategies to player ${one.player}`, one.mean, one.variance, one.true),
    );
    const chosen = found.infoset
      ? found.infoset.actions.map((action, i) =>
          row(
            `regret of ${action} at ${found.infoset.label}`,
            found.infoset.mean[i],
            found.infoset.variance[i],
            found.infoset.true[i],
          ),
        )
      : [];
    const head = el(
      "tr",
      {},
      ...["estimate", "mean", "true", "standard deviation", "variance"].map((word, i) =>
        el("th", { scope: "col", class: i ? "number" : "" }, word),
      ),
    );
    this.host.replaceChildren(
      el("p", { class: "small soft" }, found.note),
      el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Noise in numbers" }, el("table", {}, el("thead", {}, head), el("tbody", {}, ...root, ...chosen))),
    );
  }
}

function row(name, mean, variance, truth) {
  const figures = [mean, truth, Math.sqrt(variance), variance].map((x) =>
    el("td", { class: "number", title: exact(x), "data-value": exact(x) }, number(x, 4)),
  );
  return el("tr", {}, el("th", { scope: "row" }, name), ...figures);
}
