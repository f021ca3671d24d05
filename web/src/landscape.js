// Values at some places of a plane, as a map: what is nearest to a place has its colour. The better a value ranks among all, the
// darker it is: so differences between good settings show, however bad the worst one is.
import * as Plot from "@observablehq/plot";
import { axis, logAxes } from "./axis.js";
import { drawToFit, element, figure } from "./dom.js";
import { format } from "./format.js";

const shade = (rank) => 0.04 + 0.86 * rank ** 1.5;

// The values from the worst to the best.
function ordered(block) {
  const sign = block.more_is_better ? 1 : -1;
  return [...new Set(block.sites.map((site) => site.value))].sort((a, b) => sign * (a - b));
}

const rankOf = (values, value) => (values.length > 1 ? values.indexOf(value) / (values.length - 1) : 1);

function draw(block, width) {
  const values = ordered(block);
  const plotted = Math.min(width, 1040);
  const margins = { marginLeft: 62, marginRight: 18, marginTop: 30, marginBottom: 42 };
  const inner = plotted - margins.marginLeft - margins.marginRight;
  const room = 0.06;
  const tip = (site) => `${site.label}\n${block.value.label}: ${format(site.value, block.value.unit, 4)}`;
  const place = { x: "x", y: "y" };
  const x = axis(block.x, block.sites.map((site) => site.x), { ticks: Math.max(3, Math.floor(plotted / 90)), anchor: "x", room, length: inner });
  const y = { ...axis(block.y, block.sites.map((site) => site.y), { ticks: 5, anchor: "y", room }), grid: false, nice: false };
  return Plot.plot({
    width: plotted,
    height: Math.round(Math.min(460, Math.max(260, plotted * 0.62))),
    ...margins,
    ariaLabel: block.title,
    style: { fontSize: "12px", fontFamily: "inherit", background: "none", overflow: "visible" },
    x,
    y,
    opacity: { type: "identity" },
    marks: [
      ...logAxes(x, y),
      Plot.voronoi(block.sites, { ...place, fill: "var(--series-1)", fillOpacity: (site) => shade(rankOf(values, site.value)), stroke: "var(--surface)", strokeWidth: 1 }),
      Plot.dot(block.sites, { ...place, r: 3, fill: "var(--ink)", stroke: "var(--surface)", strokeWidth: 1 }),
      Plot.dot(block.sites.filter((site) => site.best), { ...place, r: 8, stroke: "var(--series-2)", strokeWidth: 3 }),
      Plot.frame({ stroke: "var(--line)" }),
      Plot.tip(block.sites, Plot.pointer({ ...place, title: tip })),
    ],
  });
}

function legend(block) {
  const values = ordered(block);
  const steps = [...new Set([0, 0.25, 0.5, 0.75, 1].map((share) => values[Math.round(share * (values.length - 1))]))];
  const entries = steps.map((value) =>
    element(
      "li",
      { style: `--swatch: color-mix(in srgb, var(--series-1) ${Math.round(100 * shade(rankOf(values, value)))}%, var(--surface))` },
      element("span", { class: "swatch field" }),
      format(value, block.value.unit, 4),
    ),
  );
  entries.push(element("li", { style: "--swatch: var(--series-2)" }, element("span", { class: "swatch ring" }), "winner"));
  return element("ul", { class: "legend" }, entries);
}

export function landscapeBlock(block) {
  const holder = element("div", { class: "plot" });
  return { node: figure(block, legend(block), holder), start: () => drawToFit(holder, (width) => draw(block, width)) };
}
