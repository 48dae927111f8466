// The recorded iteration and a cursor in it. Nothing is computed here: what the events say is laid side by side.

export class Walk {
  constructor(trace) {
    this.iteration = trace?.iteration ?? null;
    this.walks = trace?.walks ?? [];
    this.events = this.walks.flatMap((walk, index) =>
      walk.events.map((event) => ({ ...event, walk: index, walker: walk.walker })),
    );
    this.cursor = this.events.length - 1;
    this.before = trace?.before ?? {};
    this.earlier = trace?.earlier ?? null;
    this.readings = trace?.readings ?? {};
    this.rows = new Map(); // of every infoset that changes: [step, row after it], in order
    this.events.forEach((event, i) =>
      (event.rows ?? []).forEach((row) => this.log(row.key).push([i, row, event.what])),
    );
  }

  log(key) {
    if (!this.rows.has(key)) this.rows.set(key, []);
    return this.rows.get(key);
  }

  /** Whether the cursor stands inside the iteration and not at its end. */
  get inside() {
    return this.cursor < this.events.length - 1;
  }

  /** A card as it was at the step under the cursor. */
  table(item) {
    if (!this.inside) return item;
    const told = this.rows.get(`${item.player}:${item.label}`) ?? [];
    const past = told.filter(([step]) => step <= this.cursor);
    const row = past.at(-1)?.[1] ?? this.before[`${item.player}:${item.label}`] ?? item;
    return { ...item, ...row, updated: past.some(([, , what]) => what === "update" || what === "settle") };
  }

  get current() {
    return this.events[this.cursor] ?? null;
  }

  get length() {
    return this.events.length;
  }

  /** Moves the cursor if there is somewhere to go. */
  move(by) {
    const next = this.cursor + by;
    if (next < 0 || next >= this.events.length) return false;
    this.cursor = next;
    return true;
  }

  goto(index) {
    this.cursor = Math.max(0, Math.min(this.events.length - 1, index));
  }

  /** The events that the tree shows: those of the walk under the cursor, up to the cursor. */
  shown() {
    const { current } = this;
    if (current?.histories) return [current];
    return this.events.slice(0, this.cursor + 1).filter((event) => event.walk === current?.walk);
  }

  /** All nodes that the walk under the cursor comes to, sooner or later: the drawing stays still inside a walk. */
  territory() {
    if (this.current?.around) return new Set(this.current.around);
    const walk = this.current?.walk;
    return new Set(this.events.filter((event) => event.walk === walk).map((event) => event.node));
  }

  /** Whether a step is about this node: of a sweep, about all histories of an infoset. */
  isAt(id) {
    const { current } = this;
    return current?.histories ? current.histories.some((one) => one.node === id) : current?.node === id;
  }

  /** Per node and per branch what has been said so far: numbers at nodes, `how`, `q` and probability at branches. */
  picture() {
    const picture = { nodes: new Map(), branches: new Map(), probed: new Set() };
    for (const event of this.shown()) {
      if (event.histories) {
        noteHistories(picture, event);
        continue;
      }
      note(picture, event);
      (event.actions ?? []).forEach((action, i) => describe(picture, event, action, i));
    }
    return picture;
  }
}

const at = (picture, id) => {
  if (!picture.nodes.has(id)) picture.nodes.set(id, { visited: false });
  return picture.nodes.get(id);
};

/** Takes what an event says into the picture: about its node, or about the child that came back. */
function note(picture, event) {
  const seen = at(picture, event.node);
  seen.visited = true;
  if (event.what === "arrive")
    Object.assign(seen, { weight: event.weight, reach: event.reach, strategy: event.strategy });
  if (typeof event.value === "number" && event.what !== "probe") seen.value = event.value;
  if (event.what === "choose") Object.assign(seen, { chose: true, actions: event.actions });
  if (event.what === "back") {
    const child = at(picture, event.child);
    Object.assign(child, {
      returned: event.returned,
      baseline: event.baseline ?? undefined,
      corrected: event.corrected,
    });
    if (event.through) seen.value = event.corrected;
  }
  if (event.what === "probe") {
    at(picture, event.child).returned = at(picture, `${event.node}/${seen.actions?.[event.action_index]}`).returned =
      event.value;
    [event.child, ...(event.path ?? [])].forEach((id) => picture.probed.add(id));
  }
}

/** A sweep's step: every history of the infoset, with what its actions are worth. */
function noteHistories(picture, event) {
  event.around.forEach((id) => {
    at(picture, id).visited = true;
  });
  for (const one of event.histories) {
    Object.assign(at(picture, one.node), { weight: one.weight, value: one.value, strategy: event.strategy });
    one.values.forEach((value, i) => {
      at(picture, one.first + i).returned = value;
    });
    event.actions.forEach((action, i) => describe(picture, { ...event, node: one.node }, action, i));
  }
}

function describe(picture, event, action, i) {
  const key = `${event.node}/${action}`;
  const branch = picture.branches.get(key) ?? { action };
  if (event.how) branch.how = event.how[i] ?? branch.how;
  if (Array.isArray(event.q)) branch.q = event.q[i] ?? branch.q;
  const law = event.law ?? at(picture, event.node).strategy;
  if (law) branch.probability = law[i];
  branch.chance = event.kind === "chance";
  picture.branches.set(key, branch);
}
