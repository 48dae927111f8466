// The Watch view: one session, its frames, and a cursor inside the recorded iteration.

import { Brain } from "page/brain.js";
import { Controls } from "page/controls.js";
import { byId, el, say } from "page/dom.js";
import { Learning } from "page/learning.js";
import { Mathematics } from "page/mathematics.js";
import { count } from "page/numbers.js";
import { PublicTree } from "page/public_tree.js";
import { Rules } from "page/rules.js";
import { isExhibit } from "page/setup.js";
import { Story } from "page/story.js";
import { TreeView } from "page/tree.js";
import { Walk } from "page/walk.js";

const LONG = 200; // ms that an answer may take while playing
const SLOW = 5; // iterations a second that can still be read

export class Watch {
  /** `source` is a session or a replay; `state` is the address; `changed()` writes it. */
  constructor(source, state, changed, about) {
    this.about = about;
    this.source = source;
    this.state = state;
    this.changed = changed;
    this.walk = new Walk(null);
    this.wanted = null;
    this.asked = 0;
    this.question = 0;
    this.moves = () => {}; // told when the cursor has moved
    this.beyond = () => {}; // told when a link asks for a step that there is not
    this.rules = new Rules();
    this.learning = new Learning(source, about, Boolean(source.recording));
    this.tree = new TreeView();
    this.publicTree = new PublicTree(source, Boolean(source.recording));
    this.story = new Story((i) => this.goto(i));
    this.mathematics = new Mathematics();
    this.brain = new Brain(
      (view) => source.send("view", { ...view }),
      (player, label) => this.choose(player, label),
    );
    this.controls = new Controls(byId("controls"), this);
    source.on("opened", (opened) => this.opened(opened)).on("frame", (frame) => this.frame(frame));
  }

  opened(opened) {
    this.game = opened.game;
    this.walk = new Walk(null);
    this.rules.open(opened.game);
    this.learning.opened(opened, this.state);
    this.tree.open(opened.game);
    this.publicTree.open(opened.game);
    this.brain.reset(opened.game.groups ?? []);
    if (this.brain.view.filter || this.brain.view.player !== null || this.brain.view.offset)
      this.brain.ask({ offset: 0 });
    this.controls.show(false);
    this.costly = false;
    this.mathematics.clear();
    const wanted = Number(this.state.iteration);
    this.wanted = this.state.step === "" ? null : Number(this.state.step);
    if (wanted > 0) this.source.send("jump", { iteration: wanted });
  }

  frame(frame) {
    const lane = frame.lanes[0];
    this.lane = lane;
    this.busy = frame.playing;
    this.controls.show(frame.playing);
    if (lane.trace?.walks?.length) this.follow(lane.trace);
    else if (lane.iteration !== this.walk.iteration) this.walk = new Walk(null);
    this.note = lane.trace?.note ?? lane.trace_note ?? (lane.iteration ? "Step once more to see a walk." : null);
    this.draw();
    this.learning.frame(frame.playing, this.looked());
    this.explain();
    this.publicTree.frame(frame.playing);
    if (!frame.playing && !byId("view-watch").hidden) this.remember();
  }

  running() {
    this.busy = true;
    this.controls.show(true);
  }

  follow(trace) {
    if (trace.iteration !== this.walk.iteration) this.walk = new Walk(trace);
    if (this.wanted !== null && trace.iteration === this.lane.iteration) {
      if (this.wanted >= this.walk.length) this.beyond(trace.iteration, this.wanted, this.walk.length);
      this.walk.goto(this.wanted);
      this.wanted = null;
    }
  }

  draw() {
    this.drawWalk();
    this.drawBrain();
  }

  /** The cards as they were at the step under the cursor. */
  drawBrain() {
    const { cards } = this.lane;
    this.brain.draw({ ...cards, items: cards.items.map((item) => this.walk.table(item)) }, this.state.infoset);
  }

  /** The last iteration that is over at the step under the cursor. */
  looked() {
    return this.lane.iteration - (this.walk.inside ? 1 : 0);
  }

  shown() {
    this.learning.shown();
    this.publicTree.frame(false);
  }

  /** What is counted and measured, as of the beginning of an iteration while the cursor is inside it. */
  figures() {
    return this.walk.inside ? { ...this.lane, ...this.walk.earlier, iteration: this.lane.iteration } : this.lane;
  }

