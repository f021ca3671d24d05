// Pages that the program writes, in a real browser: light, dark, on paper and on a phone. Nothing is loaded, nothing is
// complained about, and every block shows what it should.
//
//   KINGLET=build/kinglet node --test web/test/
//
// Without a browser the test is left out, and says so.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { sample } from "./sample.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const kinglet = path.resolve(process.env.KINGLET ?? path.join(root, "build/kinglet"));
const candidates = ["chromium", "chromium-browser", "google-chrome"];
const browserPath = candidates
  .flatMap((name) => (process.env.PATH ?? "").split(path.delimiter).map((folder) => path.join(folder, name)))
  .find((file) => existsSync(file));
const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const patience = 120000;  // milliseconds; other tests may keep every core busy
const skip = browserPath === undefined ? `no browser found (${candidates.join(", ")})` : false;
if (skip) console.log(`skipped: ${skip}`);

let browser;
let tab;
let address;  // of the page that is open
const problems = [];
const folder = mkdtempSync(path.join(tmpdir(), "kinglet-report-"));

// Tests are collected here and run by the last lines, between the launch of the browser and its end.
const cases = [];
let group = "";
function describe(name, declare) {
  group = name;
  declare();
}
const it = (name, run) => cases.push({ name: `${group} ${name}`, run });

const made = new Map();
function pageOf(command, name, ...args) {
  if (!made.has(name)) {
    const file = path.join(folder, `${name}.html`);
    execFileSync(kinglet, [command, ...args, "--report", file], { stdio: ["ignore", "ignore", "pipe"] });
    made.set(name, file);
  }
  return made.get(name);
}
const page = (name, ...args) => pageOf("train", name, ...args, "--quiet");

// Opens a page, looks at it with `look`, and fails for any complaint or request. There is one tab for all of them, which
// takes far less time than one for each.
async function open(file, { colorScheme = "light", media = "screen", width = 1180 } = {}, look) {
  problems.length = 0;
  address = pathToFileURL(file).href;
  await tab.setViewportSize({ width, height: 900 });
  await tab.emulateMedia({ media, colorScheme });
  await tab.goto("about:blank");
  await tab.goto(address, { waitUntil: "commit" });
  await until(() => document.documentElement.dataset.drawn === "true");
  await tab.waitForTimeout(50);
  await look?.(tab);
  assert.deepEqual(problems, []);
}

// Waits for something in the page. Asks by a timer: frames may be rare on a busy machine.
const until = (condition) => tab.waitForFunction(condition, null, { polling: 50 });

async function openTab() {
  tab = await browser.newPage();
  tab.setDefaultTimeout(patience);
  tab.on("console", (message) => problems.push(`console ${message.type()}: ${message.text()}`));
  tab.on("pageerror", (error) => problems.push(`error: ${error.stack}`));
  tab.on("request", (request) => {
    const url = request.url();
    if (url !== address && url !== "about:blank" && !url.startsWith("data:")) problems.push(`request: ${url}`);
  });
}

const reportIn = (file) => {
  const text = readFileSync(file, "utf8");
  const begin = text.indexOf('id="report">') + 'id="report">'.length;
  return JSON.parse(text.slice(begin, text.indexOf("</script>", begin)));
};

// How many marks a drawing has: what shows data, not axes or grids.
const marksIn = (figure) =>
  figure.evaluate((node) => {
    const groups = ["line", "dot", "area", "bar", "cell", "contour", "rule", "link", "voronoi"];
    const of = (name) => node.querySelectorAll(`g[aria-label="${name}"] :is(circle, path, rect, line)`).length;
    return Object.fromEntries(groups.map((name) => [name, of(name)]));
  });

