/** Decodes pictures: PNG with fast-png, JPEG with pdf.js, as the only picture of a PDF. */
import { decode } from "fast-png"
import { type Matrix, multiply } from "../pdf/Geometry.ts"
import { Unreadable } from "../Reading.ts"
import { Canvas, luma, type Pixels } from "./Canvas.ts"
import { canvasScale, isPageShaped } from "./Sheet.ts"

interface Size {
  readonly width: number
  readonly height: number
}

/** Letters of a page whose shorter side has fewer pixels cannot be read. */
const minSide = 100

const checkSize = (size: Size, maxPixels: number): void => {
  const { height, width } = size
  if (width === 0 || height === 0) throw new Unreadable("damaged")
  if (width * height > maxPixels) throw new Unreadable("picture_too_large")
  if (Math.min(width, height) < minSide || !isPageShaped(size)) throw new Unreadable("no_text")
}

/** Portable Network Graphics, 11.2.1: the first chunk has width and height. */
const pngSize = (file: Buffer): Size => {
  if (file.length < 24 || file.toString("latin1", 12, 16) !== "IHDR") throw new Unreadable("damaged")
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) }
}

const pngPixels = (file: Buffer): Pixels => {
  const { channels, data, depth, height, palette, transparency, width } = decode(file)
  const perRow = Math.ceil((width * channels * depth) / 8)
  const most = 2 ** depth - 1
  /** In the range of the depth. */
  const sample = (x: number, y: number, channel: number): number => {
    if (depth >= 8) return data[(y * width + x) * channels + channel] ?? 0
    const bits = x * depth
    return ((data[y * perRow + (bits >> 3)] ?? 0) >> (8 - depth - (bits & 7))) & most
  }
  const scaled = (x: number, y: number, channel: number) => (255 * sample(x, y, channel)) / most
  if (palette !== undefined) {
    const shades = palette.map(([red = 0, green = 0, blue = 0]) => luma(red, green, blue))
    const opacities = palette.map(([, , , opacity = 255]) => opacity)
    return {
      width,
      height,
      grey: (x, y) => shades[sample(x, y, 0)] ?? 0,
      alpha: (x, y) => opacities[sample(x, y, 0)] ?? 255,
    }
  }
  const isGrey = channels < 3
  const alpha =
    channels === 2 || channels === 4
      ? (x: number, y: number) => scaled(x, y, channels - 1)
      : transparency === undefined
        ? undefined
        : // one shade or colour is transparent
          (x: number, y: number) => (transparency.every((value, i) => sample(x, y, i) === value) ? 0 : 255)
  return {
    width,
    height,
    grey: (x, y) => (isGrey ? scaled(x, y, 0) : luma(scaled(x, y, 0), scaled(x, y, 1), scaled(x, y, 2))),
    alpha,
  }
}

interface JpegFacts extends Size {
  readonly components: number
  /** Written by an Adobe program, with inverted CMYK. */
  readonly isAdobe: boolean
  /** EXIF: 1 upright to 8. */
  readonly orientation: number
  /** The file ends before the picture does. */
  readonly isCut: boolean
}

/** Marker of the end of a picture; data within it do not have these bytes. */
const endOfImage = Buffer.from([0xff, 0xd9])

/** EXIF 2.32, 4.6.2: an IFD of TIFF; tag 0x0112 is the orientation. */
const orientationIn = (segment: Buffer): number | undefined => {
  if (segment.toString("latin1", 0, 6) !== "Exif\0\0") return undefined
  const tiff = segment.subarray(6)
  const isLittle = tiff.toString("latin1", 0, 2) === "II"
  const short = (offset: number) =>
    offset + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(offset) : tiff.readUInt16BE(offset)
  const long = (offset: number) =>
    offset + 4 > tiff.length ? 0 : isLittle ? tiff.readUInt32LE(offset) : tiff.readUInt32BE(offset)
  const start = long(4)
  for (let i = 0; i < short(start); i++) {
    const entry = start + 2 + 12 * i
    if (short(entry) === 0x0112) return short(entry + 8)
  }
  return undefined
}

/** Start Of Frame: 0xc0 to 0xcf without the tables 0xc4, 0xc8 and 0xcc (ITU-T T.81, table B.1). */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

