// Scales and ticks of the axes of a chart.
import * as Plot from "@observablehq/plot";
import { format } from "./format.js";

// The extent of the known values, widened if they are all equal.
function extent(values) {
  const known = values.filter((value) => Number.isFinite(value));
  if (known.length === 0) return [0, 1];
  let least = Math.min(...known);
  let most = Math.max(...known);
  if (least === most) {
    const room = least === 0 ? 1 : Math.abs(least) * 0.1;
    least -= room;
    most += room;
  }
  return [least, most];
}

// Of the ticks that fit into the domain.
const within = ([least, most], ticks) => ticks.filter((tick) => tick >= least * 0.999 && tick <= most * 1.001);

// 1, 10, 100 … over several decades; 1, 2, 5, 10 … over one or two; every digit over less. Three ticks, if there are as many.
function logTicks(domain, length) {
  const [least, most] = domain;
  const decades = Math.log10(most / least);
  const stride = Math.max(1, Math.ceil(decades / 8));
  const choices = decades > 2.5 ? [[1]] : [[1, 2, 5], [1, 2, 3, 4, 5, 6, 7, 8, 9]];
  for (const steps of choices) {
    const ticks = [];
    for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(most)); power += stride) {
      ticks.push(...steps.map((step) => step * 10 ** power));
    }
    const found = apart(domain, ticks, true, length);
    if (found.length > 2) return found;
  }
  return linearTicks(domain, 4);
}

// Round numbers.
function linearTicks([least, most], wanted) {
  const rough = (most - least) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((one) => one >= rough * 0.999);
  const ticks = [];
  for (let i = Math.ceil(least / step); i * step <= most; ++i) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

// Of given ticks those that are far enough apart, in order; the ends of the axis are `length` pixels apart.
function apart(domain, ticks, log, length) {
  const place = (value) => (log ? Math.log(value / domain[0]) / Math.log(domain[1] / domain[0]) : (value - domain[0]) / (domain[1] - domain[0]));
  const kept = [];
  for (const tick of [...new Set(within(domain, ticks))].sort((a, b) => a - b)) {
    if (kept.length === 0 || (place(tick) - place(kept.at(-1))) * length >= 40) kept.push(tick);
  }
  return kept;
}

// Ticks at powers of two, for bytes.
function logByteTicks([least, most], wanted) {
  const stride = Math.max(1, Math.ceil(Math.log2(most / least) / wanted));
  const ticks = [];
  for (let power = Math.ceil(Math.log2(least) / stride) * stride; 2 ** power <= most * 1.001; power += stride) ticks.push(2 ** power);
  return ticks;
}

function byteTicks([least, most], wanted) {
  const step = 2 ** Math.ceil(Math.log2(Math.max(1, (most - least) / wanted)));
  const ticks = [];
  for (let tick = Math.ceil(least / step) * step; tick <= most * 1.001; tick += step) ticks.push(tick);
  return ticks;
}

function ticksOf(about, domain, wanted, length) {
  if (about.ticks?.length > 1) {
    const given = apart(domain, about.ticks, about.scale === "log", length);
    if (given.length > 1) return given;
  }
  if (about.unit === "bytes") return about.scale === "log" ? logByteTicks(domain, wanted) : byteTicks(domain, wanted);
  return about.scale === "log" ? logTicks(domain, length) : wanted;
}

// Widens an extent by a share of itself on both sides.
function widened([least, most], share, log) {
  if (log) return [least / (most / least) ** share, most * (most / least) ** share];
  return [least - share * (most - least), most + share * (most - least)];
}

// The options of Plot for one axis. It covers all `values`, with `room` (a share of their extent) on both sides so that no mark
// touches the frame. Ends that are given stay, and where nothing is negative the axis is not either.
export function axis(about, values, { ticks, anchor, room = 0, length = 300 }) {
  const log = about.scale === "log";
  const found = extent(log ? values.filter((value) => value > 0) : values);
  if (log && found[0] <= 0) found[0] = found[1] / 10;
  const [least, most] = widened(found, Math.max(room, anchor === "y" ? 0.06 : 0), log);
  const domain = [about.least ?? (found[0] >= 0 && !log ? Math.max(0, least) : least), about.most ?? most];
  return {
    ...(log ? { axis: null } : {}),
    type: log ? "log" : "linear",
    ...(log && about.unit === "bytes" ? { base: 2 } : {}),
    domain,
    nice: !log && anchor === "y" && about.most === undefined,
    label: about.label,
    labelAnchor: anchor === "y" ? "top" : "center",
    labelArrow: "none",
    ticks: ticksOf(about, domain, ticks, length),
    tickFormat: (value) => format(value, about.unit, 4),
    grid: anchor === "y",
  };
}

// The axes of logarithmic scales, which have words at all ticks: those that Plot makes by itself leave some out.
export function logAxes(x, y) {
  const about = ({ label, labelAnchor, labelArrow, tickFormat }) => ({ label, labelAnchor, labelArrow, text: tickFormat });
  return [
    ...(x.type === "log" ? [Plot.axisX(x.ticks, about(x))] : []),
    ...(y?.type === "log" ? [Plot.axisY(y.ticks, about(y))] : []),
  ];
}
