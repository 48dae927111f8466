// Charts by Plotly, loaded when the first one is drawn, in the colours of the page.

import { colour } from "page/theme.js";

let loading = null;

function plotly() {
  if (window.Plotly) return Promise.resolve(window.Plotly);
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = "plotly.js";
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => reject(new Error("the charts could not be loaded"));
    document.head.append(script);
  });
  return loading;
}

// Looks that differ in colour, dash and marker: no curve is told by its colour alone. [Okabe and Ito's colours]
const LIGHT = ["#1b57b0", "#b3500f", "#0b7a5c", "#8a3d7c", "#3b3f46", "#9a6b00", "#0f7c9c", "#b0241c"];
const DARK = ["#86b5ff", "#ffb070", "#5fd3a8", "#e3a2d8", "#d5d9e0", "#f0cd63", "#7fd6f0", "#ff9288"];
const DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "solid", "dash"];
const MARKERS = ["circle", "square", "diamond", "triangle-up", "x", "cross", "star", "hexagon"];

export function look(i) {
  const dark = document.documentElement.dataset.theme === "dark";
  return { colour: (dark ? DARK : LIGHT)[i % 8], dash: DASHES[i % 8], marker: MARKERS[i % 8] };
}

/** One curve as Plotly wants it; a few markers along it. */
export function line(points, i, name, extra = {}) {
  const { colour: tint, dash, marker } = look(i);
  const every = Math.max(1, Math.round(points.length / 9));
  return {
    x: points.map((point) => point[0]),
    y: points.map((point) => point[1]),
    name,
    mode: "lines+markers",
    line: { color: tint, dash, width: 2.4 },
    marker: {
      symbol: marker,
      size: points.map((_, k) => (k % every === every - 1 || k === points.length - 1 ? 8 : 0)),
      color: tint,
      opacity: 1,
      line: { width: 0 },
    },
    hovertemplate: "%{y:.3g} at %{x:,}<extra>%{fullData.name}</extra>",
    ...extra,
  };
}

/** Labels at every power of ten; with few of them also at 2 and 5, and never so many that they meet. */
function labelled(values) {
  const logs = values.filter((x) => x > 0).map(Math.log10);
  if (!logs.length) return { dtick: 1 };
  const decades = Math.max(...logs) - Math.min(...logs);
  if (decades < 1) return {};
  return { dtick: decades < 3 ? "D2" : Math.ceil(decades / 7) };
}

function axis(title, log, values) {
  const grid = colour("line");
  return {
    ...(log ? labelled(values) : {}),
    title: { text: title, font: { size: 13 }, standoff: 12 },
    type: log ? "log" : "linear",
    gridcolor: grid,
    linecolor: grid,
    zerolinecolor: grid,
    exponentformat: "power",
    automargin: false, // margins that follow the labels are laid out again and again, with a warning each time
  };
}

const MARGIN = { l: 74, r: 16, t: 12, b: 54 }; // room for the longest labels, such as 0.0005, and the titles beside them
const LEGEND = 34; // pixels above the chart for the names of its curves, where no label can collide with them

const waiting = new Map();

/** Draws or redraws a chart; while one is being drawn only the newest wish is kept. */
export async function draw(
  host,
  curves,
  { x, y, logX = true, logY = true, height = 380, annotations = [], shapes = [], legend = true } = {},
) {
  const pending = waiting.has(host);
  waiting.set(host, [curves, { x, y, logX, logY, height, annotations, shapes, legend }]);
  if (pending) return;
  const Plotly = await plotly();
  await new Promise(requestAnimationFrame);
  const [newest, how] = waiting.get(host);
  waiting.delete(host);
  if (!host.isConnected || host.offsetParent === null) return;
  const layout = {
    xaxis: axis(how.x, how.logX, newest.flatMap((curve) => curve.x ?? [])),
    yaxis: axis(how.y, how.logY, newest.flatMap((curve) => curve.y ?? [])),
    height: how.height,
    margin: how.legend ? { ...MARGIN, t: LEGEND } : MARGIN,
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: getComputedStyle(document.body).fontFamily, color: colour("ink"), size: 12.5 },
    legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0 },
    showlegend: how.legend,
    annotations: how.annotations,
    shapes: how.shapes,
    autosize: true,
  };
  await Plotly.react(host, newest, layout, { displayModeBar: false, responsive: true });
}

export const AXES = { iteration: [0, "iterations"], touched: [1, "nodes touched"], seconds: [2, "seconds of solving"] };

/** Points of a server's curve [iteration, touched, seconds, exploitability] against one of the three. */
export function against(curve, axisName) {
  const column = AXES[axisName]?.[0] ?? 0;
  return curve.filter((point) => point[column] > 0 && point[3] > 0).map((point) => [point[column], point[3]]);
}
