// A decision map of two features: the score or class at every point, the boundary with its margins, examples, and the
// support vectors as rings.
import * as Plot from "@observablehq/plot";
import { drawToFit, element, figure } from "./dom.js";
import { colour, colours } from "./chart.js";
import { format } from "./format.js";

// The colours of the classes. Of two classes, class 1 is the positive side.
const classColour = (k) => colour(k);

function rgb(text) {
  const probe = element("span", { style: `color: ${text}; display: none` });
  document.body.append(probe);
  const parts = getComputedStyle(probe).color.match(/[\d.]+/g).map(Number);
  probe.remove();
  return parts;
}

// In regression the scores are the predictions, and there is no boundary.
const ofNumbers = (block) => block.labels.length === 0;

// The palette index and the opacity (0 to 1) of a grid point.
function lookOf(block) {
  if (block.classes) return (i) => [block.classes[i], 0.6];
  if (ofNumbers(block)) {
    const least = block.scores.reduce((a, b) => Math.min(a, b));
    const most = block.scores.reduce((a, b) => Math.max(a, b));
    return (i) => [0, (block.scores[i] - least) / (most - least || 1)];
  }
  const sizes = block.scores.map(Math.abs).sort((a, b) => a - b);
  const usual = sizes[Math.floor(0.9 * sizes.length)] || 1;
  return (i) => [block.scores[i] >= 0 ? 1 : 0, Math.min(1, Math.abs(block.scores[i]) / usual)];
}

// The background as an image, without the outermost cells of the grid. The colours are translucent, so that they suit light and dark pages and paper.
function picture(block) {
  const [width, height] = [block.width - 2, block.height - 2];
  const canvas = element("canvas", { width, height });
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const image = pen.createImageData(width, height);
  const palette = Array.from({ length: colours }, (_, k) => rgb(colour(k)));
  const look = lookOf(block);
  for (let row = 0; row < height; ++row) {
    for (let column = 0; column < width; ++column) {
      const from = (row + 1) * block.width + column + 1;
      const to = 4 * ((height - 1 - row) * width + column);
      const [k, strength] = look(from);
      image.data.set([...palette[k % colours].slice(0, 3), Math.round(255 * (0.06 + 0.44 * strength))], to);
    }
  }
  pen.putImageData(image, 0, 0);
  return canvas.toDataURL();
}

// A custom mark that fills the frame with the image.
function backdrop(url) {
  return (_index, scales) => {
    const image = document.createElementNS("http://www.w3.org/2000/svg", "image");
    const [left, right] = scales.x.range();
    const [bottom, top] = scales.y.range();
    const attributes = { href: url, x: left, y: top, width: right - left, height: bottom - top, preserveAspectRatio: "none" };
    for (const [name, value] of Object.entries(attributes)) image.setAttribute(name, value);
    return image;
  };
}

// The borders between classes: lines along the edges of the grid cells.
function borders(block) {
  const lines = [];
  const dx = (block.right - block.left) / block.width;
  const dy = (block.top - block.bottom) / block.height;
  for (let row = 0; row < block.height; ++row) {
    for (let column = 0; column < block.width; ++column) {
      const at = row * block.width + column;
      const [x, y] = [block.left + (column + 1) * dx, block.bottom + (row + 1) * dy];
      if (column + 1 < block.width && block.classes[at] !== block.classes[at + 1]) lines.push([x, y - dy, x, y]);
      if (row + 1 < block.height && block.classes[at] !== block.classes[at + block.width]) lines.push([x - dx, y, x, y]);
    }
  }
  const end = (i) => (line) => line[i];
  return Plot.link(lines, { x1: end(0), y1: end(1), x2: end(2), y2: end(3), stroke: "currentColor", strokeOpacity: 0.8, strokeWidth: 1.2, clip: true });
}