// What is drawn where it should not be: marks of data outside the frame of their plot, and words outside its drawing. Dots count
// by their centres. A map is cut off at its frame.
const strays = (figure) =>
  figure.evaluate((node) => {
    const found = [];
    for (const svg of node.querySelectorAll(".plot > svg")) {
      const whole = svg.getBoundingClientRect();
      const zoom = whole.width / svg.viewBox.baseVal.width;
      const ends = (name) => [...svg.scale(name).range].sort((a, b) => a - b);
      const [[left, right], [top, bottom]] = [ends("x"), ends("y")];
      const check = (mark, about, slack) => {
        const box = mark.getBoundingClientRect();
        const [x1, x2] = [(box.left - whole.left) / zoom, (box.right - whole.left) / zoom];
        const [y1, y2] = [(box.top - whole.top) / zoom, (box.bottom - whole.top) / zoom];
        const [dx, dy] = about === "dot" ? [(x2 - x1) / 2, (y2 - y1) / 2] : [0, 0];
        const inside = x1 + dx >= left - slack && x2 - dx <= right + slack && y1 + dy >= top - slack && y2 - dy <= bottom + slack;
        if (!inside) found.push(`${about} at ${[x1, y1, x2, y2].map(Math.round)}, frame ${[left, top, right, bottom].map(Math.round)}`);
      };
      for (const name of ["line", "dot", "area", "bar", "cell", "rule", "voronoi"]) {
        for (const group of svg.querySelectorAll(`g[aria-label="${name}"]`)) {
          if (group.closest("[clip-path]")) continue;
          for (const mark of group.querySelectorAll("circle, path, rect, line")) check(mark, name, 2);
        }
      }
      for (const words of svg.querySelectorAll("text")) {
        const box = words.getBoundingClientRect();
        if (box.width > 0 && (box.left < whole.left - 3 || box.right > whole.right + 3 || box.top < whole.top - 3 || box.bottom > whole.bottom + 3)) {
          found.push(`"${words.textContent}" at ${Math.round(box.left)}, ${Math.round(box.top)}; ${Math.round(box.right - whole.right)} too far to the right`);
        }
      }
    }
    return found;
  });

// The texts of the ticks of the x axis.
const xTicks = (figure) => figure.$$eval('g[aria-label="x-axis tick label"] text', (texts) => texts.map((text) => text.textContent));

// Words of an x axis, written level, that run into the words before them.
const runTogether = (figure) =>
  figure.$$eval('g[aria-label="x-axis tick label"]', (groups) =>
    groups.flatMap((group) => {
      const texts = [...group.querySelectorAll("text")].filter((text) => !/rotate/.test(text.getAttribute("transform") ?? ""));
      const boxes = texts.map((text) => ({ said: text.textContent, box: text.getBoundingClientRect() })).sort((a, b) => a.box.left - b.box.left);
      return boxes.filter(({ box }, i) => i > 0 && box.left < boxes[i - 1].box.right + 1).map(({ said }) => said);
    }),
  );

// Whether the cells of a table are all inside the window.
const cutCells = (figure) =>
  figure.$$eval("td, th", (cells) => {
    const cut = (cell) => cell.getClientRects().length > 0 && cell.getBoundingClientRect().right > cell.closest(".table").getBoundingClientRect().right + 1;
    return cells.filter(cut).map((cell) => cell.textContent);
  });

