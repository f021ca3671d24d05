// Scales and ticks of the axes of a chart.
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

// 1, 10, 100 … over several decades; 1, 2, 5, 10 … over one or two.
function logTicks([least, most]) {
  const decades = Math.log10(most / least);
  const steps = decades > 2.5 ? [1] : [1, 2, 5];
  const stride = Math.max(1, Math.ceil(decades / 8));
  const ticks = [];
  for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(most)); power += stride) {
    for (const step of steps) {
      const tick = step * 10 ** power;
      if (tick >= least * 0.999 && tick <= most * 1.001) ticks.push(tick);
    }
  }
  return ticks;
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

function ticksOf(about, domain, wanted) {
  if (about.unit === "bytes") return about.scale === "log" ? logByteTicks(domain, wanted) : byteTicks(domain, wanted);
  return about.scale === "log" ? logTicks(domain) : wanted;
}

// Widens an extent by a share of itself on both sides.
function widened([least, most], share, log) {
  if (log) return [least / (most / least) ** share, most * (most / least) ** share];
  return [least - share * (most - least), most + share * (most - least)];
}

// The options of Plot for one axis. The axis covers all `values`, with `room` (a share of their extent) on both sides.
export function axis(about, values, { ticks, anchor, room = 0 }) {
  const log = about.scale === "log";
  let domain = extent(log ? values.filter((value) => value > 0) : values);
  if (log && domain[0] <= 0) domain[0] = domain[1] / 10;
  if (room > 0) domain = widened(domain, room, log);
  const free = about.least === undefined && about.most === undefined;
  if (about.least !== undefined) domain[0] = about.least;
  if (about.most !== undefined) domain[1] = about.most;
  if (!log && anchor === "y" && free) {
    // Leave room above and below, so that no mark touches the frame.
    const [least, most] = widened(domain, 0.06, false);
    domain = [domain[0] >= 0 ? Math.max(0, least) : least, most];
  }
  return {
    type: log ? "log" : "linear",
    ...(log && about.unit === "bytes" ? { base: 2 } : {}),
    domain,
    nice: !log && anchor === "y" && about.most === undefined,
    label: about.label,
    labelAnchor: anchor === "y" ? "top" : "center",
    labelArrow: "none",
    ticks: ticksOf(about, domain, ticks),
    tickFormat: (value) => format(value, about.unit, 4),
    grid: anchor === "y",
  };
}
