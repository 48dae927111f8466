// What the player may do: a button for each move, and a field for any other amount.

import { el } from "page/dom.js";

const DIGITS = 9; // bets that have a key

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
      { class: "primary", testid: "play-deal", "aria-keyshortcuts": "Enter", onclick: () => this.deal() },
      words,
      el("kbd", { "aria-hidden": "true" }, "Enter"),
    );
  }

  keyOf({ move }) {
    if (move === "f") return "f";
    if (/^[kc]$/.test(move)) return "c";
    const place = this.bets.findIndex((one) => one.move === move);
    return place < DIGITS ? String(place + 1) : null;
  }

  buttons() {
    return el(
      "div",
      { class: "move-buttons" },
      ...this.moves.map((one) =>
        el(
          "button",
          {
            testid: `move-${one.move}`,
            "aria-label": one.size ? `${one.label}, ${one.size}` : one.label,
            "aria-keyshortcuts": this.keyOf(one),
            onclick: () => this.act(one.move),
          },
          this.keyOf(one) ? el("kbd", { "aria-hidden": "true" }, this.keyOf(one)) : null,
          el("span", {}, one.label, one.size ? el("small", {}, one.size) : null),
        ),
      ),
    );
  }

  /** Any legal amount, by a slider or written; nothing where there is no choice. */
  free(hand) {
    if (!hand.bounds || hand.bounds[0] === hand.bounds[1]) return null;
    const [min, max] = hand.bounds;
    const input = (type, testid, label) =>
      el("input", { type, min, max, step: 1, value: min, testid, "aria-label": label });
    this.slider = input("range", "amount-slider", "Amount, by a slider");
    this.amount = input("number", "amount", `Amount, ${min} to ${max}`);
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
      if (bet) this.act(bet.move);
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