// Every block of the page against what the report says about it.
async function checkBlocks(tab, file) {
  const report = reportIn(file);
  assert.equal(await tab.$eval("header > h1 + p.summary", (node) => node.textContent), report.summary);
  assert.match(report.summary, /^[^\n]{20,400}\.$/, "one sentence");
  const blocks = report.sections.flatMap((section) => section.blocks);
  const figures = await tab.$$("figure.block");
  assert.equal(figures.length, blocks.length);
  for (const [i, block] of blocks.entries()) {
    const figure = figures[i];
    assert.equal(await figure.getAttribute("data-kind"), block.kind);
    if (block.title) assert.equal(await figure.$eval("h3", (node) => node.textContent), block.title);
    const marks = await marksIn(figure);
    const about = `${block.kind} "${block.title}": ${JSON.stringify(marks)}`;
    assert.deepEqual(await strays(figure), [], about);
    assert.deepEqual(await runTogether(figure), [], about);
    if (["chart", "lanes", "landscape"].includes(block.kind)) {
      const ticks = await xTicks(figure);
      assert.ok(new Set(ticks).size > 1 && new Set(ticks).size === ticks.length, `${about}: ticks ${ticks}`);
    }
    switch (block.kind) {
      case "chart":
        for (const series of block.series.filter((one) => one.points.length > 0)) {
          const known = series.points.filter((point) => point.y !== null).length;
          if (series.drawn === "dots") assert.ok(marks.dot >= known, about);
          else assert.ok(marks.line > 0, about);
        }
        if (block.square) {
          const [width, height] = await figure.$eval(".plot > svg", (svg) => ["x", "y"].map((name) => Math.abs(svg.scale(name).range[1] - svg.scale(name).range[0])));
          assert.ok(Math.abs(width - height) < 1, `${about}: ${width} x ${height}`);
        }
        break;
      case "lanes":
        assert.equal(marks.bar, block.lanes.flatMap((lane) => lane.spans).length, about);
        break;
      case "landscape":
        assert.equal(marks.voronoi, block.sites.length, about);
        assert.equal(marks.dot, block.sites.length + 1, about);
        break;
      case "command":
        assert.equal(await figure.$eval("code", (node) => node.textContent), block.text);
        assert.match(await figure.$eval("code", (node) => getComputedStyle(node).fontFamily), /monospace/);
        break;
      case "bars":
        assert.equal(marks.bar, block.bars.length, about);
        break;
      case "confusion":
        assert.equal(marks.cell, block.labels.length ** 2, about);
        break;
      case "map":
        assert.ok(marks.dot >= block.support.length + block.examples.length, about);
        assert.ok(marks.contour > 0 || marks.link > 0, about);
        assert.match(await figure.$eval("svg image", (node) => node.getAttribute("href")), /^data:image\/png/);
        break;
      case "gallery":
        assert.equal((await figure.$$("img")).length, block.pictures.length, about);
        break;
      case "table":
        assert.equal((await figure.$$("tbody tr")).length, block.rows.length, about);
        assert.equal((await figure.$$("thead th")).length, block.columns.length, about);
        assert.deepEqual(await cutCells(figure), [], about);
        break;
      case "facts":
        assert.equal((await figure.$$("dt")).length, block.facts.length, about);
        break;
      default:
        break;
    }
  }
}

const kindsIn = (file) => new Set(reportIn(file).sections.flatMap((section) => section.blocks).map((block) => block.kind));
const titlesIn = (file) => reportIn(file).sections.flatMap((section) => section.blocks).map((block) => block.title);

const board = () =>
  page("board", "gen:checkerboard?n=20000&seed=1", "--budget", "60", "--gamma", "8", "--lambda", "1e-5", "--test", "gen:checkerboard?n=2000&seed=2");

function digits() {
  // Ten rough figures of 8 x 8 pixels with some noise.
  const data = path.join(folder, "digits.csv");
  if (!existsSync(data)) {
    let state = 1;
    const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
    const lines = [];
    for (let row = 0; row < 1500; ++row) {
      const kind = row % 10;
      const pixels = Array.from({ length: 64 }, (_, i) => Number((i * (kind + 3)) % 11 < 4) + 0.3 * (random() - 0.5));
      lines.push([kind, ...pixels.map((value) => value.toFixed(3))].join(","));
    }
    writeFileSync(data, lines.join("\n") + "\n");
  }
  return page("digits", data, "--budget", "20", "--label-column", "first");
}

function blobs() {
  const data = path.join(folder, "blobs.csv");
  const names = ["wren", "robin", "</script><b>finch"];
  const lines = ["kind,length,weight"];
  for (let row = 0; row < 900; ++row) {
    const k = row % 3;
    lines.push(`${names[k]},${(3 * k + Math.sin(row)).toFixed(3)},${((k - 1) ** 2 * 4 + Math.cos(3 * row)).toFixed(3)}`);
  }
  writeFileSync(data, lines.join("\n") + "\n");
  return page("blobs", data, "--budget", "30");
}

