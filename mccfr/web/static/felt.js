// The table: two seats, the board, the pot. Suits have a sign, a letter and a colour.

import { el } from "page/dom.js";
import { number } from "page/numbers.js";

const SUITS = { s: ["♠", "spades"], h: ["♥", "hearts"], d: ["♦", "diamonds"], c: ["♣", "clubs"] };
const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten" };
const BOARD = 5;

const shown = (rank) => (rank === "T" ? "10" : rank);
const spoken = (name) => `${RANKS[name[0]] ?? name[0]} of ${SUITS[name[1]][1]}`;

/** A card by its name, `As`; without one, its back. */
function card(name) {
  if (!name) return el("span", { class: "face back", role: "img", "aria-label": "a hidden card" });
  const [rank, suit] = name;
  return el(
    "span",
    { class: `face ${suit}`, role: "img", "aria-label": spoken(name) },
    el("b", {}, shown(rank)),
    el("i", {}, SUITS[suit][0]),
    el("small", {}, suit),
  );
}

/** A sentence in which cards, `Kh`, are followed by their signs. */
export const readCards = (text) =>
  text.replace(/\b([2-9TJQKA])([shdc])\b/g, (_, rank, suit) => shown(rank) + SUITS[suit][0]);

/** A name that may be broken after its colon. */
const breakable = (name) => name.split(/(?<=:)/).flatMap((part, i) => (i ? [el("wbr"), part] : [part]));

/** A player: `who` is you or agent. */
function seat(who, name, side, { dealer, turn, won }) {
  const marks = [
    dealer ? el("span", { class: "dealer", title: "dealer", "aria-label": "dealer" }, "D") : null,
    turn ? el("span", { class: "turn" }, "to move") : null,
    side.folded ? el("span", { class: "turn" }, "folded") : null,
    won ? el("span", { class: "turn won" }, "wins") : null,
  ];
  return el(
    "div",
    { class: `seat ${turn ? "moving" : ""} ${side.folded ? "folded" : ""}`, testid: `seat-${who}` },
    el("div", { class: "faces", testid: `cards-${who}` }, ...(side.cards ?? [null, null]).map((one) => card(one))),
    el(
      "div",
      { class: "about-seat" },
      el("div", { class: "seat-name" }, el("strong", {}, ...breakable(name)), ...marks),
      el(
        "div",
        { class: "seat-chips" },
        side.stack === null ? null : el("span", { testid: `stack-${who}` }, `${number(side.stack)} chips`),
        side.holds ? el("span", { class: "soft" }, side.holds) : null,
      ),
    ),
    el("div", { class: "bet", testid: `bet-${who}` }, side.bet ? `bet ${number(side.bet)}` : ""),
  );
}

const NOBODY = { cards: [], stack: null, bet: 0, folded: false, holds: null };

export function drawFelt(host, { agent, hand }) {
  const board = hand?.board ?? [];
  const facts = (who) => ({
    dealer: hand && hand.dealer === (who === "you"),
    turn: hand?.turn === who,
    won: hand?.result && (who === "you" ? hand.result.chips > 0 : hand.result.chips < 0),
  });
  const none = () => el("span", { class: "face none" });
  const places = Array.from({ length: BOARD }, (_, i) => (board[i] ? card(board[i]) : none()));
  host.replaceChildren(
    seat("agent", agent, hand?.agent ?? NOBODY, facts("agent")),
    el(
      "div",
      { class: "middle" },
      el("div", { class: "faces board", testid: "board", role: "group", "aria-label": "Board" }, ...places),
      el("div", { class: "pot", testid: "pot" }, hand ? `Pot ${number(hand.pot)}` : ""),
    ),
    seat("you", "You", hand?.you ?? NOBODY, facts("you")),
  );
}
