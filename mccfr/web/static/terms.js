// Words of the glossary: linked where they stand in texts, explained in a box beside them, and listed in one place.

import { byId, el } from "page/dom.js";

const SKIPPED = "a, button, [role=button], cite, code, pre, h1, h2, h3, h4, dt, th, label, select, summary, svg, kbd, .chart, [role=img]";
const GAP = 8; // pixels between the box and the word, and the edge of the window

let terms = new Map();
let forms = new Map();
let pattern = null;
let asker = null; // the word whose box is open
let goTo = () => {};

/** Takes the glossary, writes it down, and links the words of all texts that are in the page from the beginning. */
export function startTerms(glossary, showEntry) {
  terms = new Map(glossary.map((term) => [term.key, term]));
  forms = new Map(glossary.flatMap((term) => term.forms.map((form) => [form.toLowerCase(), term.key])));
  const longestFirst = [...forms.keys()].sort((a, b) => b.length - a.length).map(escaped);
  pattern = longestFirst.length ? new RegExp(`(?<![\\w-])(?:${longestFirst.join("|")})(?![\\w-])`, "gi") : null;
  goTo = showEntry;
  list(byId("glossary"), glossary);
  document.querySelectorAll("#view-explain .panel, .view:not(#view-explain) .panel > p.soft").forEach((one) => linkTerms(one));
  document.addEventListener("click", (event) => {
    const word = event.target.closest?.(".term");
    if (word) open(word);
  });
  document.addEventListener("keydown", pressed);
  byId("term").addEventListener("toggle", (event) => event.newState === "closed" && closed());
}

/** Enter and Space open a word, as they do with buttons; real ones cannot break across lines. */
function pressed(event) {
  if (!event.target.matches?.(".term") || ![" ", "Enter"].includes(event.key)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  open(event.target);
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

function list(host, glossary) {
  host.replaceChildren(
    ...glossary.flatMap((term) => {
      const meaning = el("dd", { testid: `meaning-${term.key}` }, term.meaning);
      linkTerms(meaning, [term.key]);
      return [el("dt", { id: `term-${term.key}`, tabindex: -1 }, term.title), meaning];
    }),
  );
}

/** Makes the first use of every word of the glossary in a text a button that explains it. `known`: words to leave. */
export function linkTerms(root, known = []) {
  if (!pattern) return;
  const seen = new Set(known);
  root.querySelectorAll(".term").forEach((word) => seen.add(word.dataset.term));
  for (const text of textsIn(root)) link(text, seen);
}

function textsIn(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { currentNode } = walker;
    const inGlossary = root.matches("dd") ? null : currentNode.parentElement.closest(".glossary");
    if (!currentNode.parentElement.closest(SKIPPED) && !inGlossary) found.push(currentNode);
  }
  return found;
}

function link(text, seen) {
  const pieces = [];
  let from = 0;
  for (const match of text.data.matchAll(pattern)) {
    const key = forms.get(match[0].toLowerCase());
    if (seen.has(key)) continue;
    seen.add(key);
    pieces.push(text.data.slice(from, match.index), word(key, match[0]));
    from = match.index + match[0].length;
  }
  if (pieces.length) text.replaceWith(...pieces, text.data.slice(from));
}

const word = (key, text) =>
  el("span", { class: "term", role: "button", tabindex: 0, "data-term": key, "aria-haspopup": "dialog" }, text);

function open(word) {
  const box = byId("term");
  const term = terms.get(word.dataset.term);
  const entry = el("button", { class: "link", testid: "term-entry", onclick: () => leave(term.key) }, "In the glossary");
  box.replaceChildren(el("h3", { id: "term-title" }, term.title), el("p", {}, term.meaning), el("p", {}, entry));
  asker = word;
  word.setAttribute("aria-expanded", "true");
  if (!box.matches(":popover-open")) box.showPopover();
  place(box, word.getBoundingClientRect());
  entry.focus({ preventScroll: true });
}

/** Below the word, or above it if there is no room; always inside the window. */
function place(box, at) {
  const left = Math.max(GAP, Math.min(at.left, document.documentElement.clientWidth - box.offsetWidth - GAP));
  const below = at.bottom + GAP + box.offsetHeight < innerHeight || at.top < box.offsetHeight + GAP;
  box.style.left = `${left + scrollX}px`;
  box.style.top = `${(below ? at.bottom + GAP : at.top - GAP - box.offsetHeight) + scrollY}px`;
}

/** The focus goes back to the word, unless the reader has gone somewhere else. */
function closed() {
  const focused = document.activeElement;
  asker?.removeAttribute("aria-expanded");
  if (asker?.isConnected && (focused === document.body || byId("term").contains(focused)))
    asker.focus({ preventScroll: true });
  asker = null;
}

function leave(key) {
  asker?.removeAttribute("aria-expanded");
  asker = null;
  byId("term").hidePopover();
  document.querySelectorAll(".glossary .found").forEach((one) => one.classList.remove("found"));
  byId(`term-${key}`).classList.add("found");
  goTo(key);
}