// The page of the program with another report in it.
function pageWith(report) {
  const file = path.join(folder, "sample.html");
  const text = readFileSync(board(), "utf8");
  const begin = text.indexOf('id="report">') + 'id="report">'.length;
  const json = JSON.stringify(report).replaceAll("<", "\\u003c");
  writeFileSync(file, text.slice(0, begin) + json + text.slice(text.indexOf("</script>", begin)));
  return file;
}

describe("every kind of block", () => {
  for (const look of [{ colorScheme: "light" }, { colorScheme: "dark", width: 390 }, { media: "print" }]) {
    it(`is shown: ${JSON.stringify(look)}`, async () => {
      const file = pageWith(sample);
      await open(file, look, async (tab) => {
        await checkBlocks(tab, file);
        assert.equal(await tab.textContent("td.best"), "84.92 ± 0.08");
        assert.equal((await tab.$$("tr.heading")).length, 2);
        assert.match(await tab.textContent(".block-note"), /<b>characters<\/b> & such/);
        await fitsTheWindow(tab);
      });
    });
  }
});

describe("the sample", () => {
  const block = (title) => `figure:has(h3:text-is("${title}"))`;

  it("marks the alarms that are in the chart", async () => {
    await open(pageWith(sample), {}, async (tab) => {
      for (const title of ["Error along the stream", "Who led"]) {
        const rules = await tab.$$eval(`${block(title)} line[aria-label="alarm"]`, (lines) => lines.length);
        assert.equal(rules, 3, title);
        assert.match(await tab.textContent(`${block(title)} .legend`), /drift alarm/);
      }
    });
  });

  it("has one colour for each learner and one dash for each budget", async () => {
    await open(pageWith(sample), {}, async (tab) => {
      const lines = await tab.$$eval(`${block("Colour and dash")} g[aria-label="line"]`, (groups) =>
        groups.map((group) => [group.getAttribute("stroke"), group.getAttribute("stroke-dasharray")]),
      );
      assert.equal(lines.length, 9);
      assert.equal(new Set(lines.map(([colour]) => colour)).size, 3);
      assert.equal(new Set(lines.map(([, dash]) => dash)).size, 3);
      assert.equal(new Set(lines.map(String)).size, 9);
      const entries = await tab.$$eval(`${block("Colour and dash")} .legend li`, (list) => list.map((entry) => entry.textContent));
      assert.deepEqual(entries, ["bpegasos", "bnorma", "projectron++", "B = 100", "B = 500", "B = 1000"]);
    });
  });

  it("copies the command", async () => {
    await tab.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await open(pageWith(sample), {}, async (tab) => {
      await (await tab.$(".block-command .copy")).click();
      await until(() => document.querySelector(".block-command .copy").textContent === "Copied");
      const text = sample.sections.flatMap((section) => section.blocks).find((one) => one.kind === "command").text;
      assert.equal(await tab.evaluate(() => navigator.clipboard.readText()), text);
    });
  });

  it("shows a published number that we match in green, not amber", async () => {
    await open(pageWith(sample), {}, async (tab) => {
      const [red, green, blue] = await tab.$eval("td.good", (node) => getComputedStyle(node).color.match(/\d+/g).map(Number));
      assert.ok(green > red && green > blue);
    });
  });
});

async function fitsTheWindow(tab) {
  const overflow = await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(overflow <= 0, `wider than the window by ${overflow}`);
  const broken = await tab.evaluate(() =>
    [...document.querySelectorAll("td.number > span")]
      .filter((span) => {
        const range = document.createRange();
        range.selectNodeContents(span);
        const tops = [...range.getClientRects()].map((box) => box.bottom);
        return !span.querySelector("small") && Math.max(...tops) - Math.min(...tops) > 6;
      })
      .map((span) => span.textContent),
  );
  assert.deepEqual(broken, [], "numbers on more than one line");
  const cut = await tab.evaluate(() =>
    [...document.querySelectorAll(".table")].filter((table) => table.scrollWidth > table.clientWidth + 1).map((table) => table.textContent),
  );
  assert.deepEqual(cut, [], "tables that are cut off");
}

