// Small charts as plain SVG: cheap enough to be redrawn while a solver plays at full speed.

import { svg } from "page/dom.js";

const decades = (low, high) => {
  const found = [];
  for (let k = Math.ceil(low - 1e-9); k <= high + 1e-9; k++) found.push(k);
  return found;
};

const powers = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"];
const power = (k) => `${k < 0 ? "⁻" : ""}${[...String(Math.abs(k))].map((digit) => powers[digit]).join("")}`;
const tenTo = (k) => (k === 0 ? "1" : k === 1 ? "10" : k === 2 ? "100" : k === 3 ? "1,000" : `10${power(k)}`);

/** A frame with an x axis of iterations, logarithmic, and a y axis that is logarithmic or runs from 0 to 1. */
export class Plot {
  constructor({ width, height, left, bottom, label, logY = false, right = 10, top = 8, title = null, testid }) {
    Object.assign(this, { width, height, left, bottom, right, top, logY, title });
    this.axes = svg("g", {});
    this.under = svg("g", {});
    this.lines = new Map();
    this.over = svg("g", {});
    this.element = svg(
      "svg",
      { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, testid },
      this.axes,
      this.under,
      this.over,
    );
    this.span(1, 0, 1);
  }

  /** Powers of ten at the right end, and what the y axis shows; redraws the axes when one of them changed. */
  span(last, low, high) {
    if (this.last === last && this.low === low && this.high === high) return false;
    Object.assign(this, { last, low, high });
    this.axes.replaceChildren(...this.gridlines());
    return true;
  }

  x(iteration) {
    const share = Math.log10(Math.max(1, iteration)) / this.last;
    return this.left + share * (this.width - this.left - this.right);
  }

  y(value) {
    const at = this.logY ? Math.log10(value) : value;
    const share = Math.max(-0.02, Math.min(1.02, (at - this.low) / (this.high - this.low)));
    return this.top + (1 - share) * (this.height - this.top - this.bottom);
  }

  gridlines() {
    const floor = this.height - this.bottom;
    const parts = [];
    const ys = this.logY
      ? decades(this.low, this.high).map((k) => [10 ** k, tenTo(k)])
      : [0, 0.5, 1].map((p) => [p, `${100 * p}%`]);
    for (const [value, words] of ys) {
      const y = this.y(value);
      parts.push(svg("path", { class: "grid", d: `M${this.left},${y} H${this.width - this.right}` }));
      parts.push(svg("text", { x: this.left - 5, y: y + 3.5, "text-anchor": "end" }, words));
    }
    const every = Math.ceil((this.last + 1) / Math.max(2, Math.floor((this.width - this.left) / 46)));
    for (const k of decades(0, this.last).filter((one) => one % every === 0)) {
      const x = this.x(10 ** k);
      parts.push(svg("path", { class: "grid", d: `M${x},${this.top} V${floor}` }));
      const anchor = k === this.last ? "end" : "middle";
      parts.push(svg("text", { x: k === this.last ? x + 4 : x, y: floor + 13, "text-anchor": anchor }, tenTo(k)));
    }
    const middle = (this.left + this.width - this.right) / 2;
    if (this.title) parts.push(svg("text", { x: middle, y: this.height - 4, "text-anchor": "middle" }, this.title));
    return parts;
  }

  /** A curve by its name; [iteration, value] pairs. */
  line(name, points, style) {
    if (!this.lines.has(name)) {
      this.lines.set(name, svg("polyline", { class: `curve ${style}`, "data-curve": name }));
      this.over.append(this.lines.get(name));
    }
    const line = this.lines.get(name);
    line.setAttribute("points", points.map(([t, p]) => `${this.x(t).toFixed(1)},${this.y(p).toFixed(1)}`).join(" "));
  }

  /** Dashed lines across, and a band between two that differ. */
  target(low, high) {
    const across = (value) => `M${this.left},${this.y(value).toFixed(1)} H${this.width - this.right}`;
    const [above, below] = [this.y(high), this.y(low)];
    if (high - low > 0.005)
      this.under.append(
        svg("rect", {
          class: "target-band",
          x: this.left,
          y: above,
          width: this.width - this.left - this.right,
          height: below - above,
        }),
      );
    this.under.append(svg("path", { class: "target-line", d: across(low), "data-target": low }));
    if (high - low > 0.005)
      this.under.append(svg("path", { class: "target-line", d: across(high), "data-target": high }));
  }
}
