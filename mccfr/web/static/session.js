// One socket is one session of the server: a game, a method (or two), a seed.

/** Adds the new points of a curve; a curve that starts anew (after opening or jumping back) replaces the old one. */
export function extend(curve, points) {
  if (!points?.length) return curve;
  const last = curve.at(-1);
  if (!last || points[0][0] <= last[0]) return points.slice();
  return curve.concat(points);
}

/** A curve up to now: its points, and the newest figures if they were measured later. */
export function upToNow(curve, lane) {
  const last = curve.at(-1);
  if (
    !lane?.iteration ||
    (last && last[0] >= lane.iteration) ||
    (lane.exploitability_at ?? lane.iteration) !== lane.iteration
  )
    return curve;
  return [...curve, [lane.iteration, lane.touched, lane.seconds, lane.exploitability]];
}

export class Session extends EventTarget {
  constructor() {
    super();
    this.waiting = [];
    this.answers = new Map();
    this.nextId = 1;
    this.curves = [];
    this.averages = [];
    this.opened = null;
    this.frame = null;
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.socket.addEventListener("open", () => this.waiting.splice(0).forEach((text) => this.socket.send(text)));
    this.socket.addEventListener("message", (event) => this.receive(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => this.tell("lost", {}));
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  on(type, act) {
    this.addEventListener(type, (event) => act(event.detail));
    return this;
  }

  send(type, fields = {}) {
    const id = this.nextId++;
    const text = JSON.stringify({ type, id, ...fields });
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    else if (this.socket.readyState === WebSocket.CONNECTING) this.waiting.push(text);
    return id;
  }

  /** Sends, and resolves with the answer of the given type (progress messages are told as events). */
  ask(type, fields, until = () => true) {
    return new Promise((resolve, reject) => {
      const id = this.send(type, fields);
      this.answers.set(id, { resolve, reject, until });
    });
  }

  receive(message) {
    const asked = this.answers.get(message.id);
    if (asked && message.type === "error") {
      this.answers.delete(message.id);
      asked.reject(new Error(message.message));
      return;
    } else if (asked && asked.until(message)) {
      this.answers.delete(message.id);
      asked.resolve(message);
    }
    if (message.type === "opened") {
      this.opened = message;
      this.curves = message.lanes.map(() => []);
      this.averages = message.lanes.map(() => []);
    }
    if (message.type === "frame") this.take(message);
    this.tell(message.type, message);
  }

  /** Keeps the frame and its curves, and tells the server that it was drawn once it was. */
  take(frame) {
    this.frame = frame;
    frame.lanes.forEach((lane, i) => {
      this.curves[i] = frame.whole ? lane.curve : extend(this.curves[i] ?? [], lane.curve);
      this.averages[i] = frame.whole ? (lane.averages ?? []) : extend(this.averages[i] ?? [], lane.averages);
    });
    requestAnimationFrame(() => this.send("ack", { frame: frame.frame }));
  }

  open(game, method, seed, other = null) {
    this.send("open", { game, method, seed, other });
  }

  /** Browsers complain if a socket is closed before it is open: then it is closed as soon as it is. */
  close() {
    this.waiting.length = 0;
    if (this.socket.readyState === WebSocket.CONNECTING)
      this.socket.addEventListener("open", () => this.socket.close());
    else this.socket.close();
  }
}
