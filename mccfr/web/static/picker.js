// A menu that also takes free text: any game or method the library knows, not only the listed ones.

import { el } from "page/dom.js";

const OWN = "\u0000own";

/** A labelled menu; `choices` are {value, title}; `changed(value)` is told what was chosen or written. */
export class Picker {
  constructor(label, name, choices, changed) {
    this.changed = changed;
    this.choices = choices;
    this.menu = el("select", { testid: name, "aria-label": label, onchange: () => this.select() });
    this.own = el("input", {
      testid: `${name}-own`,
      "aria-label": `${label}, written out`,
      hidden: true,
      size: 22,
      spellcheck: "false",
      autocomplete: "off",
    });
    this.own.addEventListener("change", () => this.own.value.trim() && this.changed(this.own.value.trim()));
    this.element = el("label", { class: "field" }, label, this.menu, this.own);
    this.fill();
  }

  fill() {
    const groups = new Map();
    for (const choice of this.choices) {
      const option = el("option", { value: choice.value }, choice.title);
      if (!choice.group) groups.set(choice.value, option);
      else {
        if (!groups.has(choice.group)) groups.set(choice.group, el("optgroup", { label: choice.group }));
        groups.get(choice.group).append(option);
      }
    }
    this.menu.replaceChildren(...groups.values(), el("option", { value: OWN }, "write your own…"));
  }

  select() {
    const own = this.menu.value === OWN;
    this.own.hidden = !own;
    if (own) this.own.focus();
    else this.changed(this.menu.value);
  }

  get value() {
    return this.menu.value === OWN ? this.own.value.trim() : this.menu.value;
  }

  set value(text) {
    const listed = this.choices.some((choice) => choice.value === text);
    this.menu.value = listed ? text : OWN;
    this.own.hidden = listed;
    if (!listed) this.own.value = text;
  }

  set disabled(off) {
    this.menu.disabled = this.own.disabled = off;
  }
}
