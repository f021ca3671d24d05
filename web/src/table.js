// Facts, commands and tables.
import { element, figure, onWidth } from "./dom.js";

export function factsList(facts, kind) {
  return element(
    "dl",
    { class: kind },
    facts.map((fact) =>
      element(
        "div",
        {},
        element("dt", {}, fact.name),
        element("dd", {}, fact.value, fact.note ? element("small", {}, fact.note) : ""),
      ),
    ),
  );
}

export function factsBlock(block) {
  return { node: figure(block, factsList(block.facts, "facts")) };
}

export function noteBlock(block) {
  return { node: figure(block, block.lines.map((line) => element("p", {}, line))) };
}

async function copy(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    // Where a page may not use the clipboard, copy what is selected.
    getSelection().selectAllChildren(code);
    document.execCommand("copy");
  }
}

// A command line with a button that copies it. Lines break between its words only.
export function commandLine(text) {
  const words = text.split(" ").flatMap((word, i) => [i > 0 ? " " : "", element("span", { class: "word" }, word)]);
  const code = element("code", {}, words);
  const button = element("button", { type: "button", class: "copy" }, "Copy");
  button.addEventListener("click", async () => {
    await copy(code);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  return element("div", { class: "command" }, element("pre", {}, code), button);
}

export function commandBlock(block) {
  return { node: figure(block, commandLine(block.text)) };
}

const marks = { best: "best", better: "better", good: "good", bad: "bad", muted: "muted" };

function cell(content, column, isFirst) {
  const kind = [column.number ? "number" : "", marks[content.mark] ?? ""].join(" ").trim();
  const name = isFirst ? "th" : "td";
  const attributes = {
    class: kind || null,
    title: content.hint || null,
    scope: isFirst ? "row" : null,
    "data-column": column.title || null,
  };
  const spread = content.spread ? element("span", { class: "spread" }, ` ± ${content.spread}`) : "";
  const detail = content.detail ? element("small", {}, content.detail) : "";
  return element(name, attributes, element("span", {}, content.text ?? "", spread, detail));
}

// Sorting of a column: numbers by size, then words; empty cells last.
function compare(a, b) {
  const [x, y] = [a.value ?? null, b.value ?? null];
  if (x !== null && y !== null) return x - y;
  if (x !== null || y !== null) return x !== null ? -1 : 1;
  return (a.text ?? "").localeCompare(b.text ?? "", "en", { numeric: true });
}

function sortable(body, heads, rows) {
  let order = { column: -1, down: false };
  heads.forEach((head, column) => {
    const button = element("button", { type: "button", title: "sort by this column" }, ...head.childNodes);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      order = { column, down: order.column === column ? !order.down : false };
      const sign = order.down ? -1 : 1;
      const sorted = [...rows].sort((a, b) => sign * compare(a.cells[column] ?? {}, b.cells[column] ?? {}));
      body.replaceChildren(...sorted.map((row) => row.node));
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order.down ? "descending" : "ascending");
    });
  });
}

// A table that is too wide shows each row as a list of its cells, so no column is cut off.
function fit(table, width) {
  table.classList.remove("stacked");
  table.classList.toggle("stacked", table.offsetWidth > width + 1);
}

export function tableBlock(block) {
  const heads = block.columns.map((column) =>
    element("th", { scope: "col", class: column.number ? "number" : null, title: column.hint || null }, column.title),
  );
  const rows = block.rows.map((row) => {
    if (row.heading) {
      const title = element("th", { colspan: block.columns.length, scope: "rowgroup" }, row.heading);
      return { cells: [], node: element("tr", { class: "heading" }, title) };
    }
    const node = element("tr", {}, row.cells.map((content, i) => cell(content, block.columns[i] ?? {}, i === 0)));
    return { cells: row.cells, node };
  });
  const body = element("tbody", {}, rows.map((row) => row.node));
  if (rows.length > 2 && !block.rows.some((row) => row.heading)) sortable(body, heads, rows);
  const table = element("table", {}, element("thead", {}, element("tr", {}, heads)), body);
  const holder = element("div", { class: "table" }, table);
  return { node: figure(block, holder), start: () => onWidth(holder, (width) => fit(table, width)) };
}
