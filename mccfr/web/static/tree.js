// The game tree as a drawing: the whole of a small game, otherwise the visited part with stubs.

import { byId, el, svg } from "page/dom.js";
import { place } from "page/layout.js";
import { exact, number, percent, signed } from "page/numbers.js";

const MOST = 420;
const SELDOM = 100; // ms between two drawings while it is too fast to read
const NAMED = 120; // nodes of a game that are named also where no walk is

const HOWS = {
  enumerated: "every action is visited",
  sampled: "drawn at random (a die)",
  forced: "always visited",
  probed: "one random game, without updates",
  skipped: "not visited",
};

export class TreeView {
  constructor() {
    this.host = byId("tree");
    this.game = null;
    this.drawn = 0;
    byId("fit").addEventListener("click", () =>
      byId("fit").setAttribute("aria-pressed", String(this.host.classList.toggle("fit"))),
    );
    this.drawLegend();
  }

  open(game) {
    this.game = game;
    this.named = Boolean(game.tree && game.tree.length <= NAMED);
    this.host.replaceChildren();
    this.drawLegend(game.how_to_read);
  }

  /** A label in words; of large games as the walk tells it. */
  reading(node) {
    const key = `${node.kind.slice(-1)}:${node.infoset}`;
    return this.game?.readings?.[key] ?? this.told?.[key] ?? node.infoset;
  }

  /** The nodes to draw: the game's own if they were sent, otherwise those of the events, and stubs for what is left out. */
  nodes(walk) {
    if (this.game?.tree) return this.game.tree;
    const seen = new Map();
    const menus = new Map();
    for (const event of walk.events) {
      if (event.walk !== walk.current?.walk || seen.size >= MOST) continue;
      const order = menus.get(event.parent)?.indexOf(event.action) ?? 0;
      if (!seen.has(event.node))
        seen.set(event.node, {
          id: event.node,
          parent: event.parent,
          action: event.action,
          kind: event.kind,
          infoset: event.infoset,
          order,
        });
      if (event.what !== "choose") continue;
      menus.set(event.node, event.actions);
      stubs(event).forEach((stub) => seen.set(stub.id, stub));
    }
    return [...seen.values()];
  }

  /** `hurried`: too fast to read, so the drawing stands still and carries no numbers. */
  draw(walk, hurried) {
    const now = performance.now();
    if (hurried && now - this.drawn < SELDOM && this.host.childElementCount) return;
    this.drawn = now;
    const nodes = this.nodes(walk);
    this.told = walk.readings;
    byId("walk").classList.toggle("empty", !nodes.length);
    if (!nodes.length) return this.host.replaceChildren();
    const territory = hurried && this.game?.tree ? new Set() : walk.territory();
    const whole = Boolean(this.game?.tree);
    const spacing = territory.size > 40 && whole ? 42 : whole ? 50 : 62;
    const places = place(nodes, territory, {
      room: this.host.clientWidth - 4,
      height: this.host.clientHeight - 8,
      spacing,
      narrowest: whole ? (territory.size ? 132 : 56) : 158,
    });
    const picture = walk.picture();
    const drawing = svg("svg", {
      width: Math.ceil(places.width),
      height: Math.ceil(places.height),
      viewBox: `0 0 ${Math.ceil(places.width)} ${Math.ceil(places.height)}`,
      role: "group",
      testid: "tree-drawing",
      "aria-label": `Game tree, ${picture.nodes.size} nodes visited so far in this walk`,
    });
    const lines = svg("g", {});
    const marks = svg("g", {});
    drawing.append(lines, marks);
    for (const node of nodes) {
      const spot = places.at.get(node.id);
      if (!spot) continue;
      this.branch(lines, node, spot, places.at.get(node.parent), picture, territory);
      this.mark(
        marks,
        node,
        spot,
        picture.nodes.get(node.id),
        walk.isAt(node.id),
        territory.has(node.id),
        territory.size,
      );
    }
    this.host.replaceChildren(drawing);
    if (!hurried) this.follow(places.at.get(walk.current?.node));
  }

