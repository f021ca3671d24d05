// A report with every kind of block, and with the odd cases of each: what compare, tune and paper put together. The
// numbers are made up.
const learners = ["bpegasos", "bnorma", "projectron++", "rbp", "LIBSVM"];
const budgets = [50, 100, 200, 500, 1000, 2000];
const wave = (i, k) => Math.sin(7 * i + 3 * k) / 100;
const accuracy = (i, k) => 0.95 - 0.02 * i - 1.2 / (k + 4) ** 1.2 + wave(i, k);

// Colour: the learner; dash: the budget.
const streamSeries = learners.slice(0, 3).flatMap((of, i) =>
  [100, 500, 1000].map((budget, dash) => ({
    name: `${of}, B = ${budget}`,
    of,
    variant: `B = ${budget}`,
    colour: i,
    dash,
    drawn: "line",
    points: [1000, 2000, 4000].map((x, k) => ({ x, y: 0.4 - 0.05 * k - 0.03 * dash + 0.02 * i })),
  })),
);

const many = 40;
const manyCounts = Array.from({ length: many ** 2 }, (_, i) => {
  const [truth, predicted] = [Math.floor(i / many), i % many];
  if (truth === predicted) return 10 + truth;
  return (truth * 7 + predicted * 3) % 11 === 0 ? 2 : 0;
});

const budgetSeries = learners.slice(0, 4).map((name, i) => ({
  name,
  drawn: i === 3 ? "line-and-dots" : "line",
  points: budgets.map((x, k) => ({ x, y: accuracy(i, 3 * k), low: accuracy(i, 3 * k) - 0.01, high: accuracy(i, 3 * k) + 0.01 })),
}));

const timeSeries = learners.map((name, i) => ({
  name,
  drawn: "dots",
  labelled: true,
  points: [1, 4, 16].map((factor, k) => {
    const [x, y] = [0.02 * factor * (i + 1) ** 3, accuracy(i, 4 * k)];
    return { x, y, low: y - 0.008, high: y + 0.008, left: x * 0.8, right: x * 1.25, label: `B = ${[50, 200, 800][k]}` };
  }),
}));

const cell = (text, spread, mark, detail) => ({ text, value: Number(text) || undefined, spread, mark, detail });

