// The hands of one class, each with its own numbers.

import { signedAll } from "page/card_picker.js";
import { el } from "page/dom.js";
import { count, exact, number, percent } from "page/numbers.js";
import { moveSwatch, sharesBar } from "page/range_grid.js";

/** Chips; what is left of rounding, as where a fold is worth 1e-11, is nothing. */
export const chips = (x) => (x !== null && Math.abs(x) < 5e-4 ? "0" : number(x, 4));

const figure = (x, write, testid) =>
  el("td", { class: "number", testid, title: exact(x), "data-value": exact(x) }, write(x));
const head = (...words) =>
  el("tr", {}, ...words.map((word, i) => el("th", { scope: "col", class: i ? "number" : null }, word)));

/** A class in numbers, before its single hands are known. */
export function classTable(cell, node, fills) {
  const moves = node.mover === node.player ? node.choices : [];
  const rows = moves.map((move, i) =>
    el("tr", {}, el("th", { scope: "row" }, moveSwatch(fills[i]), ` ${move.text}`), figure(cell.frequency[i], percent)),
  );
  const facts = [
    ["combos", `${number(cell.combos)} of ${count(cell.possible)}`],
    ...(cell.ev === null ? [] : [["EV", chips(cell.ev)]]),
    ...(cell.equity === null ? [] : [["equity", percent(cell.equity)]]),
  ];
  return el(
    "table",
    { class: "class-table" },
    el(
      "tbody",
      {},
      ...rows,
      ...facts.map(([word, text]) =>
        el("tr", {}, el("th", { scope: "row" }, word), el("td", { class: "number" }, text)),
      ),
    ),
  );
}

/** The hands one by one: how often each takes a move and what that is worth. */
export function handsTable(found, node, fills) {
  const numbers = new Set(found.rows.map((row) => JSON.stringify({ ...row, hand: "" })));
  if (node.board.length || found.rows.length < 2 || numbers.size > 1) return tableOf(found, node, fills);
  const names = found.rows.map((row) => signedAll(row.hand)).join(", ");
  const all = el("p", { class: "small soft", title: names }, `All ${found.rows.length} hands of the class play alike:`);
  return el("div", {}, all, tableOf({ ...found, rows: found.rows.slice(0, 1) }, node, fills));
}

function tableOf(found, node, fills) {
  const mine = node.mover === node.player;
  const worth = found.rows.some((row) => row.ev !== null);
  const titles = ["hand", ...(mine ? ["plays"] : []), "weight", ...(worth ? ["EV"] : []), "equity"];
  const rows = found.rows.flatMap((row) => {
    const says = found.actions.map((action, i) => moveWords(node, action, row.frequency[i], row.action_ev[i]));
    const line = el(
      "tr",
      { testid: `combo-${row.hand}` },
      el("th", { scope: "row", title: row.made || null }, signedAll(row.hand)),
      ...(mine ? [el("td", { class: "bar-cell" }, sharesBar(row.frequency, fills))] : []),
      figure(row.reach, number, "combo-weight"),
      ...(worth ? [figure(row.ev, chips, "combo-ev")] : []),
      figure(row.equity, percent, "combo-equity"),
    );
    const below = el(
      "tr",
      { class: "says" },
      el("td", { colspan: titles.length }, [...says, row.made].filter(Boolean).join(" · ")),
    );
    return says.length || row.made ? [line, below] : [line];
  });
  return el("table", { class: "hands-table" }, el("thead", {}, head(...titles)), el("tbody", {}, ...rows));
}

function moveWords(node, action, p, worth) {
  const move = node.choices.find((one) => one.action === action);
  return `${move?.text ?? action} ${percent(p)}${worth === null || worth === undefined ? "" : ` (EV ${chips(worth)})`}`;
}
