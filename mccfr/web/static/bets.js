// What the player may do: a button for each move, and a field for any other amount.

import { el } from "page/dom.js";

const LIMIT = 9; // buttons of bets that have a digit

export class Bets {
  constructor(host, act, deal) {
    Object.assign(this, { host, act, deal });
    this.moves = [];
    this.bets = [];
  }

  draw(hand) {
    const focused = this.host.contains(document.activeElement);
    this.moves = hand?.moves ?? [];
    this.bets = this.moves.filter((one) => /^[bra]/.test(one.move));
    this.amount = null;
    const rows = !hand || hand.result ? [this.next(hand)] : [this.buttons(), this.free(hand)];
    this.host.replaceChildren(...rows.filter(Boolean));
    if (focused) (this.host.querySelector(".primary") ?? this.host).focus({ preventScroll: true });
  }

  wait(on) {
    this.host.setAttribute("aria-busy", String(on));
  }

  next(hand) {
    const words = hand ? "Next hand" : "Deal";
    return el(
      "button",
      { class: "primary", testid: "deal", "aria-keyshortcuts": "Enter", onclick: () => this.deal() },
      words,
      el("kbd", { "aria-hidden": "true" }, "Enter"),
    );
  }

  buttons() {
    const keyOf = (one) =>
      one.move === "f" ? "f" : /^[kc]$/.test(one.move) ? "c" : String(this.bets.indexOf(one) + 1).slice(0, 1);
    return el(
      "div",
      { class: "move-buttons" },
      ...this.moves.map((one) =>
        el(
          "button",
          {
            testid: `move-${one.move}`,
            "aria-label": one.size ? `${one.label}, ${one.size}` : one.label,
            "aria-keyshortcuts": keyOf(one),
            onclick: () => this.act(one.move),
          },
          el("kbd", { "aria-hidden": "true" }, keyOf(one)),
          el("span", {}, one.label, one.size ? el("small", {}, one.size) : null),
        ),
      ),
    );
  }

  /** Any legal amount, by a slider or written; nothing where there is no choice. */
  free(hand) {
    if (!hand.bounds || hand.bounds[0] === hand.bounds[1]) return null;
    const [min, max] = hand.bounds;
    const shared = { min, max, step: 1, value: min };
    this.slider = el("input", { type: "range", ...shared, testid: "amount-slider", "aria-label": "Amount, as a slider" });
    this.amount = el("input", { type: "number", ...shared, testid: "amount", "aria-label": `Amount, ${min} to ${max}`, inputmode: "numeric" });
    const button = el("button", { type: "submit", testid: "bet-amount" });
    const words = () => {
      const chosen = Number(this.amount.value);
      button.textContent = chosen === max ? `All-in ${max}` : `${hand.verb} ${chosen}`;
    };
    this.slider.addEventListener("input", () => {
      this.amount.value = this.slider.value;
      words();
    });
    this.amount.addEventListener("input", () => {
      this.slider.value = this.amount.value;
      words();
    });
    words();
    const form = el("form", { class: "any-amount" }, this.slider, this.amount, button);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.act(`b${Math.round(Number(this.amount.value))}`);
    });
    return form;
  }

  /** Whether a key was meant for the table. */
  key(key) {
    if (/^[1-9]$/.test(key)) {
      const bet = this.bets[Number(key) - 1];
      if (bet && Number(key) <= LIMIT) this.act(bet.move);
      return true;
    }
    if (key === "b") {
      this.amount?.focus();
      this.amount?.select();
      return true;
    }
    const wanted = { f: "f", c: "kc", k: "kc" }[key];
    if (!wanted) return false;
    const move = this.moves.find((one) => wanted.includes(one.move));
    if (move) this.act(move.move);
    return true;
  }
}