  branch(lines, node, spot, from, picture, territory) {
    if (!from) return;
    const said = picture.branches.get(`${node.parent}/${node.action}`);
    const arrived = picture.nodes.get(node.id)?.visited;
    const how =
      node.kind === "stub" && !said
        ? picture.nodes.get(node.parent)?.chose
          ? "skipped"
          : "unseen"
        : picture.probed.has(node.id)
          ? "probed"
          : (said?.how ?? (arrived ? "enumerated" : "unseen"));
    const middle = (from.x + spot.x) / 2;
    const path = `M${from.x},${from.y} C${middle},${from.y} ${middle},${spot.y} ${spot.x},${spot.y}`;
    lines.append(svg("path", { d: path, class: `branch ${how}`, "data-how": how }));
    if (how === "enumerated") lines.append(svg("path", { d: path, class: "branch inner" }));
    if (how === "sampled" && territory.size) lines.append(die(middle - 6, (from.y + spot.y) / 2 - 6));
    if (how === "skipped" && territory.size && node.kind !== "stub") lines.append(cross(middle, (from.y + spot.y) / 2));
    if (said && (territory.has(node.id) || (how === "probed" && said.how === "probed")))
      lines.append(branchText(node, said, how, spot, from));
    else if (this.named && (node.p !== null || (!territory.size && spot.x - from.x > 90)))
      lines.append(farText(node, spot, from));
    if (node.kind === "stub" && how === "skipped")
      lines.append(svg("text", { x: spot.x + 9, y: spot.y + 4, class: "branch-text skipped" }, node.action));
  }

  mark(marks, node, spot, seen, current, near, territorial) {
    const group = svg("g", {
      class: `node ${node.kind}${seen?.visited ? " seen" : ""}${current ? " current" : ""}`,
      transform: `translate(${spot.x},${spot.y})`,
      "data-node": node.id,
    });
    if (current && near) group.append(svg("circle", { r: 17, class: "ring" }));
    group.append(shape(node.kind === "stub" && seen?.returned !== undefined ? "probe" : node.kind, near));
    if (near && node.kind === "terminal" && seen?.value !== undefined)
      group.append(
        svg(
          "text",
          { class: "node-name", x: 12, y: 4 },
          signed(seen.value),
          svg("tspan", { class: "node-numbers", dx: 6 }, numbers(seen, "terminal")),
        ),
      );
    else if (near && node.infoset)
      group.append(
        svg("text", { class: "node-name", y: this.game?.tree ? -14 : -24, "text-anchor": "middle" }, node.infoset),
      );
    else if (this.named && node.infoset && !territorial)
      group.append(svg("text", { class: "node-name far", y: -7, "text-anchor": "middle" }, node.infoset));
    const told =
      seen &&
      (near || node.kind === "stub") &&
      node.kind !== "terminal" &&
      (seen.visited || seen.returned !== undefined);
    if (told)
      group.append(
        svg(
          "text",
          { class: "node-numbers", x: node.kind === "stub" ? 12 : -9, y: node.kind === "stub" ? 4 : 24 },
          numbers(seen, node.kind),
        ),
      );
    const words = title(node, seen, node.infoset ? this.reading(node) : null);
    group.append(svg("title", {}, words));
    if (node.infoset && (near || !territorial)) {
      group.setAttribute("role", "img");
      group.setAttribute("aria-label", words);
    }
    marks.append(group);
  }

  /** Keeps the current node in sight, inside the panel only. */
  follow(spot) {
    if (!spot) return;
    const { host } = this;
    if (spot.x > host.scrollLeft + host.clientWidth - 120 || spot.x < host.scrollLeft + 40)
      host.scrollLeft = Math.max(0, spot.x - host.clientWidth / 2);
    if (spot.y > host.scrollTop + host.clientHeight - 60 || spot.y < host.scrollTop + 20)
      host.scrollTop = Math.max(0, spot.y - host.clientHeight / 2);
  }

  drawLegend(howToRead = "") {
    const kinds = [
      ["chance", "chance"],
      ["player0", "player 0"],
      ["player1", "player 1"],
      ["terminal", "end, with the payoff to the walk's player"],
    ];
    const entries = kinds.map(([kind, words]) => entry(shapeSample(kind), words));
    const hows = Object.entries(HOWS).map(([how, words]) => entry(lineSample(how), `${how}: ${words}`));
    byId("legend").replaceChildren(
      ...entries,
      ...hows,
      el("span", { class: "entry" }, "w weight · q inclusion probability · b baseline · v value returned"),
      ...(howToRead ? [el("span", { class: "entry", testid: "legend-labels" }, howToRead)] : []),
    );
  }
}

/** The action, its probability under the strategy, and with what probability it was visited. */
function branchText(node, said, how, spot, from) {
  const words = [node.action ?? ""];
  if (said.probability !== undefined && (how === "enumerated" || said.probability !== said.q))
    words.push(`${said.chance ? "p" : "σ"} ${percent(said.probability)}`);
  if (said.q !== undefined && (how === "sampled" || how === "probed")) words.push(`q ${number(said.q)}`);
  const says = `${node.action}: ${how}${said.q === undefined ? "" : `, visited with probability ${exact(said.q)}`}`;
  const below = spot.y > from.y + 6;
  const place = { x: spot.x - 20, class: "branch-text", "text-anchor": "end" };
  const [first, ...rest] = words.length > 2 ? [words[0], words.slice(1).join(" · ")] : [words.join(" · ")];
  const y = spot.y + (below ? 16 : rest.length ? -20 : -8);
  return svg(
    "text",
    { ...place, y },
    first,
    ...rest.map((line) => svg("tspan", { x: place.x, dy: 12 }, line)),
    svg("title", {}, says),
  );
}

