// The game tree as a drawing: the whole of a small game, otherwise the visited part with stubs.

import { byId, el, svg } from "page/dom.js";
import { place } from "page/layout.js";
import { exact, number, percent, signed } from "page/numbers.js";

const MOST = 420;

const HOWS = {
  enumerated: "every action is visited",
  sampled: "drawn by chance (a die)",
  probed: "one random game, nothing learned on it",
  skipped: "not visited",
};

export class TreeView {
  constructor() {
    this.host = byId("tree");
    this.game = null;
    this.drawLegend();
  }

  open(game) {
    this.game = game;
    this.host.replaceChildren();
  }

  /** The nodes to draw: the game's own list if it was sent, otherwise those the events name, with a stub for each action left out. */
  nodes(walk) {
    if (this.game?.tree) return this.game.tree;
    const seen = new Map();
    const menus = new Map();
    for (const event of walk.events) {
      if (event.walk !== walk.current?.walk || seen.size >= MOST) continue;
      const order = menus.get(event.parent)?.indexOf(event.action) ?? 0;
      if (!seen.has(event.node)) seen.set(event.node, { id: event.node, parent: event.parent, action: event.action, kind: event.kind, infoset: event.infoset, order });
      if (event.what !== "choose") continue;
      menus.set(event.node, event.actions);
      event.actions.forEach((action, i) => {
        if (["skipped", "probed"].includes(event.how[i])) seen.set(`${event.node}/${action}`, { id: `${event.node}/${action}`, parent: event.node, action, kind: "stub", infoset: null, order: i });
      });
    }
    return [...seen.values()];
  }

  draw(walk, playing) {
    const nodes = this.nodes(walk);
    if (!nodes.length) return this.host.replaceChildren();
    const territory = walk.territory();
    const roomy = nodes.length > 60 && !this.game?.tree ? new Set([...territory]) : territory;
    const crowded = territory.size > 40;
    const places = place(nodes, crowded && this.game?.tree ? new Set() : roomy, this.host.clientWidth - 4);
    if (crowded && this.game?.tree) spread(places, 22);
    const picture = walk.picture();
    const drawing = svg("svg", {
      width: Math.ceil(places.width), height: Math.ceil(places.height), role: "img", testid: "tree-drawing",
      "aria-label": `Game tree, ${picture.nodes.size} nodes visited so far in this walk`,
    });
    const lines = svg("g", {});
    const marks = svg("g", {});
    drawing.append(lines, marks);
    for (const node of nodes) {
      const spot = places.at.get(node.id);
      if (!spot) continue;
      this.branch(lines, node, spot, places.at.get(node.parent), picture, territory);
      this.mark(marks, node, spot, picture.nodes.get(node.id), walk.current?.node === node.id, territory.has(node.id));
    }
    this.host.replaceChildren(drawing);
    if (!playing) this.follow(places.at.get(walk.current?.node));
  }

  branch(lines, node, spot, from, picture, territory) {
    if (!from) return;
    const said = picture.branches.get(`${node.parent}/${node.action}`);
    const arrived = picture.nodes.get(node.id)?.visited;
    const how = picture.probed.has(node.id) ? "probed" : said?.how ?? (arrived ? "enumerated" : "unseen");
    const middle = (from.x + spot.x) / 2;
    const path = `M${from.x},${from.y} C${middle},${from.y} ${middle},${spot.y} ${spot.x},${spot.y}`;
    lines.append(svg("path", { d: path, class: `branch ${how}`, "data-how": how }));
    if (how === "enumerated") lines.append(svg("path", { d: path, class: "branch inner" }));
    if (how === "sampled") lines.append(die(middle - 6, (from.y + spot.y) / 2 - 6));
    if (how === "skipped") lines.append(cross(middle, (from.y + spot.y) / 2));
    if (said && (territory.has(node.id) || how === "probed")) lines.append(branchText(node.action, said, how, spot));
  }

  mark(marks, node, spot, seen, current, near) {
    const group = svg("g", { class: `node ${node.kind}${seen?.visited ? " seen" : ""}${current ? " current" : ""}`, transform: `translate(${spot.x},${spot.y})`, "data-node": node.id });
    if (current) group.append(svg("circle", { r: 17, class: "ring" }));
    group.append(shape(node.kind, near));
    const beside = node.kind === "terminal" || node.kind === "stub";
    const place = beside ? { x: 13, "text-anchor": "start" } : { x: 0, "text-anchor": "middle" };
    const name = node.kind === "terminal" ? (seen?.value === undefined ? "" : signed(seen.value)) : near ? node.infoset : "";
    if (name) group.append(svg("text", { class: "node-name", y: beside ? 4 : -14, ...place }, name));
    if (seen && (seen.visited || seen.returned !== undefined)) group.append(svg("text", { class: "node-numbers", y: beside ? 17 : 24, ...place }, numbers(seen, node.kind)));
    group.append(svg("title", {}, title(node, seen)));
    marks.append(group);
  }

