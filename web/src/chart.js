// Series of points: curves along a stream, accuracy against budget or time, with bands or error bars.
import * as Plot from "@observablehq/plot";
import { axis, logAxes } from "./axis.js";
import { drawToFit, element, figure } from "./dom.js";
import { format } from "./format.js";

export const colours = 8;
const symbols = ["circle", "square", "triangle", "diamond", "cross", "star", "wye", "plus"];

// The first is a solid line.
const dashes = [undefined, "6 4", "1.5 3", "10 3 2 3", "12 4", "3 2", "10 3 2 3 2 3", "1.5 6"];
const dash = (series) => dashes[(series.dash ?? 0) % dashes.length];
// Beyond the colours a colour comes again, with another shape.
const symbol = (k) => symbols[(k + Math.floor(k / colours)) % symbols.length];

export const colour = (i) => `var(--series-${(i % colours) + 1})`;

const isLine = (series) => series.drawn !== "dots";
const hasDots = (series) => series.drawn === "dots" || series.drawn === "line-and-dots";
const known = (value) => value !== null && value !== undefined;

function tipText(chart, series, point) {
  const lines = [];
  if (point.label) lines.push(point.label);
  if (chart.series.length > 1 || !point.label) lines.push(series.name);
  const spread = (middle, low, high, unit) =>
    known(low) && known(high) ? `${format(middle, unit, 4)} (${format(low, unit, 4)} to ${format(high, unit, 4)})` : format(middle, unit, 4);
  lines.push(`${chart.x.label}: ${spread(point.x, point.left, point.right, chart.x.unit)}`);
  lines.push(`${chart.y.label}: ${spread(point.y, point.low, point.high, chart.y.unit)}`);
  return lines.join("\n");
}

function marksOf(series, i) {
  const stroke = colour(series.colour ?? i);
  const marks = [];
  const spread = series.points.filter((point) => known(point.low) && known(point.high));
  const xSpread = series.points.filter((point) => known(point.left) && known(point.right));
  if (isLine(series)) {
    const curve = series.drawn === "step" ? "step-after" : "linear";
    if (spread.length > 1) {
      marks.push(Plot.areaY(spread, { x: "x", y1: "low", y2: "high", fill: stroke, fillOpacity: 0.16, curve }));
    }
    marks.push(
      Plot.lineY(series.points, {
        x: "x",
        y: "y",
        stroke,
        curve,
        strokeWidth: series.faint ? 1.2 : 2.2,
        strokeOpacity: series.faint ? 0.55 : 1,
        strokeDasharray: dash(series),
        strokeLinejoin: "round",
      }),
    );
  }
  if (hasDots(series)) {
    if (!isLine(series) || spread.length === 1) {
      marks.push(Plot.ruleX(spread, { x: "x", y1: "low", y2: "high", stroke, strokeWidth: 1.5, strokeOpacity: 0.8 }));
    }
    marks.push(Plot.ruleY(xSpread, { y: "y", x1: "left", x2: "right", stroke, strokeWidth: 1.5, strokeOpacity: 0.8 }));
    marks.push(
      Plot.dot(series.points, {
        x: "x",
        y: "y",
        r: series.faint ? 2 : 4.5,
        fill: stroke,
        fillOpacity: series.faint ? 0.5 : 1,
        stroke: series.faint ? "none" : "var(--surface)",
        strokeWidth: 1,
        symbol: symbol(series.colour ?? i),
      }),
    );
  }
  const labelled = series.points.filter((point) => point.label && series.labelled);
  if (labelled.length > 0) {
    marks.push(Plot.text(labelled, { x: "x", y: "y", text: "label", dy: -11, fill: "var(--muted)", fontSize: 11 }));
  }
  return marks;
}

const entry = (style, shape, name) => element("li", { style }, element("span", { class: `swatch ${shape}` }), name);
const firstOf = (list, key) => list.filter((one, i) => list.findIndex((other) => other[key] === one[key]) === i);

// A piece of the line itself, for its dashes.
function dashEntry(series) {
  const line = `<svg xmlns="http://www.w3.org/2000/svg" width="36" height="8"><path d="M0 4H36" stroke="black" stroke-width="2" stroke-dasharray="${dash(series) ?? ""}"/></svg>`;
  const style = `--mask: url("data:image/svg+xml,${encodeURIComponent(line)}")`;
  return entry(style, "pattern", series.variant);
}

function seriesEntry(series, i, name) {
  const shape = hasDots(series) && !isLine(series) ? "dot" : dash(series) && !series.of ? "dashed" : series.faint ? "faint" : "line";
  return entry(`--swatch: ${colour(series.colour ?? i)}`, shape, name);
}

// Series with the same name share one entry. If colours and dashes have their own meanings, each of them has an entry.
function legend(chart) {
  const numbered = chart.series.map((series, i) => ({ ...series, i }));
  const byParts = numbered.some((series) => series.of);
  const entries = byParts
    ? [
        ...firstOf(numbered.filter((series) => series.of), "of").map((series) => seriesEntry(series, series.i, series.of)),
        ...firstOf(numbered.filter((series) => series.variant), "variant")
          .sort((a, b) => (a.dash ?? 0) - (b.dash ?? 0))
          .map(dashEntry),
      ]
    : firstOf(numbered, "name").map((series) => seriesEntry(series, series.i, series.name));
  if (entries.length === 1) entries.pop();
  if (chart.alarms?.length) entries.push(alarmEntry());
  return entries.length > 0 ? element("ul", { class: "legend" }, entries) : "";
}

