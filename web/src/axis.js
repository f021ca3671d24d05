// Scales and ticks of a chart's axes, from the data and what the report says about them.
import { format } from "./format.js";

// The extent of the values that are there, widened where all are one.
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

// Plot's options for one axis. `values` are all numbers that must be seen.
export function axis(about, values, { ticks, anchor }) {
  const log = about.scale === "log";
  const domain = extent(log ? values.filter((value) => value > 0) : values);
  if (log && domain[0] <= 0) domain[0] = domain[1] / 10;
  const free = about.least === undefined && about.most === undefined;
  if (about.least !== undefined) domain[0] = about.least;
  if (about.most !== undefined) domain[1] = about.most;
  if (!log && anchor === "y" && free) {
    // Room above and below, so that nothing sits on the frame.
    const room = (domain[1] - domain[0]) * 0.06;
    domain[0] = domain[0] >= 0 ? Math.max(0, domain[0] - room) : domain[0] - room;
    domain[1] += room;
  }
  return {
    type: log ? "log" : "linear",
    domain,
    nice: !log && anchor === "y" && about.most === undefined,
    label: about.label,
    labelAnchor: anchor === "y" ? "top" : "center",
    labelArrow: "none",
    ticks: log ? logTicks(domain) : ticks,
    tickFormat: (value) => format(value, about.unit, 4),
    grid: anchor === "y",
  };
}
