// The numbers that are always in sight.

import { el, say } from "page/dom.js";
import { chips, count, exact, milliBlinds, seconds } from "page/numbers.js";

const SHOWN = [
  ["iteration", "iteration"],
  ["walks", "walks"],
  ["infosets_seen", "infosets seen"],
  ["deals_seen", "deals seen"],
  ["touched", "nodes touched"],
  ["seconds", "solving time"],
];

/** What exploitability is of, when it was measured if not just now, and what a big blind is. */
function measured({ iteration, exploitability_at: at }, { big_blind: blind, name }) {
  const when = at !== undefined && at !== iteration ? ` at iteration ${count(at)}` : "";
  return `exploitability of the average strategy${when}${blind ? ` · big blind = ${count(blind)} ${blind === 1 ? name.replace(/s$/, "") : name}` : ""}`;
}

/** One line of figures; Compare has one of these per lane. */
export class Status {
  constructor(host, prefix = "stat") {
    this.prefix = prefix;
    this.host = host;
    this.fields = new Map();
    this.labels = new Map();
    for (const [name, words] of SHOWN) this.field(name, words);
    this.field("exploitability", "exploitability of the average strategy", "wide");
    this.field("rate", "iterations/s · page ms/frame", "rate");
    this.last = null;
  }

  field(name, words, style = "") {
    const figure = el("b", { testid: `${this.prefix}-${name}` }, "–");
    const label = el("span", {}, words);
    this.fields.set(name, figure);
    this.labels.set(name, label);
    this.host.append(el("div", { class: `stat ${style}` }, figure, label));
  }

  write(name, text, value) {
    const field = this.fields.get(name);
    say(field, text);
    field.dataset.value = exact(value);
    field.title = exact(value);
  }

  draw(lane, game, frameTime = null) {
    for (const [name] of SHOWN) {
      const text = name === "seconds" ? seconds(lane.seconds) : count(lane[name]);
      this.write(name, name === "infosets_seen" ? `${text} / ${count(game.infosets)}` : text, lane[name]);
    }
    const blinds = milliBlinds(lane.exploitability, game.units);
    this.write(
      "exploitability",
      chips(lane.exploitability, game.units) + (blinds ? ` = ${blinds}` : ""),
      lane.exploitability,
    );
    say(this.labels.get("exploitability"), measured(lane, game.units));
    this.speed(lane, frameTime);
  }

  /** Iterations per second as the page sees them, over the last second or so. */
  speed(lane, frameTime) {
    const now = performance.now();
    if (!this.last || lane.iteration < this.last.iteration) this.last = { now, iteration: lane.iteration };
    if (now - this.last.now < 900) return;
    const rate = (1000 * (lane.iteration - this.last.iteration)) / (now - this.last.now);
    this.last = { now, iteration: lane.iteration };
    this.write("rate", `${count(rate)}${frameTime === null ? "" : ` · ${frameTime.toFixed(1)} ms`}`, rate);
  }
}
