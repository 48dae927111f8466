// A recording in place of a server: the same messages, taken from the page itself.

import { extend } from "page/session.js";

/** The recording inside the page, if this is one. */
export function recordingInPage() {
  const script = document.getElementById("recording");
  return script ? JSON.parse(script.textContent) : null;
}

export class Replay extends EventTarget {
  constructor(recording) {
    super();
    this.recording = recording;
    this.at = 0;
    this.number = 0;
    this.timer = null;
    this.curves = [];
    this.averages = [];
    this.opened = null;
    this.frame = null;
    this.view = { filter: "", player: null, offset: 0, limit: 60 };
  }

  on(type, act) {
    this.addEventListener(type, (event) => act(event.detail));
    return this;
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  open() {
    this.opened = this.recording.opened;
    this.curves = this.opened.lanes.map(() => []);
    this.at = 0;
    queueMicrotask(() => {
      this.tell("opened", this.opened);
      this.show();
    });
  }

  send(type, fields = {}) {
    const act = {
      play: () => this.play(fields.rate),
      pause: () => this.pause(),
      step: () => this.step(fields.count ?? 1),
      jump: () => this.jump(fields.iteration),
      view: () => this.look(fields),
    }[type];
    if (act) queueMicrotask(act);
  }

  ask(type, { player, label, step }) {
    if (type === "infoset" && step !== undefined && step < this.lastUpdate(player, label))
      return Promise.reject(new Error("At this step the infoset has not been updated yet. Step on to see its update."));
    const found =
      type === "infoset" ? this.recording.mathematics?.[`${this.iterationAt(this.at)}/${player}/${label}`] : null;
    if (found) return Promise.resolve(found);
    return Promise.reject(
      new Error(
        type === "infoset"
          ? "This iteration was recorded without the mathematics of this infoset."
          : "This needs a server: run `mccfr watch`.",
      ),
    );
  }

  /** The step with which an infoset's update is complete: its mathematics was recorded as of then. */
  lastUpdate(player, label) {
    const events = (this.frame?.lanes[0].trace?.walks ?? []).flatMap((walk) => walk.events);
    return events.findLastIndex(
      (event) => event.what === "update" && event.player === player && event.infoset === label,
    );
  }

  iterationAt(index) {
    return this.recording.frames[index].lanes[0].iteration;
  }

  show(playing = this.timer !== null) {
    const frame = this.recording.frames[this.at];
    this.number += 1;
    this.frame = {
      ...frame,
      frame: this.number,
      playing,
      lanes: frame.lanes.map((lane) => ({ ...lane, cards: this.chosen(lane.cards) })),
    };
    const past = this.recording.frames.slice(0, this.at + 1);
    const collected = (name) =>
      this.opened.lanes.map((_, i) => past.reduce((all, one) => extend(all, one.lanes[i][name]), []));
    this.curves = collected("curve");
    this.averages = collected("averages");
    this.tell("frame", this.frame);
  }

  /** The cards that the reader asked for, out of those recorded. */
  chosen(cards) {
    const { filter, player, offset, limit } = this.view;
    const wanted = cards.items.filter(
      (card) => card.label.toLowerCase().includes(filter.toLowerCase()) && (player === null || card.player === player),
    );
    return { total: wanted.length, offset, items: wanted.slice(offset, offset + limit) };
  }

  step(by) {
    this.at = Math.min(this.recording.frames.length - 1, this.at + by);
    this.show();
  }

  jump(iteration) {
    const after = this.recording.frames.findIndex((_, i) => this.iterationAt(i) >= iteration);
    this.at = after < 0 ? this.recording.frames.length - 1 : after;
    this.show();
  }

  play(rate) {
    clearInterval(this.timer);
    this.timer = setInterval(
      () => {
        if (this.at === this.recording.frames.length - 1) this.pause();
        else this.step(1);
      },
      Math.max(50, 1000 / (rate ?? 20)),
    );
    this.show(true);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.show(false);
  }

  look(view) {
    Object.assign(this.view, view);
    this.show();
  }

  close() {
    clearInterval(this.timer);
  }
}
