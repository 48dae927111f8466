// Which game, which method, which seed; and one line about the method.

import { byId, el } from "page/dom.js";
import { count } from "page/numbers.js";
import { Picker } from "page/picker.js";

/** The listed methods, exhibits in a group of their own: they are wrong on purpose. */
export function methodChoices(about) {
  const exhibits = (about.exhibits ?? []).map((one) => (typeof one === "string" ? { text: one, title: one } : one));
  const wrong = new Set(exhibits.map((one) => one.text));
  const right = about.methods
    .filter((one) => !wrong.has(one.text))
    .map((one) => ({ value: one.text, title: titled(one.text, one.title) }));
  return right.concat(
    exhibits.map((one) => ({
      value: one.text,
      title: titled(one.text, one.title),
      group: "Exhibits: biased on purpose",
    })),
  );
}

const titled = (text, title) => (title && title !== text ? `${text} – ${title}` : text);

export const isExhibit = (about, method) => (about.exhibits ?? []).some((one) => (one.text ?? one) === method);

export class Setup {
  constructor(about, state, open) {
    this.about = about;
    this.game = new Picker(
      "Game",
      "game",
      about.games.map((game) => ({ value: game.name, title: game.title ?? game.name })),
      (game) => open({ game }),
    );
    this.method = new Picker("Method", "method", methodChoices(about), (method) => open({ method }));
    this.seed = el("input", { type: "number", min: 0, step: 1, testid: "seed", "aria-label": "Seed" });
    this.seed.addEventListener("change", () => open({ seed: this.seed.value || "0" }));
    this.line = el("div", { class: "about", testid: "about" });
    byId("setup").replaceChildren(
      this.game.element,
      this.method.element,
      el("label", { class: "field" }, "Seed", this.seed),
      this.line,
    );
    this.show(state);
  }

  show(state) {
    this.game.value = state.game;
    this.method.value = state.method;
    this.seed.value = state.seed;
  }

  opened(lane, game) {
    const exhibit = isExhibit(this.about, lane.method);
    const sizes = `${count(game.nodes)} nodes, ${count(game.infosets)} infosets, ${count(game.deals)} deals.`;
    this.line.replaceChildren(
      el(
        "details",
        {},
        el(
          "summary",
          {},
          ...(exhibit ? [el("span", { class: "exhibit" }, "⚠ Exhibit, biased on purpose: ")] : []),
          el("b", {}, lane.title ?? lane.method),
          ` on ${game.name}. What is this?`,
        ),
        el("p", {}, lane.about ?? ""),
        el("p", {}, `${game.title ?? ""} ${sizes}`),
      ),
    );
  }

  freeze() {
    this.game.disabled = this.method.disabled = this.seed.disabled = true;
  }
}