/** A branch outside the walk: which card was dealt, or which action leads on. */
function farText(node, spot, from) {
  const x = from.x + 0.72 * (spot.x - from.x);
  const y = from.y + 0.9 * (spot.y - from.y) - 3;
  return svg("text", { class: "branch-text far", x, y, "text-anchor": "middle" }, node.action);
}

/** Stand-ins for the actions that were not visited: one for each that was probed, one for all that were skipped. */
function stubs(event) {
  const blank = { parent: event.node, kind: "stub", infoset: null };
  const probed = event.actions
    .map((action, i) => ({ ...blank, id: `${event.node}/${action}`, action, order: i }))
    .filter((_, i) => event.how[i] === "probed");
  const skipped = event.actions.filter((_, i) => event.how[i] === "skipped");
  if (!skipped.length) return probed;
  return [
    ...probed,
    {
      ...blank,
      id: `${event.node}/skipped`,
      action: skipped.length > 2 ? `${skipped.length} others` : skipped.join(", "),
      hangs: true,
    },
  ];
}

/** Weight, baseline and value at a node, as far as they are known. */
function numbers(seen, kind) {
  const words = [];
  if (seen.weight !== undefined) words.push(`w ${number(seen.weight)}`);
  if (seen.baseline !== undefined) words.push(`b ${number(seen.baseline)}`);
  const value = seen.value ?? seen.returned;
  if (value !== undefined && kind !== "terminal") words.push(`v ${number(value)}`);
  return words.join("  ");
}

function title(node, seen, reads) {
  const kinds = {
    chance: "chance",
    player0: "player 0",
    player1: "player 1",
    terminal: "end of the game",
    stub: "not visited",
  };
  const words = [kinds[node.kind] ?? node.kind];
  if (node.infoset) words.push(node.infoset, reads);
  if (node.payoff !== null && node.payoff !== undefined) words.push(`payoff to player 0: ${exact(node.payoff)}`);
  for (const name of ["weight", "reach", "baseline", "returned", "corrected", "value"]) {
    if (seen?.[name] !== undefined) words.push(`${name} ${exact(seen[name])}`);
  }
  return words.join("; ");
}

function shape(kind, large) {
  const r = large ? 10 : 4;
  if (kind === "chance")
    return svg("path", { d: `M0,${-r - 1} L${r + 1},0 L0,${r + 1} L${-r - 1},0 Z`, class: "body" });
  if (kind === "player1")
    return svg("rect", { x: -r + 1, y: -r + 1, width: 2 * r - 2, height: 2 * r - 2, rx: 2, class: "body" });
  if (kind === "terminal") return svg("rect", { x: -r / 2, y: -r / 2, width: r, height: r, rx: 1, class: "body" });
  if (kind === "probe") return svg("circle", { r: 4, class: "body" });
  if (kind === "stub") return svg("path", { d: "M-3,-3 L3,3 M3,-3 L-3,3", class: "body" });
  return svg("circle", { r, class: "body" });
}

/** A small die: the branch was drawn. */
function die(x, y) {
  const dots = [
    [3, 3],
    [6, 6],
    [9, 9],
  ].map(([cx, cy]) => svg("circle", { cx, cy, r: 1.2, class: "pip" }));
  return svg(
    "g",
    { transform: `translate(${x},${y})`, class: "die" },
    svg("rect", { width: 12, height: 12, rx: 3 }),
    ...dots,
  );
}

const cross = (x, y) => svg("path", { class: "cross", d: `M${x - 3},${y - 3} l6,6 m0,-6 l-6,6` });

const entry = (picture, words) => el("span", { class: "entry" }, picture, words);

function shapeSample(kind) {
  return svg(
    "svg",
    { width: 24, height: 24, viewBox: "-12 -12 24 24", "aria-hidden": "true" },
    svg("g", { class: `node ${kind} seen` }, shape(kind, true)),
  );
}

function lineSample(how) {
  const path = "M2,9 H38";
  const parts = [svg("path", { d: path, class: `branch ${how}` })];
  if (how === "enumerated") parts.push(svg("path", { d: path, class: "branch inner" }));
  if (how === "sampled") parts.push(die(14, 3));
  if (how === "skipped") parts.push(cross(20, 9));
  return svg("svg", { width: 40, height: 18, "aria-hidden": "true" }, ...parts);
}
