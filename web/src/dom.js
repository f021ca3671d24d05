// Elements with attributes and children in one call. Text is always text, never markup.
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

// A block of the page: title, caption and content.
export function figure(block, ...content) {
  const head = element(
    "figcaption",
    {},
    block.title ? element("h3", {}, block.title) : "",
    block.caption ? element("p", {}, block.caption) : "",
  );
  const kind = `block block-${block.kind}${block.wide ? " wide" : ""}`;
  return element("figure", { class: kind, "data-kind": block.kind }, head, ...content);
}

const fits = [];

// Printing changes the page width without a resize event, so charts are redrawn for it.
function redraw(printing) {
  document.documentElement.classList.toggle("printing", printing);
  for (const fit of fits) fit();
}
window.addEventListener("beforeprint", () => redraw(true));
window.addEventListener("afterprint", () => redraw(false));

// Calls act(width) once the element is on the page, and again whenever its width changes.
export function onWidth(holder, act) {
  let known = 0;
  const fit = () => {
    const width = Math.floor(holder.clientWidth);
    if (width === 0 || Math.abs(width - known) < 4) return;
    known = width;
    act(width);
  };
  fits.push(fit);
  new ResizeObserver(fit).observe(holder);
  fit();
}

export const drawToFit = (holder, draw) => onWidth(holder, (width) => holder.replaceChildren(draw(width)));
