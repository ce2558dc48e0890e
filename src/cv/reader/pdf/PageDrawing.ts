/** Draws the pictures and filled shapes of a PDF page, without its text: what a reader of a scan sees. */
import { Canvas, luma, type Pixels } from "../ocr/Canvas.ts"
import { canvasScale } from "../ocr/Sheet.ts"
import type { Color } from "../TextStyle.ts"
import { type Box, type Matrix, multiply } from "./Geometry.ts"
import type { Drawing, PageFacts } from "./Glyphs.ts"

/** `kind`s of pdf.js's images. Masks have none; they are painted where a bit is 0. */
const kinds = { blackAndWhite: 1, rgb: 2, rgba: 3 }

interface Image {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array | Uint8ClampedArray
  readonly kind: number
}

export const isImage = (value: unknown): value is Image =>
  typeof value === "object" &&
  value !== null &&
  "width" in value &&
  typeof value.width === "number" &&
  "height" in value &&
  typeof value.height === "number" &&
  "data" in value &&
  (value.data instanceof Uint8Array || value.data instanceof Uint8ClampedArray)

const bitAt = ({ data, width }: Image) => {
  const perRow = (width + 7) >> 3
  return (x: number, y: number) => ((data[y * perRow + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1
}

export const pixelsOf = (image: Image): Pixels | undefined => {
  const { data, height, kind, width } = image
  const coloured = (bytes: number) => (x: number, y: number) => {
    const i = (y * width + x) * bytes
    return luma(data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0)
  }
  if (kind === kinds.rgb) return { width, height, grey: coloured(3) }
  if (kind === kinds.rgba)
    return { width, height, grey: coloured(4), alpha: (x, y) => data[(y * width + x) * 4 + 3] ?? 0 }
  if (kind !== kinds.blackAndWhite) return undefined
  const bit = bitAt(image)
  return { width, height, grey: (x, y) => 255 * bit(x, y) }
}

const maskOf = (image: Image, grey: number): Pixels => {
  const bit = bitAt(image)
  return { width: image.width, height: image.height, grey: () => grey, alpha: (x, y) => 255 * (1 - bit(x, y)) }
}

const greyOf = ([red, green, blue]: Color) => luma(red, green, blue)

/** `images` has the page's images by name. */
export const pageDrawing = (
  { height, width }: PageFacts,
  images: ReadonlyMap<string, unknown>,
): Drawing & { readonly canvas: Canvas } => {
  const scale = canvasScale(width, height)
  const canvas = new Canvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)))
  const onCanvas = (matrix: Matrix) => multiply(matrix, [scale, 0, 0, scale, 0, 0])
  const clipped = ({ bottom, left, right, top }: Box): Box => ({
    left: left * scale,
    top: top * scale,
    right: right * scale,
    bottom: bottom * scale,
  })
  const named = (image: unknown) => (typeof image === "string" ? images.get(image) : image)
  return {
    canvas,
    picture: (image, { clip, fill, fillAlpha, matrix }, isMask) => {
      const found = named(image)
      // a mask names its data
      const content =
        isMask && typeof found === "object" && found !== null && "data" in found ? named(found.data) : found
      const whole = isImage(content) ? content : found
      if (!isImage(whole)) return
      const pixels = !isMask ? pixelsOf(whole) : fill === undefined ? undefined : maskOf(whole, greyOf(fill))
      if (pixels !== undefined) canvas.paint(pixels, onCanvas(matrix), clipped(clip), fillAlpha)
    },
    shape: (paths, { clip, fill, fillAlpha, matrix }, isEvenOdd) => {
      const [path] = Array.isArray(paths) ? paths : []
      if (fill === undefined || !(path instanceof Float32Array)) return
      canvas.fill(path, onCanvas(matrix), clipped(clip), { grey: greyOf(fill), opacity: fillAlpha, isEvenOdd })
    },
  }
}