export const sample = {
  title: "Five learners on adult",
  summary: "Of 5 learners, bpegasos with budget 2,000 has the best test accuracy, 84.92 % over 5 trials; one other is not significantly worse.",
  subtitle: "5 runs each, 32,561 examples, tested on 16,281 others",
  program: "kinglet 0.0.0",
  command: "kinglet compare a9a.xz --algo bpegasos,bnorma,projectron++,rbp,svm --budget 50,100,200,500,1000,2000 --test a9a.t.xz --report adult.html",
  facts: [
    { name: "best", value: "bpegasos", note: "84.92 ± 0.08 % with 2,000 support vectors" },
    { name: "fastest within a deviation", value: "bnorma", note: "0.31 s" },
    { name: "majority class", value: "76.38 %" },
    { name: "runs", value: "125", note: "2 min 14 s on two cores" },
  ],
  sections: [
    {
      title: "Result",
      text: "Mean and standard deviation over five shuffles. Bold: the best; the verdict is that of a paired t-test against it.",
      blocks: [
        {
          kind: "table",
          title: "Learners",
          wide: true,
          columns: [
            { title: "learner" },
            { title: "accuracy %", number: true, hint: "on the test" },
            { title: "online error %", number: true },
            { title: "seconds", number: true },
            { title: "against the best" },
          ],
          rows: [
            { cells: [cell("bpegasos"), cell("84.92", "0.08", "best"), cell("16.21", "0.05"), cell("1.32", "0.02"), cell("")] },
            { cells: [cell("bnorma"), cell("84.81", "0.11"), cell("16.02", "0.04", "best"), cell("0.31", "0.01", "best"), cell("no difference", "", "good", "p = 0.21")] },
            { cells: [cell("projectron++"), cell("83.10", "0.31"), cell("18.30", "0.12"), cell("9.87", "0.40"), cell("worse", "", "bad", "p = 0.0004")] },
            { cells: [cell("rbp"), cell("79.44", "1.02"), cell("21.70", "0.09"), cell("0.40", "0.01"), cell("better", "", "better", "p < 0.001")] },
            { cells: [cell("majority class", "", "muted"), cell("76.38", "", "muted"), cell("–", "", "muted"), cell("–", "", "muted"), cell("")] },
          ],
        },
        {
          kind: "chart",
          title: "Accuracy against budget",
          caption: "Bands are one standard deviation wide on each side.",
          x: { label: "support vectors", unit: "count", scale: "log" },
          y: { label: "test accuracy", unit: "share", scale: "linear" },
          series: budgetSeries,
          references: [{ name: "majority class", y: 0.7638 }],
        },
        {
          kind: "chart",
          title: "Accuracy against time",
          x: { label: "training time", unit: "seconds", scale: "log" },
          y: { label: "test accuracy", unit: "share", scale: "linear" },
          series: timeSeries,
          references: [],
        },
        {
          kind: "bars",
          title: "Memory",
          axis: { label: "bytes of the learner", unit: "bytes", scale: "linear" },
          bars: learners.map((name, i) => ({ name, value: 2 ** (14 + 1.5 * i), low: 2 ** (14 + 1.4 * i), high: 2 ** (14 + 1.6 * i), colour: i })),
        },
        {
          kind: "bars",
          title: "Throughput",
          axis: { label: "examples per second", unit: "count", scale: "log" },
          bars: learners.map((name, i) => ({ name, value: 3e6 / 8 ** i, colour: i })),
        },
      ],
    },
    {
      title: "Along a stream",
      blocks: [
        {
          kind: "chart",
          title: "Error along the stream",
          wide: true,
          x: { label: "examples", unit: "count", scale: "linear", least: 0 },
          y: { label: "error", unit: "share", scale: "linear", least: 0 },
          series: [{ name: "recent error", drawn: "line", points: Array.from({ length: 100 }, (_, i) => ({ x: 450 * (i + 1), y: 0.1 + (i % 30 > 24 ? 0.15 : 0) })) }],
          references: [{ name: "majority class", y: 0.42 }],
          alarms: [12000, 25500, 39000, 90000],
        },
        {
          kind: "lanes",
          title: "Who led",
          wide: true,
          x: { label: "examples", unit: "count", scale: "linear", least: 0 },
          lanes: [
            { name: "bpegasos, gamma 0.111", colour: 0, spans: [{ from: 0, to: 9000 }, { from: 20000, to: 22000, label: "recent error 0.09" }] },
            { name: "a member with a name that is far too long for the width of a telephone", colour: 1, spans: [{ from: 9000, to: 20000 }] },
            { name: "bpegasos, gamma 0.111", colour: 0, spans: [{ from: 22000, to: 45000 }] },
          ],
          alarms: [12000, 25500, 39000],
        },
        {
          kind: "chart",
          title: "Colour and dash",
          x: { label: "examples", unit: "count", scale: "log", ticks: [1000, 2000, 4000] },
          y: { label: "online error", unit: "share", scale: "linear" },
          series: streamSeries,
          references: [],
        },
        {
          kind: "chart",
          title: "Less than an octave",
          x: { label: "seconds", unit: "seconds", scale: "log" },
          y: { label: "accuracy", unit: "share", scale: "linear" },
          series: [{ name: "a", drawn: "dots", points: [{ x: 0.0061, y: 0.9 }, { x: 0.0083, y: 0.93 }] }],
          references: [],
        },
      ],
    },
    {
      title: "Search",
      blocks: [
        { kind: "command", wide: true, text: "kinglet train 'gen:a?n=1&b=<c>' -o model.kinglet --gamma 2.8 --lambda 0.00316" },
        {
          kind: "landscape",
          title: "gamma × lambda",
          wide: true,
          x: { label: "gamma", unit: "number", scale: "log" },
          y: { label: "lambda", unit: "number", scale: "log" },
          value: { label: "online accuracy", unit: "share", scale: "linear" },
          more_is_better: true,
          sites: Array.from({ length: 30 }, (_, i) => ({
            x: 0.02 * 4 ** (i % 6),
            y: 1e-6 * 10 ** Math.floor(i / 6),
            value: 0.9 - 0.02 * ((i % 6) - 3) ** 2,
            label: `setting ${i}`,
            best: i === 15,
          })),
        },
        {
          kind: "chart",
          title: "Square",
          square: true,
          x: { label: "paper", unit: "number", scale: "linear", least: 80, most: 100 },
          y: { label: "ours", unit: "number", scale: "linear", least: 80, most: 100 },
          series: [{ name: "within", drawn: "dots", colour: 2, points: [{ x: 82, y: 83, low: 82, high: 84 }, { x: 98, y: 97 }] }],
          references: [],
        },
      ],
    },
    {
      title: "Paper and ours",
      blocks: [
        {
          kind: "table",
          title: "Table 3",
          caption: "Each cell: ours above, the paper below.",
          wide: true,
          columns: [{ title: "data" }, { title: "merge", number: true }, { title: "project", number: true }, { title: "remove", number: true }],
          rows: [
            { heading: "budget 100" },
            { cells: [cell("adult"), cell("84.6", "0.1", "good", "84.5 ± 0.2"), cell("84.2", "0.3", "good", "84.0 ± 0.3"), cell("79.9", "1.1", "bad", "82.1 ± 0.5")] },
            { cells: [cell("letter"), cell("98.3", "0.2", "good", "98.2 ± 0.1"), cell("97.9", "0.1", "better", "98.2 ± 0.2"), cell("", "", "muted")] },
            { heading: "budget 500" },
            { cells: [cell("adult"), cell("84.9", "0.1", "good", "84.9 ± 0.1"), cell("84.6", "0.2"), cell("82.0", "0.4", "better", "82.6 ± 0.4")] },
          ],
        },
        { kind: "note", title: "Where we differ", wide: true, lines: ["Removal loses more here than in the paper: see the experiment.", "A second paragraph, with <b>characters</b> & such."] },
        {
          kind: "facts",
          title: "Settings",
          facts: [
            { name: "gamma", value: "0.0083", note: "auto: decided by the data" },
            { name: "lambda", value: "1e-4" },
          ],
        },
      ],
    },
    {
      title: "Odd cases",
      blocks: [
        { kind: "chart", title: "One point", x: { label: "x", unit: "number", scale: "linear" }, y: { label: "y", unit: "number", scale: "linear" }, series: [{ name: "a", drawn: "dots", points: [{ x: 1, y: 2 }] }], references: [] },
        { kind: "chart", title: "Gaps", x: { label: "x", unit: "count", scale: "linear" }, y: { label: "y", unit: "bytes", scale: "log" }, series: [{ name: "a", drawn: "step", points: [{ x: 1, y: 20 }, { x: 2, y: null }, { x: 3, y: 4000 }, { x: 4, y: 5e6 }] }, { name: "nothing", drawn: "line", points: [] }], references: [] },
        { kind: "confusion", title: "Two classes", labels: ["no", "yes"], counts: [90, 10, 0, 0] },
        { kind: "confusion", title: "Ten classes", labels: Array.from({ length: 10 }, (_, i) => `class ${i}`), counts: Array.from({ length: 100 }, (_, i) => (i % 11 === 0 ? 12345 : (i * 7) % 13 === 0 ? i : 0)) },
        { kind: "confusion", title: "Four long names", labels: ["north america", "south america", "europe", "australia and oceania"], counts: Array.from({ length: 16 }, (_, i) => (i % 5 === 0 ? 90 : i)) },
        {
          kind: "confusion",
          title: "Forty numbers",
          wide: true,
          labels: Array.from({ length: 40 }, (_, i) => String(i)),
          counts: Array.from({ length: 1600 }, (_, i) => (i % 41 === 0 ? 50 : i % 7)),
          recalls: Array.from({ length: 40 }, (_, i) => 0.2 + i / 60),
        },
        {
          kind: "confusion",
          title: "Forty classes",
          wide: true,
          labels: Array.from({ length: many }, (_, i) => (i === many - 1 ? "12 others" : `a bird of kind ${i}`)),
          counts: manyCounts,
          recalls: Array.from({ length: many }, (_, i) => (i === many - 1 ? null : 0.2 + i / 60)),
        },
        { kind: "gallery", title: "Pictures", width: 2, height: 2, wide: true, pictures: [{ name: "a", pixels: "AP//AA==", detail: "1" }, { name: "b", pixels: "/wAA/w==" }] },
        {
          kind: "map",
          title: "Regression",
          x: "x",
          y: "y",
          left: 0,
          right: 1,
          bottom: 0,
          top: 1,
          width: 12,
          height: 12,
          wide: true,
          scores: Array.from({ length: 144 }, (_, i) => Math.sin((i % 12) / 3) + Math.floor(i / 12) / 12),
          labels: [],
          levels: [0.5, 1, 1.5],
          examples: [{ x: 0.5, y: 0.5, class: -1 }],
          support: [{ x: 0.2, y: 0.7, class: -1, coefficient: -2 }],
        },
      ],
    },
  ],
};
