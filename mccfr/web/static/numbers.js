// Numbers as people read them. The server's own digits stay available as titles (`exact`).

const MINUS = "\u2212";
const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";

const grouped = new Intl.NumberFormat("en-US");

export const exact = (x) => (x === null || x === undefined ? "" : String(x));

function superscript(n) {
  const digits = [...String(Math.abs(n))].map((d) => SUPERSCRIPT[d]).join("");
  return n < 0 ? `⁻${digits}` : digits;
}

/** A count: 12,345, or 1.23 M when it gets long. */
export function count(n) {
  if (n === null || n === undefined) return "–";
  if (n >= 1e9) return `${(n / 1e9).toFixed(2)} G`;
  if (n >= 1e7) return `${(n / 1e6).toFixed(1)} M`;
  return grouped.format(Math.round(n));
}

/** Three significant digits, a real minus sign, powers of ten when far from one. */
export function number(x, digits = 3) {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : `${MINUS}∞`;
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size < 1e-15) return "≈0";
  let text;
  if (size >= 1e6 || size < 1e-3) {
    const [mantissa, power] = size.toExponential(digits - 1).split("e");
    text = `${mantissa}·10${superscript(Number(power))}`;
  } else if (size >= 1000) {
    text = grouped.format(Math.round(size));
  } else {
    text = String(Number(size.toPrecision(digits)));
  }
  return x < 0 ? MINUS + text : text;
}

/** As `number`, with the sign always written. */
export const signed = (x, digits = 3) => (x >= 1e-15 ? `+${number(x, digits)}` : number(x, digits));

export function percent(p) {
  if (p === null || p === undefined) return "–";
  const hundred = 100 * p;
  if (hundred > 0 && hundred < 0.1) return "<0.1%";
  return `${hundred >= 99.95 || hundred === 0 ? Math.round(hundred) : hundred.toFixed(hundred < 10 ? 1 : 0)}%`;
}

export function seconds(s) {
  if (s === null || s === undefined) return "–";
  if (s < 1) return `${number(s * 1000)} ms`;
  if (s < 120) return `${number(s)} s`;
  return `${Math.round(s / 60)} min`;
}

/** Chips per game and, where the game says what a big blind is, thousandths of it: the unit is always written. */
export function chips(x, units) {
  return `${number(x)} ${units?.name ?? "units"}/game`;
}

export function milliBlinds(x, units) {
  return units?.mbb ? `${number(x * units.mbb)} mbb/g` : "";
}
