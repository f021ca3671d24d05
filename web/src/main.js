// Draws the report that the page holds as JSON (written by src/report/json.cpp).
import { barsBlock, chartBlock } from "./chart.js";
import { confusionBlock } from "./confusion.js";
import { element } from "./dom.js";
import { galleryBlock } from "./gallery.js";
import { landscapeBlock } from "./landscape.js";
import { lanesBlock } from "./lanes.js";
import { mapBlock } from "./map.js";
import { commandBlock, commandLine, factsBlock, factsList, noteBlock, tableBlock } from "./table.js";

const blocks = {
  facts: factsBlock,
  note: noteBlock,
  command: commandBlock,
  table: tableBlock,
  chart: chartBlock,
  lanes: lanesBlock,
  landscape: landscapeBlock,
  bars: barsBlock,
  confusion: confusionBlock,
  map: mapBlock,
  gallery: galleryBlock,
};

const anchor = (i) => `section-${i + 1}`;

function header(report) {
  return element(
    "header",
    {},
    element("h1", {}, report.title),
    report.summary ? element("p", { class: "summary" }, report.summary) : "",
    report.subtitle ? element("p", { class: "subtitle" }, report.subtitle) : "",
    report.facts?.length ? factsList(report.facts, "key") : "",
  );
}

function contents(report) {
  if (report.sections.length < 4) return "";
  const links = report.sections.map((section, i) => element("li", {}, element("a", { href: `#${anchor(i)}` }, section.title)));
  return element("nav", { "aria-label": "Contents" }, element("ul", {}, links));
}

function section(about, i, starts) {
  const made = about.blocks.map((block) => blocks[block.kind](block));
  starts.push(...made.map((block) => block.start).filter(Boolean));
  return element(
    "section",
    { id: anchor(i) },
    element("h2", {}, about.title),
    about.text ? element("p", { class: "lead" }, about.text) : "",
    element("div", { class: "blocks" }, made.map((block) => block.node)),
  );
}

function footer(report) {
  return element(
    "footer",
    {},
    report.command ? commandLine(report.command) : "",
    element("p", {}, report.program),
  );
}

const report = JSON.parse(document.getElementById("report").textContent);
const starts = [];
document.title = report.title;
document
  .getElementById("page")
  .replaceChildren(
    ...[header(report), contents(report), ...report.sections.map((about, i) => section(about, i, starts)), footer(report)].filter(Boolean),
  );
for (const start of starts) start();
document.documentElement.dataset.drawn = "true";
