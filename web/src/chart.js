// Series of points: curves along a stream, accuracy against budget or time, with bands or error bars.
import * as Plot from "@observablehq/plot";
import { axis } from "./axis.js";
import { drawToFit, element, figure } from "./dom.js";
import { format } from "./format.js";

export const colours = 8;
const symbols = ["circle", "square", "triangle", "diamond", "cross", "star", "wye", "plus"];

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
        strokeDasharray: series.dashed ? "5 4" : undefined,
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
        symbol: symbols[i % symbols.length],
      }),
    );
  }
  const labelled = series.points.filter((point) => point.label && series.labelled);
  if (labelled.length > 0) {
    marks.push(Plot.text(labelled, { x: "x", y: "y", text: "label", dy: -11, fill: "var(--muted)", fontSize: 11 }));
  }
  return marks;
}

// Series with the same name share one entry of the legend.
function legend(chart) {
  const isFirst = (series, i) => chart.series.findIndex((other) => other.name === series.name) === i;
  const entries = chart.series.map((series, i) => {
    if (!isFirst(series, i)) return "";
    const style = `--swatch: ${colour(series.colour ?? i)}`;
    const shape = hasDots(series) && !isLine(series) ? "dot" : series.dashed ? "dashed" : series.faint ? "faint" : "line";
    return element("li", { style }, element("span", { class: `swatch ${shape}` }), series.name);
  });
  return chart.series.length > 1 ? element("ul", { class: "legend" }, entries) : "";
}

function draw(chart, width) {
  const shown = chart.series.flatMap((series) => series.points.map((point) => ({ ...point, series })));
  const xs = shown.flatMap((point) => [point.x, point.left, point.right]).filter(known);
  const ys = shown.flatMap((point) => [point.y, point.low, point.high]).filter(known);
  ys.push(...(chart.references ?? []).map((line) => line.y));
  const tips = shown.filter((point) => known(point.y));
  const dense = tips.length > 60 && chart.series.every(isLine);
  const pointer = dense ? Plot.pointerX : Plot.pointer;
  const height = Math.round(Math.min(380, Math.max(230, width * 0.5)));
  return Plot.plot({
    width,
    height,
    marginLeft: 58,
    marginRight: 18,
    marginTop: 30,
    marginBottom: 42,
    ariaLabel: chart.title,
    style: { fontSize: "12px", fontFamily: "inherit", background: "none", overflow: "visible" },
    x: axis(chart.x, xs, { ticks: Math.max(3, Math.floor(width / 90)), anchor: "x", room: chart.series.some(hasDots) ? 0.05 : 0 }),
    y: axis(chart.y, ys, { ticks: 5, anchor: "y" }),
    marks: [
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
  return Plot.plot({
    width,
    height: 46 + 30 * block.bars.length,
    marginLeft: Math.min(width * 0.4, 16 + 7 * longest),
    marginRight: 64,
    marginBottom: 36,
    marginTop: 6,
    ariaLabel: block.title,
    style: { fontSize: "12px", fontFamily: "inherit", background: "none", overflow: "visible" },
    x: { ...axis({ least: begin, ...block.axis }, values, { ticks: 4, anchor: "x" }), grid: true },
    y: { domain: block.bars.map((bar) => bar.name), label: null, tickSize: 0 },
    marks: [
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
