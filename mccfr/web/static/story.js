// The sentence, the numbers and the list of events of the recorded iteration.

import { byId, el, say } from "page/dom.js";
import { count, exact, number } from "page/numbers.js";

const WORDS = {
  weight: "weight w",
  reach: "own reach",
  strategy: "strategy σ",
  law: "probability",
  q: "inclusion q",
  weight_after: "weight below",
  returned: "came back y",
  baseline: "baseline b",
  corrected: "counts as v(a)",
  values: "values v(a)",
  value: "value v",
  increment: "added to R",
  regret_before: "R before",
  regret_after: "R after",
  strategy_after: "σ after",
  amount: "σ counted",
  average_after: "average sums",
};

const ICONS = { arrive: "→", choose: "⇉", back: "←", update: "Σ", probe: "⋯", remember: "✎", settle: "Σ" };

const list = (x) => (Array.isArray(x) ? x.map((y) => number(y)).join("   ") : number(x));

export class Story {
  constructor(choose) {
    this.choose = choose;
    this.events = byId("events");
    this.shown = null;
    this.drawn = 0;
  }

  /** Redraws the list when the iteration changed, and marks the event under the cursor; twice a second when hurried. */
  draw(walk, note, hurried) {
    const now = performance.now();
    if (hurried && now - this.drawn < 500) return;
    this.drawn = now;
    if (this.shown !== walk) this.list(walk);
    const event = walk.current;
    byId("sentence").setAttribute("aria-live", hurried ? "off" : "polite");
    say(byId("sentence"), event?.sentence ?? note ?? "Press play, or step to see the first walk.");
    this.facts(event);
    this.mark(walk.cursor);
  }

  list(walk) {
    this.shown = walk;
    this.marked = null;
    const rows = [];
    walk.events.forEach((event, i) => {
      if (i === 0 || walk.events[i - 1].walk !== event.walk) {
        const value = walk.walks[event.walk]?.value;
        rows.push(
          el(
            "li",
            { class: "break" },
            `Walk for player ${event.walker}`,
            el("span", { class: "result" }, value === undefined || value === null ? "" : `: value ${number(value)}`),
          ),
        );
      }
      rows.push(this.row(event, i));
    });
    this.breaks = rows.filter((row) => row.className === "break");
    this.ends = walk.walks.map((_, k) => walk.events.findLastIndex((event) => event.walk === k));
    this.events.replaceChildren(...rows);
    this.rows = [...this.events.querySelectorAll("button")];
    say(
      byId("events-title"),
      walk.length ? `Events of iteration ${count(walk.iteration)} (${walk.length})` : "Events of this iteration",
    );
  }

  row(event, i) {
    const place = event.infoset ?? { chance: "chance", terminal: "the end" }[event.kind] ?? event.kind;
    const into = event.action && event.what === "arrive" ? `${event.action} → ` : "";
    return el(
      "li",
      {},
      el(
        "button",
        { testid: `event-${i}`, onclick: () => this.choose(i), "data-sentence": event.sentence },
        el("span", { class: "what" }, `${ICONS[event.what] ?? "·"} ${event.what}`),
        el(
          "span",
          { class: "where" },
          `${into}${place}`,
          el("span", { class: "result" }, event.what === "back" ? ` ${number(event.corrected ?? event.returned)}` : ""),
        ),
      ),
    );
  }

  mark(cursor) {
    if (this.marked === cursor || !this.rows) return;
    this.rows.forEach((row, i) => {
      if (i === cursor) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
      row.classList.toggle("later", i > cursor);
    });
    this.breaks.forEach((row, k) => row.classList.toggle("later", this.ends[k] > cursor));
    this.marked = cursor;
    const row = this.rows[cursor];
    if (!row) return;
    const top = row.offsetTop - this.events.offsetTop;
    if (top < this.events.scrollTop || top > this.events.scrollTop + this.events.clientHeight - 40)
      this.events.scrollTop = top - 80;
  }

  facts(event) {
    const rows = [];
    for (const [name, words] of Object.entries(WORDS)) {
      const value = event?.[name];
      if (value === undefined || value === null || (Array.isArray(value) && value.every((x) => x === null))) continue;
      if (event.histories && name === "q") continue; // nothing is drawn
      rows.push(
        el("dt", {}, words),
        el(
          "dd",
          { title: Array.isArray(value) ? value.join(", ") : exact(value), testid: `fact-${name}` },
          list(value),
        ),
      );
    }
    byId("facts").replaceChildren(...rows);
  }
}
