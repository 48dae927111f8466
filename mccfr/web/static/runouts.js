// What every card that can come does: how likely it is, what it is worth, and how the next player moves then.

import { signedAll } from "page/card_picker.js";
import { el } from "page/dom.js";
import { exact, percent } from "page/numbers.js";
import { chips } from "page/range_details.js";
import { moveFills, moveSwatch, sharesBar } from "page/range_grid.js";

const KINDS = { f: "fold", k: "pass", c: "pass", a: "all-in" };
const figure = (x, write) => el("td", { class: "number", title: exact(x), "data-value": exact(x) }, write(x));

/** A row for each card; `go(cards)` is told of one that is chosen. */
export function runoutTable(found, seats, go) {
  const fills = moveFills(found.actions.map((action) => ({ kind: KINDS[action[0]] ?? "bet" })));
  const moves = found.moves.length > 0;
  const head = [
    "card",
    "chance",
    `EV ${seats[0]}`,
    `EV ${seats[1]}`,
    `equity ${seats[0]}`,
    ...(moves ? [`${seats[found.mover]} plays`] : []),
  ];
  const rows = found.rows.map((row) =>
    el(
      "tr",
      { testid: `runout-${row.cards.replaceAll(" ", "")}` },
      el(
        "th",
        { scope: "row" },
        el("button", { class: "link", onclick: () => go(row.cards.replaceAll(" ", "")) }, signedAll(row.cards)),
      ),
      figure(row.chance, percent),
      figure(row.ev[0], chips),
      figure(row.ev[1], chips),
      figure(row.equity[0], percent),
      ...(moves
        ? [
            el(
              "td",
              {
                class: "bar-cell",
                title: found.moves.map((move, i) => `${move} ${percent(row.frequency[i])}`).join(", "),
              },
              sharesBar(row.frequency, fills),
            ),
          ]
        : []),
    ),
  );
  const legend = found.moves.map((move, i) => el("span", {}, moveSwatch(fills[i]), ` ${move}`));
  return el(
    "div",
    { class: "scroll runouts", testid: "runouts", tabindex: "0", role: "region", "aria-label": "What each card does" },
    el("p", { class: "small brain-legend" }, ...legend),
    el(
      "table",
      {},
      el(
        "thead",
        {},
        el("tr", {}, ...head.map((word, i) => el("th", { scope: "col", class: i ? "number" : null }, word))),
      ),
      el("tbody", {}, ...rows),
    ),
  );
}
