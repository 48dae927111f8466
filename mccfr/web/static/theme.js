// Light or dark: what the system prefers until the reader says otherwise.

import { byId } from "page/dom.js";

const KEY = "mccfr-theme";

function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

const preferred = () => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

export function startTheme(changed) {
  const button = byId("theme");
  function apply(theme) {
    document.documentElement.dataset.theme = theme;
    button.textContent = theme === "dark" ? "Light" : "Dark";
    changed();
  }
  button.addEventListener("click", () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(KEY, next);
    } catch {
      /* a page opened from a file may not store */
    }
    apply(next);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => remembered() ?? apply(preferred()));
  apply(remembered() ?? preferred());
}

/** A colour of the current theme by the name of its variable. */
export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
