// Play, pause, step, speed, jump, restart: buttons that say what they do.

import { el, svg } from "page/dom.js";
import { count } from "page/numbers.js";

const RATES = [1, 2, 5, 10, 30, 100, 1000, 10000, null];

const PATHS = {
  play: "M3 1.5 L13 8 L3 14.5 Z",
  pause: "M3 2 H6.5 V14 H3 Z M9.5 2 H13 V14 H9.5 Z",
  step: "M2 2 L9 8 L2 14 Z M10 2 H13 V14 H10 Z",
  inside: "M2 7 H9 V3.5 L14 8 L9 12.5 V9 H2 Z",
  back: "M14 7 H7 V3.5 L2 8 L7 12.5 V9 H14 Z",
  restart: "M8 2 A6 6 0 1 0 14 8 H12 A4 4 0 1 1 8 4 V6.5 L12 3.2 L8 0 Z",
};

const icon = (name) => svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: PATHS[name] }));

const rateWords = (rate) => (rate === null ? "maximum" : `${count(rate)} / s`);

/** `acts` has play(rate), pause(), step(), inside(), back(), jump(n), restart(). */
export class Controls {
  constructor(host, acts, { inside = true, prefix = "" } = {}) {
    this.acts = acts;
    this.playing = false;
    const name = (testid) => prefix + testid;
    this.toggle = el("button", { class: "primary play", testid: name("play"), onclick: () => this.flip() });
    this.speed = el("input", {
      type: "range",
      min: 0,
      max: RATES.length - 1,
      value: 4,
      step: 1,
      testid: name("speed"),
      "aria-label": "Speed, iterations per second",
      oninput: () => this.hurry(),
    });
    this.says = el("output", { testid: name("speed-text") });
    this.iteration = el("input", {
      type: "number",
      min: 0,
      step: 1,
      value: 1000,
      testid: name("jump-to"),
      "aria-label": "Iteration to jump to",
    });
    this.iteration.addEventListener("keydown", (event) => event.key === "Enter" && this.jump());
    this.step = button("step", "Step iteration", name("step"), () => acts.step(), "Shift →");
    this.inside = button("inside", "Step inside", name("inside"), () => acts.inside(), "→");
    this.back = button("back", "Back", name("back"), () => acts.back(), "←");
    this.go = el("button", { testid: name("jump"), onclick: () => this.jump(), title: "j" }, "Jump");
    this.restart = button("restart", "Restart", name("restart"), () => acts.restart(), "r");
    const gap = () => el("span", { class: "gap" });
    host.append(
      this.toggle,
      this.step,
      ...(inside ? [this.back, this.inside] : []),
      gap(),
      el("label", {}, "Speed", this.speed, this.says),
      gap(),
      el("label", {}, "Iteration", this.iteration),
      this.go,
      this.restart,
    );
    this.show(false);
    this.hurry();
  }

  get rate() {
    return RATES[Number(this.speed.value)];
  }

  flip() {
    if (this.playing) this.acts.pause();
    else this.acts.play(this.rate);
  }

  hurry() {
    this.says.textContent = rateWords(this.rate);
    this.speed.setAttribute("aria-valuetext", rateWords(this.rate));
    if (this.playing) this.acts.play(this.rate);
  }

  jump() {
    const wanted = Math.floor(Number(this.iteration.value));
    if (Number.isFinite(wanted) && wanted >= 0) this.acts.jump(wanted);
  }

  show(playing) {
    if (this.playing === playing && this.toggle.childNodes.length) return;
    this.playing = playing;
    this.toggle.replaceChildren(icon(playing ? "pause" : "play"), playing ? "Pause" : "Play");
    this.toggle.setAttribute("aria-label", playing ? "Pause" : "Play");
    this.toggle.title = "Space";
  }
}

function button(name, words, testid, onclick, key) {
  return el("button", { testid, onclick, title: key }, icon(name), words);
}