  /** Keeps the current node in sight, inside the panel only. */
  follow(spot) {
    if (!spot) return;
    const { host } = this;
    if (spot.x > host.scrollLeft + host.clientWidth - 120 || spot.x < host.scrollLeft + 40) host.scrollLeft = Math.max(0, spot.x - host.clientWidth / 2);
    if (spot.y > host.scrollTop + host.clientHeight - 60 || spot.y < host.scrollTop + 20) host.scrollTop = Math.max(0, spot.y - host.clientHeight / 2);
  }

  drawLegend() {
    const kinds = [["chance", "chance"], ["player0", "player 0"], ["player1", "player 1"], ["terminal", "end, with the payoff to the walk's player"]];
    const entries = kinds.map(([kind, words]) => entry(shapeSample(kind), words));
    const hows = Object.entries(HOWS).map(([how, words]) => entry(lineSample(how), `${how}: ${words}`));
    byId("legend").replaceChildren(...entries, ...hows, el("span", { class: "entry" }, "w weight · q inclusion probability · b baseline · v value returned"));
  }
}

function spread(places, step) {
  const ys = [...new Set([...places.at.values()].map((spot) => spot.y))];
  const factor = step / 11;
  for (const spot of places.at.values()) spot.y *= factor;
  places.height = Math.max(...ys) * factor + 30;
}

/** The action, its probability under the strategy, and with what probability it was visited. */
function branchText(action, said, how, spot) {
  const words = [action ?? ""];
  if (said.probability !== undefined && (how === "enumerated" || said.probability !== said.q)) words.push(`σ ${percent(said.probability)}`);
  if (said.q !== undefined && (how === "sampled" || how === "probed")) words.push(`q ${number(said.q)}`);
  const says = `${action}: ${how}${said.q === undefined ? "" : `, visited with probability ${exact(said.q)}`}`;
  return svg("text", { x: spot.x - 22, y: spot.y - 8, class: "branch-text", "text-anchor": "end" }, words.join(" · "), svg("title", {}, says));
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

function title(node, seen) {
  const kinds = { chance: "chance", player0: "player 0", player1: "player 1", terminal: "end of the game", stub: "not visited" };
  const words = [kinds[node.kind] ?? node.kind];
  if (node.infoset) words.push(node.infoset);
  if (node.payoff !== null && node.payoff !== undefined) words.push(`payoff to player 0: ${exact(node.payoff)}`);
  for (const name of ["weight", "reach", "baseline", "returned", "corrected", "value"]) {
    if (seen?.[name] !== undefined) words.push(`${name} ${exact(seen[name])}`);
  }
  return words.join("; ");
}

function shape(kind, large) {
  const r = large ? 10 : 4;
  if (kind === "chance") return svg("path", { d: `M0,${-r - 1} L${r + 1},0 L0,${r + 1} L${-r - 1},0 Z`, class: "body" });
  if (kind === "player1") return svg("rect", { x: -r + 1, y: -r + 1, width: 2 * r - 2, height: 2 * r - 2, rx: 2, class: "body" });
  if (kind === "terminal") return svg("rect", { x: -r / 2, y: -r / 2, width: r, height: r, rx: 1, class: "body" });
  if (kind === "stub") return svg("path", { d: "M-3,-3 L3,3 M3,-3 L-3,3", class: "body" });
  return svg("circle", { r, class: "body" });
}

/** A small die: the branch was drawn. */
function die(x, y) {
  const dots = [[3, 3], [6, 6], [9, 9]].map(([cx, cy]) => svg("circle", { cx, cy, r: 1.2, class: "pip" }));
  return svg("g", { transform: `translate(${x},${y})`, class: "die" }, svg("rect", { width: 12, height: 12, rx: 3 }), ...dots);
}

const cross = (x, y) => svg("path", { class: "cross", d: `M${x - 3},${y - 3} l6,6 m0,-6 l-6,6` });

const entry = (picture, words) => el("span", { class: "entry" }, picture, words);

function shapeSample(kind) {
  return svg("svg", { width: 24, height: 24, viewBox: "-12 -12 24 24", "aria-hidden": "true" }, svg("g", { class: `node ${kind} seen` }, shape(kind, true)));
}

function lineSample(how) {
  const path = "M2,9 H38";
  const parts = [svg("path", { d: path, class: `branch ${how}` })];
  if (how === "enumerated") parts.push(svg("path", { d: path, class: "branch inner" }));
  if (how === "sampled") parts.push(die(14, 3));
  if (how === "skipped") parts.push(cross(20, 9));
  return svg("svg", { width: 40, height: 18, "aria-hidden": "true" }, ...parts);
}