const jpegFacts = (file: Buffer): JpegFacts => {
  let [isAdobe, orientation] = [false, 1]
  for (let at = 2; at + 9 < file.length; ) {
    if (file[at] !== 0xff) throw new Unreadable("damaged")
    const marker = file[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = file.readUInt16BE(at + 2)
    const segment = file.subarray(at + 4, at + 2 + length)
    if (marker === 0xe1) orientation = orientationIn(segment) ?? orientation
    if (marker === 0xee) isAdobe = segment.toString("latin1", 0, 5) === "Adobe"
    if (isFrame(marker)) {
      const [height, width, components] = [file.readUInt16BE(at + 5), file.readUInt16BE(at + 7), file[at + 9] ?? 0]
      return { width, height, components, isAdobe, orientation, isCut: file.indexOf(endOfImage, at) < 0 }
    }
    at += 2 + length
  }
  throw new Unreadable("damaged")
}

/** A PDF whose only page is the picture: pdf.js decodes JPEG, and exports no function for it. */
const pdfAround = (jpeg: Buffer, { components, height, isAdobe, width }: JpegFacts): Uint8Array => {
  const colours = components === 1 ? "DeviceGray" : components === 4 ? "DeviceCMYK" : "DeviceRGB"
  const decoding = components === 4 && isAdobe ? "/Decode[1 0 1 0 1 0 1 0]" : ""
  const content = `${width} 0 0 ${height} 0 0 cm /I Do`
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>`,
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    Buffer.concat([
      Buffer.from(
        `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/${colours}/BitsPerComponent 8${decoding}/Filter/DCTDecode/Length ${jpeg.length}>>stream\n`,
      ),
      jpeg,
      Buffer.from("\nendstream"),
    ]),
  ]
  // without a table of objects: pdf.js finds them
  const parts = objects.flatMap((object, i) => [`${i + 1} 0 obj\n`, object, "\nendobj\n"])
  return new Uint8Array(
    Buffer.concat(["%PDF-1.7\n", ...parts, "trailer<</Size 6/Root 1 0 R>>\n%%EOF\n"].map((part) => Buffer.from(part))),
  )
}

/** What turns the unit square, whose origin is the lower left, for each EXIF orientation. */
const orientations: Readonly<Record<number, Matrix>> = {
  2: [-1, 0, 0, 1, 1, 0],
  3: [-1, 0, 0, -1, 1, 1],
  4: [1, 0, 0, -1, 0, 1],
  5: [0, -1, -1, 0, 1, 1],
  6: [0, -1, 1, 0, 0, 1],
  7: [0, 1, 1, 0, 0, 0],
  8: [0, 1, -1, 0, 1, 0],
}

const upright: Matrix = [1, 0, 0, 1, 0, 0]

/** Shows a picture as a page. */
const drawn = (pixels: Pixels, orientation: number): Canvas => {
  const isTurned = orientation >= 5 && orientation <= 8
  const [width, height] = isTurned ? [pixels.height, pixels.width] : [pixels.width, pixels.height]
  const scale = canvasScale(width, height)
  const canvas = new Canvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)))
  const matrix = multiply(orientations[orientation] ?? upright, [canvas.width, 0, 0, -canvas.height, 0, canvas.height])
  canvas.paint(pixels, matrix, { left: 0, top: 0, right: canvas.width, bottom: canvas.height }, 1)
  return canvas
}

type PictureType = "png" | "jpeg"

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

/** Refuses a picture by the size that its first bytes state, before it is decoded. */
export const checkPicture = (bytes: Uint8Array, type: PictureType, maxPixels: number): void =>
  checkSize(type === "png" ? pngSize(bufferOf(bytes)) : jpegFacts(bufferOf(bytes)), maxPixels)

/** The picture as people see it. `decodeJpeg` returns the only picture of a PDF. */
export const drawPicture = async (
  bytes: Uint8Array,
  type: PictureType,
  decodeJpeg: (pdf: Uint8Array) => Promise<Pixels | undefined>,
): Promise<{ readonly page: Canvas; readonly isCut: boolean }> => {
  const file = bufferOf(bytes)
  if (type === "png") return { page: drawn(pngPixels(file), 1), isCut: false }
  const facts = jpegFacts(file)
  const { isCut, orientation } = facts
  const pixels = await decodeJpeg(pdfAround(isCut ? Buffer.concat([file, endOfImage]) : file, facts))
  if (pixels === undefined) throw new Unreadable("damaged")
  return { page: drawn(pixels, orientation), isCut }
}
