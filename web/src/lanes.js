// Lanes below each other along one axis: who led when. Alarms are vertical lines.
import * as Plot from "@observablehq/plot";
import { axis } from "./axis.js";
import { alarmEntry, alarmMarks, colour } from "./chart.js";
import { drawToFit, element, figure } from "./dom.js";
import { whole } from "./format.js";

// Names stand beside their lanes; where that would leave too little room, above them.
function draw(block, width) {
  const spans = block.lanes.flatMap((lane, row) => lane.spans.map((span) => ({ ...span, lane, row })));
  const longest = Math.max(...block.lanes.map((lane) => lane.name.length));
  const beside = 18 + 7.2 * longest;
  const above = beside > width * 0.42;
  const left = above ? 18 : beside;
  const ends = spans.flatMap((span) => [span.from, span.to]);
  const x = axis(block.x, ends, { ticks: Math.max(3, Math.floor((width - left) / 90)), anchor: "x", length: width - left });
  const tip = (span) =>
    `${span.lane.name}\n${whole.format(span.from)} to ${whole.format(span.to)}${span.label ? `\n${span.label}` : ""}`;
  const name = (row) => block.lanes[row].name;
  const rows = block.lanes.map((_, row) => row);
  return Plot.plot({
    width,
    height: 58 + (above ? 38 : 22) * block.lanes.length,
    marginLeft: left,
    marginRight: 18,
    marginTop: 12,
    marginBottom: 42,
    ariaLabel: block.title,
    style: { fontSize: "12px", fontFamily: "inherit", background: "none", overflow: "visible" },
    x: { ...x, grid: true },
    y: { domain: rows, label: null, axis: null, padding: above ? 0.1 : 0.25 },
    marks: [
      above
        ? Plot.text(rows, {
            y: (row) => row,
            text: name,
            frameAnchor: "left",
            textAnchor: "start",
            dy: -10,
            lineWidth: (width - 36) / 14,
            textOverflow: "ellipsis",
          })
        : Plot.axisY({ tickSize: 0, text: name, label: null }),
      Plot.barX(spans, { x1: "from", x2: "to", y: "row", insetTop: above ? 16 : 0, fill: (span) => colour(span.lane.colour) }),
      ...alarmMarks(block.alarms, x.domain),
      Plot.tip(spans, Plot.pointer({ x: (span) => (span.from + span.to) / 2, y: "row", title: tip })),
    ],
  });
}

export function lanesBlock(block) {
  const holder = element("div", { class: "plot" });
  const legend = block.alarms?.length ? element("ul", { class: "legend" }, alarmEntry()) : "";
  return { node: figure(block, legend, holder), start: () => drawToFit(holder, (width) => draw(block, width)) };
}
