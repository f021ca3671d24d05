// A confusion matrix. Cells are shaded by their share of the row, the true class.
import * as Plot from "@observablehq/plot";
import { drawToFit, element, figure } from "./dom.js";
import { format, whole } from "./format.js";

function cells(block) {
  const n = block.labels.length;
  const made = [];
  for (let truth = 0; truth < n; ++truth) {
    const row = block.counts.slice(truth * n, (truth + 1) * n);
    const total = row.reduce((sum, count) => sum + count, 0);
    row.forEach((count, predicted) => {
      const share = total > 0 ? count / total : 0;
      made.push({ truth: block.labels[truth], predicted: block.labels[predicted], count, share, right: truth === predicted });
    });
  }
  return made;
}

function draw(block, width) {
  const n = block.labels.length;
  const longest = Math.max(...block.labels.map((label) => label.length));
  const left = Math.min(width * 0.25, 44 + 6.5 * longest);
  const size = Math.max(14, Math.min(n <= 3 ? 120 : 64, (width - left - 12) / n));
  const high = Math.min(size, n <= 3 ? 84 : 52);
  const text = size >= 46 ? 13 : size >= 30 ? 11 : 9;
  const turned = n > 6 && longest > 3;
  const top = 50 + (turned ? Math.min(80, 4.6 * longest) : 0);
  const drawn = cells(block);
  const tipOf = (c) => `${c.truth} predicted as ${c.predicted}\n${whole.format(c.count)} examples, ${format(c.share, "share")} of its class`;
  const shade = (c) => 0.92 * Math.sqrt(c.share);
  const label = (c) => (size >= 40 ? whole.format(c.count) : c.count < 1000 ? String(c.count) : format(c.count, "count", 2));
  const isShown = (c) => c.count > 0 && size >= 19;
  const words = { x: "predicted", y: "truth", fontSize: text, dy: n <= 5 ? -7 : 0, text: label };
  const shares = { x: "predicted", y: "truth", fontSize: 11, dy: 10, text: (c) => format(c.share, "share") };
  const light = (c) => isShown(c) && shade(c) <= 0.6;
  const dark = (c) => isShown(c) && shade(c) > 0.6;
  return Plot.plot({
    width: Math.min(width, left + n * size + 12),
    height: top + 12 + n * high,
    marginLeft: left,
    marginTop: top,
    marginBottom: 8,
    marginRight: 12,
    padding: 0.04,
    ariaLabel: block.title,
    style: { fontSize: "12px", fontFamily: "inherit", background: "none", overflow: "visible" },
    x: { domain: block.labels, label: "predicted class", axis: "top", tickSize: 0, labelAnchor: "center", labelArrow: "none", labelOffset: top - 10, tickRotate: turned ? -40 : 0 },
    y: { domain: block.labels, label: "true class", tickSize: 0, labelArrow: "none" },
    marks: [
      Plot.cell(drawn, {
        x: "predicted",
        y: "truth",
        fill: (c) => (c.right ? "var(--series-1)" : "var(--series-2)"),
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
  });
}

export function confusionBlock(block) {
  const holder = element("div", { class: "plot" });
  return { node: figure(block, holder), start: () => drawToFit(holder, (width) => draw(block, width)) };
}
