// Where the nodes of a tree stand: depth runs from left to right, leaves from top to bottom.

const TIGHT = 11;
const STUB = 30;
const MARGIN = 30;
const BESIDE = 46;
const HANGING = { x: 52, y: 42 }; // of what stands for all actions that were skipped at a node

/** Children of each node, in order, from a list with parents. */
export function family(nodes) {
  const children = new Map(nodes.map((node) => [node.id, []]));
  let root = null;
  for (const node of nodes) {
    if (node.parent === null || node.parent === undefined || !children.has(node.parent)) root ??= node.id;
    else children.get(node.parent).push(node.id);
  }
  const order = new Map(nodes.map((node) => [node.id, node.order ?? 0]));
  for (const below of children.values()) below.sort((a, b) => order.get(a) - order.get(b));
  return { root, children };
}

const deepest = (id, children) =>
  id === null ? 0 : Math.max(0, ...children.get(id).map((child) => 1 + deepest(child, children)));

/**
 * Positions by node id. Nodes in `roomy` get room for their numbers, the others stand close together: the walk is large
 * and the rest of the game stays in sight. `room` is the width to fill with columns of at
 * least `narrowest`, `spacing` the height of a roomy leaf, `height` what the others may share.
 */
export function place(nodes, roomy, { room, spacing, height, narrowest }) {
  const { root, children } = family(nodes.filter((node) => !node.hangs));
  const column = Math.max(narrowest, (room - 2 * MARGIN - BESIDE) / Math.max(1, deepest(root, children)));
  const stubs = new Set(nodes.filter((node) => node.kind === "stub").map((node) => node.id));
  const leaves = nodes.filter((node) => children.get(node.id)?.length === 0);
  const crowd = leaves.filter((node) => !roomy.has(node.id) && !stubs.has(node.id)).length;
  const taken = leaves.reduce(
    (sum, node) => sum + (roomy.has(node.id) ? spacing : stubs.has(node.id) ? STUB : 0),
    MARGIN,
  );
  const tight = Math.max(TIGHT, Math.min(2 * TIGHT, (height - taken) / Math.max(1, crowd)));
  const at = new Map();
  let bottom = MARGIN - 10;
  let width = 0;

  function leaf(id, depth) {
    const space = roomy.has(id) ? spacing : stubs.has(id) ? STUB : tight;
    at.set(id, { x: MARGIN + depth * column, y: bottom + space / 2 });
    bottom += space;
  }

  function stand(id, depth) {
    width = Math.max(width, depth);
    const below = children.get(id);
    if (!below.length) return leaf(id, depth);
    below.forEach((child) => stand(child, depth + 1));
    const wanted = below.filter((child) => roomy.has(child));
    const anchors = wanted.length ? wanted : below;
    const ys = anchors.map((child) => at.get(child).y);
    at.set(id, { x: MARGIN + depth * column, y: (Math.min(...ys) + Math.max(...ys)) / 2 });
  }

  if (root !== null) stand(root, 0);
  for (const node of nodes.filter((one) => one.hangs)) {
    const above = at.get(node.parent);
    if (above) at.set(node.id, { x: above.x + HANGING.x, y: above.y + HANGING.y });
  }
  return { at, width: MARGIN * 2 + width * column + BESIDE, height: bottom + MARGIN + 12 };
}