  drawWalk() {
    const hurried = this.busy && (this.controls.rate ?? Infinity) > SLOW;
    this.tree.draw(this.walk, hurried);
    this.story.draw(this.walk, this.note, hurried);
    const { current } = this.walk;
    const walk = this.walk.walks[current?.walk];
    const past = this.dealt();
    const dealt = past.length || this.walk.inside ? past : (walk?.deal ?? []); // what is still to be dealt is not told
    byId("deal").replaceChildren(
      ...(current
        ? [
            `Iteration ${count(this.walk.iteration)}, walk for `,
            el("b", {}, `player ${current.walker}`),
            dealt.length ? " · deal " : "",
            el("b", {}, dealt.join(" ")),
            this.walk.walks.length > 1 ? ` · event ${this.walk.cursor + 1} of ${this.walk.length}` : "",
          ]
        : []),
    );
    const infoset = current?.infoset;
    say(byId("here"), infoset ? `${infoset}: ${this.tree.reading(current)}.` : "");
    this.controls.back.disabled = this.walk.cursor <= 0;
  }

  /** What chance dealt on the way to the cursor: the labels of the branches that leave chance nodes. */
  dealt() {
    const events = this.walk.shown();
    const chance = new Set(events.filter((event) => event.kind === "chance").map((event) => event.node));
    const labels = new Map(
      events
        .filter((event) => event.what === "arrive" && chance.has(event.parent))
        .map((event) => [event.node, event.action]),
    );
    return labels.size <= 4 ? [...labels.values()] : [];
  }

  /** The infoset to explain: the chosen card's, otherwise that of the last update before the cursor. */
  explainable() {
    if (this.state.infoset) return splitKey(this.state.infoset);
    const last = this.walk.events.slice(0, this.walk.cursor + 1).findLast((event) => event.what === "update");
    return last ? [last.player, last.infoset] : [null, null];
  }

  /** Asks for the mathematics; while playing at most twice a second, and not at all where the answer takes long. */
  async explain() {
    const [player, label] = this.explainable();
    const now = performance.now();
    if (!this.busy) this.question += 1; // an answer to an older question comes too late
    if (label === null && !this.busy) return this.mathematics.clear();
    if (label === null || (this.busy && (this.costly || now - this.asked < 500))) return;
    this.asked = now;
    const { question } = this;
    try {
      const found = await this.source.ask(
        "infoset",
        { player, label, lane: 0, ...(this.walk.inside ? { step: this.walk.cursor } : {}) },
        (message) => message.type === "mathematics",
      );
      this.costly = performance.now() - now > LONG;
      if (question !== this.question) return;
      this.mathematics.draw({ ...found, exhibit: isExhibit(this.about, this.state.method) }, !this.state.infoset);
    } catch (error) {
      if (question === this.question) this.mathematics.clear(error.message);
    }
  }

  remember() {
    this.state.iteration = String(this.lane.iteration);
    this.state.step = this.walk.length && this.walk.cursor < this.walk.length - 1 ? String(this.walk.cursor) : "";
    this.changed();
  }

  choose(player, label) {
    const key = `${player}:${label}`;
    this.state.infoset = this.state.infoset === key ? "" : key;
    this.drawBrain();
    this.asked = 0;
    this.explain();
    this.changed();
  }

  goto(index) {
    if (this.busy) this.pause();
    this.walk.goto(index);
    this.moved();
  }

  moved() {
    this.draw();
    this.learning.frame(false, this.looked());
    this.remember();
    this.moves();
    this.explain();
  }

  // What the controls and the keys do.

  play(rate) {
    this.wanted = null;
    this.source.send("play", { rate });
  }

  pause() {
    this.source.send("pause");
  }

  step() {
    this.wanted = null;
    this.source.send("step", { count: 1 });
  }

  /** The next event of the recorded iteration, or the first of the next one. */
  inside() {
    if (this.busy) return this.pause();
    if (this.walk.move(1)) return this.moved();
    this.wanted = 0;
    this.source.send("step", { count: 1 });
  }

  back() {
    if (this.walk.move(-1)) this.moved();
  }

  jump(iteration) {
    this.wanted = null;
    this.source.send("jump", { iteration });
  }

  restart() {
    this.jump(0);
  }
}

/** "0:K:cb" is player 0 at "K:cb". */
export function splitKey(key) {
  const at = key.indexOf(":");
  return at < 0 ? [null, null] : [Number(key.slice(0, at)), key.slice(at + 1)];
}
