// Choosing cards of the board: a row for each suit. Cards that are alike, since suits can be exchanged, say so.

import { el } from "page/dom.js";

export const SUITS = { s: ["♠", "spades"], h: ["♥", "hearts"], d: ["♦", "diamonds"], c: ["♣", "clubs"] };
const WORDS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten" };

export const spokenCard = (name) => `${WORDS[name[0]] ?? name[0]} of ${SUITS[name[1]][1]}`;

/** A card as text with its sign: K♥. */
export const signed = (name) => name[0] + SUITS[name[1]][0];

/** Several cards as text, `KhQd`, with their signs. */
export const signedAll = (text) => text.replace(/([2-9TJQKA])([cdhs])/g, (_, rank, suit) => rank + SUITS[suit][0]);

/** `count` cards out of `kinds`, lists of cards that are alike; `done(names)` gets them. */
export function cardPicker({ ranks, suits, count, kinds, done }) {
  const alike = new Map(kinds.flatMap((kind) => kind.map((name) => [name, kind])));
  const chosen = [];
  const says = el("p", { class: "soft small", role: "status" });
  const tell = () => {
    const left = count - chosen.length;
    const have = chosen.length ? ` Chosen so far: ${chosen.map(signed).join(" ")}.` : "";
    const more = chosen.length ? " more" : "";
    says.textContent = `Choose ${left === 1 ? `one${more} card` : `${left}${more} cards`} of the board.${have}`;
  };
  const toggle = (name, button) => {
    const at = chosen.indexOf(name);
    if (at >= 0) chosen.splice(at, 1);
    else chosen.push(name);
    button.setAttribute("aria-pressed", String(at < 0));
    tell();
    if (chosen.length === count) done(chosen);
  };
  const button = (name) => {
    const others = (alike.get(name) ?? []).filter((one) => one !== name);
    const words = spokenCard(name) + (others.length ? `, the same as ${others.map(spokenCard).join(" and ")}` : "");
    const one = el(
      "button",
      {
        class: `pick ${name[1]}`,
        testid: `card-${name}`,
        disabled: !alike.has(name),
        "aria-label": `${signed(name)}, ${words}`,
        "aria-pressed": "false",
        title: words,
        onclick: () => toggle(name, one),
      },
      signed(name),
    );
    return one;
  };
  const rows = [..."shdc"]
    .filter((suit) => "cdhs".indexOf(suit) < suits)
    .map((suit) => el("div", { class: "pick-row" }, ...[...ranks].map((rank) => button(rank + suit))));
  tell();
  const some = kinds.filter((kind) => kind.length > 1).length;
  const note =
    some && kinds.length < alike.size ? `${alike.size} cards, ${kinds.length} of them different in kind.` : "";
  const host = el("div", { class: "picker", testid: "card-picker", role: "group", "aria-label": "Cards to come" });
  host.style.setProperty("--side", [...ranks].length);
  host.append(says, ...rows, note ? el("p", { class: "soft small" }, note) : "");
  return host;
}
