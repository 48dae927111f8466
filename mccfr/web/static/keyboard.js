// Every control has a key. Keys never take away what a focused field or button does with them.

import { byId } from "page/dom.js";

const writing = (target) => target.matches("input:not([type=range]), textarea, select");

/** `acts` maps names to functions; views by number. `acts.own` is asked first: a view may have keys of its own. */
export function listen(acts) {
  document.addEventListener("keydown", (event) => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
    const target = focusOf(event);
    if (writing(target)) {
      if (key === "Escape") target.blur();
      return;
    }
    if (acts.own?.({ key, target })) {
      event.preventDefault();
      return;
    }
    const name = actionFor(key, event.shiftKey, target);
    if (!name) return;
    event.preventDefault();
    acts[name]?.(key);
  });
}

/** A dialog that has just been closed keeps the focus until the browser draws next: such a key is the page's. */
function focusOf({ target }) {
  return target.closest("dialog") ? document.body : target;
}

function actionFor(key, shifted, target) {
  if (key === " ") return target.matches("button, a, summary, [role=tab]") ? null : "toggle";
  if (key.startsWith("Arrow") && target.matches("input[type=range], [role=tab]")) return null;
  if (key === "ArrowRight") return shifted ? "step" : "inside";
  if (key === "ArrowLeft") return "back";
  if (/^[1-7]$/.test(key)) return "view";
  return { j: "jump", r: "restart", t: "tour", "/": "search", "?": "help" }[key] ?? null;
}
