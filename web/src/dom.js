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

// A block of the page: its title and caption, and what it shows.
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

// Paper has a width of its own, and no resizing is noticed on the way to it.
function redraw(printing) {
  document.documentElement.classList.toggle("printing", printing);
  for (const fit of fits) fit();
}
window.addEventListener("beforeprint", () => redraw(true));
window.addEventListener("afterprint", () => redraw(false));

// Calls draw(width) now that the element is on the page, and again whenever its width has changed.
export function drawToFit(holder, draw) {
  let drawn = 0;
  const fit = () => {
    const width = Math.floor(holder.clientWidth);
    if (width === 0 || Math.abs(width - drawn) < 4) return;
    drawn = width;
    holder.replaceChildren(draw(width));
  };
  fits.push(fit);
  new ResizeObserver(fit).observe(holder);
  fit();
}