describe("the report of train", () => {
  for (const look of [
    { colorScheme: "light" },
    { colorScheme: "dark" },
    { media: "print" },
    { colorScheme: "dark", media: "print" },
    { width: 390 },
  ]) {
    it(`shows a board: ${JSON.stringify(look)}`, async () => {
      const file = board();
      await open(file, look, async (tab) => {
        await checkBlocks(tab, file);
        await fitsTheWindow(tab);
        const background = await tab.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
        const isDark = look.colorScheme === "dark" && look.media !== "print";
        assert.equal(Number(background.match(/\d+/)[0]) < 80, isDark, background);
      });
    });
  }

  it("has every part", () => {
    assert.deepEqual([...kindsIn(board())].sort(), ["bars", "chart", "confusion", "facts", "lanes", "map", "table"]);
    const titles = titlesIn(board());
    for (const title of ["Decision map", "Online error", "Who led", "Feature importances", "Support vectors", "Training throughput", "Latency of one example", "Confusion matrix of the test data"]) {
      assert.ok(titles.includes(title), `${title} of ${titles}`);
    }
  });

  it("shows regions of classes, whatever their names", async () => {
    const file = blobs();
    await open(file, {}, async (tab) => {
      await checkBlocks(tab, file);
      assert.match(await tab.textContent(".block-map"), /<\/script><b>finch/);
      assert.match(await tab.textContent(".block-map svg"), /weight/);
    });
  });

  it("shows support vectors as pictures", async () => {
    const file = digits();
    await open(file, {}, async (tab) => {
      await checkBlocks(tab, file);
      const drawn = await tab.$eval(".gallery img", (image) => image.complete && image.naturalWidth);
      assert.equal(drawn, 8);
    });
  });

  it("shows regression", async () => {
    const file = page("friedman", "gen:friedman?n=3000&seed=1", "--task", "regress", "--budget", "100", "--test", "gen:friedman?n=500&seed=2");
    await open(file, { colorScheme: "dark" }, (tab) => checkBlocks(tab, file));
    for (const title of ["Predicted against true values", "Residuals"]) assert.ok(titlesIn(file).includes(title));
  });

  it("shows novelty detection", async () => {
    const file = page("ring", "gen:ring?n=3000&seed=1", "--task", "novelty", "--budget", "50");
    await open(file, {}, (tab) => checkBlocks(tab, file));
  });

  it("shows labels that were asked for", async () => {
    const file = page("asked", "gen:checkerboard?n=5000&seed=1", "--algo", "bnorma", "--gamma", "8", "--budget", "50", "--query", "greedy", "--query-budget", "300", "--test", "gen:checkerboard?n=500&seed=2");
    await open(file, {}, (tab) => checkBlocks(tab, file));
    assert.ok(titlesIn(file).includes("Accuracy by number of labels"));
  });

  it("shows labels that came late, or too late", async () => {
    const file = page("late", "gen:moving-gaussians?n=6000&drift=2000", "--algo", "bpa-nn", "--budget", "50", "--delay", "200");
    await open(file, { width: 390 }, async (tab) => {
      await checkBlocks(tab, file);
      await fitsTheWindow(tab);
      assert.match(await tab.textContent('figure:has(h3:text("Measures along the stream"))'), /Kappa-T/);
    });
    const none = page("too-late", "gen:checkerboard?n=2000", "--algo", "bpegasos", "--delay", "5000");
    await open(none, {}, async (tab) => {
      await checkBlocks(tab, none);
      assert.match(await tab.textContent(".block-note"), /no row was judged/);
    });
  });

  it("shows the columns of records", async () => {
    const data = path.join(folder, "visits.csv");
    const shops = ["north", "south", "web"];
    const row = (i) => [`V${i}`, shops[i % 3], i % 40 ? i % 60 : "", i % 3 === (i % 60 > 30 ? 1 : 2) ? "yes" : "no"];
    writeFileSync(data, `visit,shop,age,buys\n${Array.from({ length: 1500 }, (_, i) => row(i).join(",")).join("\n")}\n`);
    const file = page("visits", data, "--label-column", "buys", "--algo", "bpegasos");
    await open(file, { width: 390 }, async (tab) => {
      await checkBlocks(tab, file);
      await fitsTheWindow(tab);
      assert.match(await tab.textContent('figure:has(h3:text-is("Columns"))'), /numberage.*categoryshop \(3\)/s);
    });
  });

  it("shows a learner that learns at the end", async () => {
    const file = page("svm", "gen:checkerboard?n=600&seed=1", "--algo", "svm", "--gamma", "8");
    await open(file, {}, (tab) => checkBlocks(tab, file));
  });

  it("tells about the point one points at", async () => {
    await open(board(), {}, async (tab) => {
      const plot = await tab.$('figure:has(h3:text("Online error")) svg');
      await plot.scrollIntoViewIfNeeded();
      const box = await plot.boundingBox();
      await tab.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await until(() => [...document.querySelectorAll('g[aria-label="tip"]')].some((tip) => tip.textContent !== ""));
      assert.match(await plot.evaluate((node) => node.querySelector('g[aria-label="tip"]').textContent), /examples: .*error: /s);
    });
  });

  it("orders a table by the column that is clicked", async () => {
    const file = digits();
    await open(file, {}, async (tab) => {
      const table = await tab.$('figure:has(h3:text("By class"))');
      const first = () => table.$eval("tbody th", (node) => node.textContent);
      await (await table.$("thead button")).click();
      assert.equal(await first(), "0");
      await (await table.$("thead button")).click();
      assert.equal(await first(), "9");
    });
  });
});

