// Numbers as text, by their unit: "count", "share" (of 1, shown in per cent), "seconds", "bytes", "number".

function digits(value, significant) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(significant - 1).replace(/\.?0+e/, "e").replace("e+", "e");
  return String(Number(value.toPrecision(significant)));
}

function scaled(value, steps, significant) {
  const [size, suffix] = steps.find(([least]) => Math.abs(value) >= least * 0.9995) ?? steps[steps.length - 1];
  return digits(value / size, significant) + suffix;
}

const counts = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]];
const times = [[3600, "\u00a0h"], [60, "\u00a0min"], [1, "\u00a0s"], [1e-3, "\u00a0ms"], [1e-6, "\u00a0µs"], [1e-9, "\u00a0ns"]];
const sizes = [[2 ** 30, "\u00a0GiB"], [2 ** 20, "\u00a0MiB"], [2 ** 10, "\u00a0KiB"], [1, "\u00a0B"]];

export function format(value, unit, significant = 3) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0 && unit !== "share") return "0";
  switch (unit) {
    case "share":
      return `${digits(100 * value, Math.max(significant, Math.abs(value) >= 0.9 ? 4 : significant))}\u00a0%`;
    case "count":
      return Math.abs(value) < 1 ? digits(value, significant) : scaled(value, counts, significant);
    case "seconds":
      return scaled(value, times, significant);
    case "bytes":
      return scaled(value, sizes, significant);
    default:
      return digits(value, significant);
  }
}

export const whole = new Intl.NumberFormat("en");