function contours(block) {
  const grid = { width: block.width, height: block.height, x1: block.left, x2: block.right, y1: block.bottom, y2: block.top };
  const line = (levels, options) =>
    Plot.contour(block.scores, { ...grid, thresholds: levels, fill: "none", stroke: "currentColor", smooth: true, clip: true, ...options });
  if (ofNumbers(block)) return [line(block.levels, { strokeWidth: 1, strokeOpacity: 0.6 })];
  return [
    line(block.levels.filter((level) => level !== 0), { strokeWidth: 1, strokeDasharray: "4 3", strokeOpacity: 0.75 }),
    line(block.levels.filter((level) => level === 0), { strokeWidth: 2 }),
  ];
}

function draw(block, width) {
  const weight = (vector) => Math.abs(vector.coefficient);
  const heaviest = block.support.reduce((most, vector) => Math.max(most, weight(vector)), 1e-300);
  const radius = (vector) => 2.5 + 6 * Math.sqrt(weight(vector) / heaviest);
  const ratio = (block.top - block.bottom) / (block.right - block.left);
  // Leave out the outermost cells: contour lines that end there would run along the frame.
  const dx = (block.right - block.left) / block.width;
  const dy = (block.top - block.bottom) / block.height;
  const plotted = Math.min(width, 720);
  const height = Math.round((plotted - 70) * (ratio > 0.5 && ratio < 1.3 ? ratio : 0.8)) + 60;
  const tip = (vector) =>
    `support vector${vector.label ? ` of ${vector.label}` : ""}\nat ${format(vector.x, "number")}, ${format(vector.y, "number")}\ncoefficient ${format(vector.coefficient, "number")}`;
  const withClass = block.support.map((vector) => ({ ...vector, label: block.labels[vector.class] }));
  const fill = (item) => (item.class >= 0 ? classColour(item.class) : "var(--muted)");
  return Plot.plot({
    width: plotted,
    height,
    marginLeft: 50,
    marginRight: 16,
    marginTop: 26,
    marginBottom: 40,
    ariaLabel: block.title,
    style: { fontSize: "12px", fontFamily: "inherit", background: "none" },
    x: { domain: [block.left + dx, block.right - dx], ticks: 8, label: block.x, labelAnchor: "center", labelArrow: "none", tickFormat: (v) => format(v, "number", 4) },
    y: { domain: [block.bottom + dy, block.top - dy], ticks: 8, label: block.y, labelArrow: "none", tickFormat: (v) => format(v, "number", 4) },
    color: { type: "identity" },
    r: { type: "identity" },
    marks: [
      backdrop(picture(block)),
      Plot.dot(block.examples, { x: "x", y: "y", r: 1.6, fill, fillOpacity: 0.75, clip: true }),
      ...(block.classes ? [borders(block)] : contours(block)),
      Plot.dot(withClass, {
        x: "x",
        y: "y",
        r: radius,
        stroke: "var(--surface)",
        strokeWidth: 3.2,
        strokeOpacity: 0.6,
        fill: "none",
        clip: true,
      }),
      Plot.dot(withClass, {
        x: "x",
        y: "y",
        r: radius,
        stroke: fill,
        strokeWidth: 1.8,
        fill: "none",
        clip: true,
      }),
      Plot.frame({ stroke: "var(--line)" }),
      Plot.tip(withClass, Plot.pointer({ x: "x", y: "y", title: tip })),
    ],
  });
}

function legend(block) {
  const entries = block.labels.map((label, k) =>
    element("li", { style: `--swatch: ${classColour(k)}` }, element("span", { class: "swatch dot" }), label),
  );
  if (block.support.length > 0) entries.push(element("li", {}, element("span", { class: "swatch ring" }), "support vector"));
  if (ofNumbers(block)) {
    const levels = block.levels.map((level) => format(level, "number")).join(", ");
    entries.push(element("li", {}, element("span", { class: "swatch faint" }), `levels ${levels}`));
  } else if (!block.classes) {
    entries.push(element("li", {}, element("span", { class: "swatch line" }), "boundary"));
    if (block.levels.length > 1) entries.push(element("li", {}, element("span", { class: "swatch dashed" }), "margin"));
  }
  return element("ul", { class: "legend" }, entries);
}

export function mapBlock(block) {
  const holder = element("div", { class: "plot" });
  return { node: figure(block, legend(block), holder), start: () => drawToFit(holder, (width) => draw(block, width)) };
}