describe("every other page", () => {
  const board = "gen:checkerboard?n=800&seed=1";
  const pages = {
    compare: () => pageOf("compare", "compare", board, "--algo", "bpegasos,rbp,svm", "--budget", "10,30", "--gamma", "8", "--folds", "2", "--runs", "2"),
    tune: () => pageOf("tune", "tune", board, "--algo", "bpegasos", "--budget", "20", "--test", "gen:checkerboard?n=300&seed=2"),
    paper: () => pageOf("paper", "paper", "bsgd-table3", "--sets", "gauss", "--rows", "BPegasos+merge", "--runs", "2"),
    committee: () => page("committee", "gen:checkerboard?n=4000&seed=1"),
    figure: () => pageOf("paper", "figure", "bsgd-figure6", "--quick"),
    eval: () => {
      const model = path.join(folder, "board.kinglet");
      page("trained", board, "--budget", "20", "-o", model);
      return pageOf("eval", "eval", "gen:checkerboard?n=300&seed=2", "-m", model);
    },
  };
  for (const [name, make] of Object.entries(pages)) {
    for (const look of [{ width: 1180 }, { width: 390, colorScheme: "dark" }]) {
      it(`shows ${name}: ${JSON.stringify(look)}`, async () => {
        const file = make();
        await open(file, look, async (tab) => {
          await checkBlocks(tab, file);
          await fitsTheWindow(tab);
          for (const lanes of await tab.$$('figure[data-kind="lanes"]')) {
            const said = await lanes.$$eval("text", (texts) => texts.map((text) => text.textContent));
            const names = reportIn(file).sections.flatMap((section) => section.blocks)
              .filter((block) => block.kind === "lanes").flatMap((block) => block.lanes.map((lane) => lane.name));
            assert.ok(names.length > 0 && names.every((lane) => said.includes(lane)), `${names} in ${said}`);
          }
        });
      });
    }
  }
});

test("reports in a browser", { skip }, async (t) => {
  try {
    browser = await chromium.launch({ executablePath: browserPath, args: flags, timeout: patience });
    await openTab();
    for (const { name, run } of cases) await t.test(name, run);
  } finally {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