export const alarmEntry = () => entry("--swatch: var(--alarm)", "alarm", "drift alarm");

// Vertical lines where drift was noticed.
export function alarmMarks(alarms, [least, most]) {
  const shown = (alarms ?? []).filter((at) => at >= least && at <= most);
  if (shown.length === 0) return [];
  return [
    Plot.ruleX(shown, { stroke: "var(--alarm)", strokeWidth: 1.2, strokeOpacity: shown.length > 40 ? 0.4 : 0.8, ariaLabel: () => "alarm" }),
    Plot.dot(shown, { x: (at) => at, frameAnchor: "top", symbol: "triangle2", r: 3.5, fill: "var(--alarm)", ariaLabel: () => "alarm" }),
  ];
}

function draw(chart, width) {
  const shown = chart.series.flatMap((series) => series.points.map((point) => ({ ...point, series })));
  const xs = shown.flatMap((point) => [point.x, point.left, point.right]).filter(known);
  const ys = shown.flatMap((point) => [point.y, point.low, point.high]).filter(known);
  ys.push(...(chart.references ?? []).map((line) => line.y));
  const tips = shown.filter((point) => known(point.y));
  const dense = tips.length > 60 && chart.series.every(isLine);
  const pointer = dense ? Plot.pointerX : Plot.pointer;
  const margins = { marginLeft: 58, marginRight: 18, marginTop: 30, marginBottom: 42 };
  const plotted = chart.square ? Math.min(width, 560) : width;
  const inner = plotted - margins.marginLeft - margins.marginRight;
  const height = chart.square
    ? inner + margins.marginTop + margins.marginBottom
    : Math.round(Math.min(380, Math.max(230, width * 0.5)));
  const x = axis(chart.x, xs, {
    ticks: Math.max(3, Math.floor(plotted / 90)),
    anchor: "x",
    room: chart.series.some(hasDots) ? 0.05 : 0,
    length: inner,
  });
  const y = axis(chart.y, ys, { ticks: 5, anchor: "y" });
  return Plot.plot({
    width: plotted,
    height,
    ...margins,
    ariaLabel: chart.title,
    style: { fontSize: "12px", fontFamily: "inherit", background: "none", overflow: "visible" },
    x,
    y,
    marks: [
      ...logAxes(x, y),
      ...(chart.references ?? []).flatMap((line) => [
        Plot.ruleY([line.y], { stroke: "var(--muted)", strokeDasharray: "2 3", strokeWidth: 1.3 }),
        Plot.text([line], {
          y: "y",
          text: "name",
          frameAnchor: "right",
          textAnchor: "end",
          dy: -7,
          fill: "var(--muted)",
          stroke: "var(--surface)",
          strokeWidth: 4,
        }),
      ]),
      ...alarmMarks(chart.alarms, x.domain),
      ...chart.series.flatMap(marksOf),
      Plot.tip(tips, pointer({ x: "x", y: "y", title: (point) => tipText(chart, point.series, point) })),
    ],
  });
}

export function chartBlock(chart) {
  const holder = element("div", { class: "plot" });
  return { node: figure(chart, legend(chart), holder), start: () => drawToFit(holder, (width) => draw(chart, width)) };
}

function drawBars(block, width) {
  const unit = block.axis.unit;
  const log = block.axis.scale === "log";
  const longest = Math.max(...block.bars.map((bar) => bar.name.length));
  const values = block.bars.flatMap((bar) => [bar.value, bar.high]).filter(known);
  const begin = log ? Math.min(...values.filter((value) => value > 0)) / 3 : 0;
  const spread = block.bars.filter((bar) => known(bar.low) && known(bar.high));
  const x = { ...axis({ least: begin, ...block.axis }, values, { ticks: 4, anchor: "x" }), grid: true };
  return Plot.plot({
    width,
    height: 46 + 30 * block.bars.length,
    marginLeft: Math.min(width * 0.4, 16 + 7 * longest),
    marginRight: 64,
    marginBottom: 36,
    marginTop: 6,
    ariaLabel: block.title,
    style: { fontSize: "12px", fontFamily: "inherit", background: "none", overflow: "visible" },
    x,
    y: { domain: block.bars.map((bar) => bar.name), label: null, tickSize: 0 },
    marks: [
      ...logAxes(x),
      Plot.barX(block.bars, {
        x1: block.axis.least ?? begin,
        x2: "value",
        y: "name",
        fill: (bar) => colour(bar.colour ?? 0),
        rx: 2,
        insetTop: 4,
        insetBottom: 4,
      }),
      Plot.ruleY(spread, { x1: "low", x2: "high", y: "name", strokeWidth: 1.5 }),
      Plot.text(block.bars, {
        x: (bar) => bar.high ?? bar.value,
        y: "name",
        text: (bar) => format(bar.value, unit),
        textAnchor: "start",
        dx: 6,
      }),
    ],
  });
}

export function barsBlock(block) {
  const holder = element("div", { class: "plot" });
  return { node: figure(block, holder), start: () => drawToFit(holder, (width) => drawBars(block, width)) };
}
