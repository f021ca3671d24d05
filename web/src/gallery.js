// Support vectors as pictures, with a grey value per pixel.
import { element, figure } from "./dom.js";

function pictureUrl(block, pixels) {
  const canvas = element("canvas", { width: block.width, height: block.height });
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const image = pen.createImageData(block.width, block.height);
  for (let i = 0; i < pixels.length; ++i) image.data.set([pixels[i], pixels[i], pixels[i], 255], 4 * i);
  pen.putImageData(image, 0, 0);
  return canvas.toDataURL();
}

// High values are black, low values white.
const pixelsOf = (text) => Uint8Array.from(atob(text), (c) => 255 - c.charCodeAt(0));

export function galleryBlock(block) {
  const cards = block.pictures.map((picture) =>
    element(
      "li",
      {},
      element("img", { src: pictureUrl(block, pixelsOf(picture.pixels)), alt: picture.name, width: block.width, height: block.height }),
      element("b", {}, picture.name),
      picture.detail ? element("small", {}, picture.detail) : "",
    ),
  );
  return { node: figure(block, element("ul", { class: "gallery" }, cards)) };
}
