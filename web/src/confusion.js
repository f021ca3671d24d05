// A confusion matrix. Cells are shaded by their share of the row, the true class. Of many classes it is a heat map: cells have
// no numbers where these do not fit, and the recall stands beside each row.
import * as Plot from "@observablehq/plot";
import { drawToFit, element, figure } from "./dom.js";
import { format, whole } from "./format.js";

// Classes are told apart by their place: labels may be equal.
function cells(block) {
  const n = block.labels.length;
  const made = [];
  for (let truth = 0; truth < n; ++truth) {
    const row = block.counts.slice(truth * n, (truth + 1) * n);
    const total = row.reduce((sum, count) => sum + count, 0);
    row.forEach((count, predicted) => made.push({ truth, predicted, count, share: total > 0 ? count / total : 0 }));
  }
  return made;
}

// Sizes of the parts, in pixels.
function layout(block, width) {
  const n = block.labels.length;
  const longest = Math.max(...block.labels.map((label) => label.length));
  const left = Math.min(width * 0.3, 44 + 6.5 * longest);
  const level = 7 * longest + 6;  // the width of a label of the x axis, with a gap
  const edge = block.recalls ? 52 : 12;
  const sizeBeside = (right) => Math.min(n <= 3 ? 120 : 64, (width - left - right) / n);
  const turned = longest > 3 && (n > 6 || level > sizeBeside(edge));
  const right = turned ? Math.max(edge, Math.min(78, 5.2 * longest)) : edge;
  const size = sizeBeside(right);
  const high = Math.max(Math.min(size, n <= 3 ? 84 : 52), 13);
  const top = 50 + (turned ? Math.min(90, 5.2 * longest) : 0);
  return { n, gap: turned ? 12 : level, left, right, size, high, turned, top, width: Math.min(width, left + n * size + right) };
}

function draw(block, width) {
  const at = layout(block, width);
  const { n, size } = at;
  const text = size >= 46 ? 13 : size >= 30 ? 11 : 9;
  const drawn = cells(block);
  const name = (k) => block.labels[k];
  const tipOf = (c) => `${name(c.truth)} predicted as ${name(c.predicted)}\n${whole.format(c.count)} examples, ${format(c.share, "share")} of its class`;
  const shade = (c) => 0.92 * Math.sqrt(c.share);
  const label = (c) => (size >= 40 ? whole.format(c.count) : c.count < 1000 ? String(c.count) : format(c.count, "count", 2));
  const isShown = (c) => c.count > 0 && size >= 19;
  const words = { x: "predicted", y: "truth", fontSize: text, dy: n <= 5 ? -7 : 0, text: label };
  const shares = { x: "predicted", y: "truth", fontSize: 11, dy: 10, text: (c) => format(c.share, "share") };
  const light = (c) => isShown(c) && shade(c) <= 0.6;
  const dark = (c) => isShown(c) && shade(c) > 0.6;
  const places = block.labels.map((_, k) => k);
  const stride = Math.max(1, Math.ceil(at.gap / size));
  const axisText = { tickSize: 0, label: null, text: name, textOverflow: "ellipsis" };
  return Plot.plot({
    width: at.width,
    height: at.top + 12 + n * at.high,
    marginLeft: at.left,
    marginTop: at.top,
    marginBottom: 8,
    marginRight: at.right,
    padding: n > 20 ? 0 : 0.04,
    ariaLabel: block.title,
    style: { fontSize: "12px", fontFamily: "inherit", background: "none", overflow: "visible" },
    x: { domain: places, label: null, axis: null },
    y: { domain: places, label: null, axis: null },
    marks: [
      Plot.axisX(places.filter((k) => k % stride === 0), { ...axisText, anchor: "top", tickRotate: at.turned ? -40 : 0, lineWidth: at.turned ? 8 : 10 }),
      Plot.axisY({ ...axisText, lineWidth: (at.left - 30) / 12 }),
      Plot.text(["predicted class"], { frameAnchor: "top", dy: 14 - at.top }),
      Plot.text(["true class"], { frameAnchor: "left", dx: 12 - at.left, rotate: -90 }),
      ...(block.recalls
        ? [
            Plot.text(["recall"], { frameAnchor: "top-right", dx: at.right - 2, dy: -16, textAnchor: "end", fill: "var(--muted)" }),
            Plot.text(places.filter((k) => block.recalls[k] !== null), {
              y: (k) => k,
              frameAnchor: "right",
              textAnchor: "end",
              dx: at.right - 2,
              text: (k) => format(block.recalls[k], "share", 3),
              fill: "var(--muted)",
              fontSize: 11,
            }),
          ]
        : []),
      Plot.cell(drawn, {
        x: "predicted",
        y: "truth",
        fill: (c) => (c.truth === c.predicted ? "var(--series-1)" : "var(--series-2)"),
        fillOpacity: shade,
        stroke: "var(--line)",
        strokeWidth: 0.5,
      }),
      Plot.text(drawn.filter(light), { ...words, fill: "currentColor" }),
      Plot.text(drawn.filter(dark), { ...words, fill: "var(--on-colour)" }),
      ...(n <= 5
        ? [
            Plot.text(drawn.filter(light), { ...shares, fill: "var(--muted)" }),
            Plot.text(drawn.filter(dark), { ...shares, fill: "var(--on-colour)", fillOpacity: 0.85 }),
          ]
        : []),
      Plot.tip(drawn, Plot.pointer({ x: "predicted", y: "truth", title: tipOf })),
    ],
    color: { type: "identity" },
    opacity: { type: "identity" },
  });
}

export function confusionBlock(block) {
  const holder = element("div", { class: "plot" });
  return { node: figure(block, holder), start: () => drawToFit(holder, (width) => draw(block, width)) };
}
