/**
 * Prepares a picture of a page for text recognition: evens out light and shadow, makes text dark on white, removes text
 * that people would not see, and straightens lines.
 */
import { type Color, isVisibleOn } from "../TextStyle.ts"
import type { Grey } from "./Canvas.ts"

/** The shorter side of a page in pixels: A4 at 200 dpi. */
const shorterSide = 1654
/** Three fifths more than A4 at 200 dpi. */
const maxPixels = 6_000_000

/** Longer strips are no pages: at this size, letters of a page would be too small to read. */
const maxAspect = 6

export const isPageShaped = ({ height, width }: { readonly width: number; readonly height: number }): boolean =>
  Math.max(width, height) <= maxAspect * Math.min(width, height)

/** The factor from a page's or picture's units to pixels. */
export const canvasScale = (width: number, height: number): number =>
  Math.min(shorterSide / Math.min(width, height), Math.sqrt(maxPixels / (width * height)))

/** Pixels of a square in which the background is one shade. It is that of the square and its eight neighbours. */
const block = 16
/** A background below this shade is dark: its text is lighter. */
const darkBackground = 110

interface Backgrounds {
  readonly columns: number
  readonly rows: number
  /** Shade of each block. */
  readonly shades: Uint8Array
  readonly isDark: ReadonlyArray<boolean>
}

const percentile = (counts: Uint32Array, share: number): number => {
  const total = counts.reduce((sum, count) => sum + count, 0)
  let seen = 0
  for (const [shade, count] of counts.entries()) {
    seen += count
    if (seen > share * total) return shade
  }
  return 255
}

const histogramsOf = ({ data, height, width }: Grey, columns: number, rows: number): ReadonlyArray<Uint32Array> => {
  const histograms = Array.from({ length: columns * rows }, () => new Uint32Array(256))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const histogram = histograms[Math.floor(y / block) * columns + Math.floor(x / block)]
      const shade = data[y * width + x] ?? 255
      if (histogram !== undefined) histogram[shade] = (histogram[shade] ?? 0) + 1
    }
  }
  return histograms
}

/** Most of a square is background: the median tells dark from light, and a shade further from text is the background's. */
const backgroundsOf = (page: Grey): Backgrounds => {
  const columns = Math.ceil(page.width / block)
  const rows = Math.ceil(page.height / block)
  const histograms = histogramsOf(page, columns, rows)
  const shades = new Uint8Array(columns * rows)
  const isDark: Array<boolean> = []
  const around = (middle: number, end: number) => [Math.max(0, middle - 1), Math.min(end - 1, middle + 1)] as const
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const counts = new Uint32Array(256)
      const [top, bottom] = around(row, rows)
      const [left, right] = around(column, columns)
      for (let y = top; y <= bottom; y++)
        for (let x = left; x <= right; x++)
          histograms[y * columns + x]?.forEach((count, shade) => {
            counts[shade] = (counts[shade] ?? 0) + count
          })
      const dark = percentile(counts, 0.5) < darkBackground
      isDark.push(dark)
      shades[row * columns + column] = percentile(counts, dark ? 0.2 : 0.8)
    }
  }
  return { columns, rows, shades, isDark }
}

const greyColor = (shade: number): Color => [shade, shade, shade]

/** What shades become on a background: its own white, text dark, and text that is as good as invisible white too. */
const toneCurve = (background: number, isDark: boolean): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, shade) => {
    const isBehind = isDark ? shade <= background : shade >= background
    if (isBehind || !isVisibleOn(greyColor(shade), greyColor(background))) return 255
    return Math.round(255 * (isDark ? (255 - shade) / (255 - background) : shade / background))
  })

/** Pixels of a square with one tone curve; a fraction of a block. */
const tile = 8

/** Dark text on white. Invisible is what is invisible in documents (TextStyle.ts). */
export const flatten = (page: Grey): Grey => {
  const { data, height, width } = page
  const { columns, isDark, rows, shades } = backgroundsOf(page)
  const curves = new Map<number, Uint8Array>()
  const curveOf = (background: number, dark: boolean): Uint8Array => {
    const key = dark ? -background : background
    const curve = curves.get(key) ?? toneCurve(background, dark)
    curves.set(key, curve)
    return curve
  }
  const curveAt = (x: number, y: number): Uint8Array => {
    const own = Math.floor(y / block) * columns + Math.floor(x / block)
    const dark = isDark[own] === true
    const across = Math.min(columns - 1, Math.max(0, x / block - 0.5))
    const down = Math.min(rows - 1, Math.max(0, y / block - 0.5))
    const [column, row] = [Math.floor(across), Math.floor(down)]
    const [next, below] = [Math.min(columns - 1, column + 1), Math.min(rows - 1, row + 1)]
    const [u, v] = [across - column, down - row]
    // shades change slowly, except at the edge of a dark area
    const shadeOf = (atRow: number, atColumn: number) => {
      const index = atRow * columns + atColumn
      return shades[isDark[index] === dark ? index : own] ?? 255
    }
    const above = shadeOf(row, column) * (1 - u) + shadeOf(row, next) * u
    const under = shadeOf(below, column) * (1 - u) + shadeOf(below, next) * u
    return curveOf(Math.round(above * (1 - v) + under * v), dark)
  }
  const flat = new Uint8Array(width * height)
  for (let top = 0; top < height; top += tile) {
    for (let left = 0; left < width; left += tile) {
      const curve = curveAt(left + tile / 2, top + tile / 2)
      for (let y = top; y < Math.min(height, top + tile); y++)
        for (let i = y * width + left; i < y * width + Math.min(width, left + tile); i++)
          flat[i] = curve[data[i] ?? 255] ?? 255
    }
  }
  return { width, height, data: flat }
}

/** Below this shade a pixel is part of a letter. */
const ink = 128
/** Degrees. */
const maxSkew = 10
/** Smaller angles do not matter to the recognition. */
const minSkew = 0.3
/** Letters' pixels that are looked at. */
const maxPoints = 40_000
/** Fewer are dust. */
const minPoints = 100
/** Longer strokes are borders and areas, not letters. */
const maxStroke = 48

interface Point {
  readonly x: number
  readonly y: number
}

const lettersOf = ({ data, height, width }: Grey): ReadonlyArray<Point> => {
  const points: Array<Point> = []
  const isInk = (x: number, y: number) => x >= 0 && x < width && (data[y * width + x] ?? 255) < ink
  const reach = maxStroke / 2
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      if (!isInk(x, y)) continue
      const isLong = (isInk(x - reach, y) && isInk(x + reach, y)) || (isInk(x, y - reach) && isInk(x, y + reach))
      if (!isLong) points.push({ x, y })
    }
  }
  const every = Math.max(1, Math.ceil(points.length / maxPoints))
  return points.filter((_, i) => i % every === 0)
}

export const isBlank = (flat: Grey): boolean => lettersOf(flat).length < minPoints

/** Pixels across lines that are counted as one. */
const lineStep = 3

/** How sharply lines of text stand out when the points are projected along lines of this angle. */
const sharpness = (points: ReadonlyArray<Point>, degrees: number): number => {
  const radians = (degrees * Math.PI) / 180
  const [sin, cos] = [Math.sin(radians) / lineStep, Math.cos(radians) / lineStep]
  // no page is longer or wider
  const middle = 8_192
  const counts = new Int32Array(2 * middle)
  for (const { x, y } of points) {
    const row = Math.round(y * cos - x * sin) + middle
    counts[row] = (counts[row] ?? 0) + 1
  }
  let sum = 0
  for (let row = 1; row < counts.length; row++) sum += ((counts[row] ?? 0) - (counts[row - 1] ?? 0)) ** 2
  return sum
}

interface Lines {
  /** By which they fall to the right. */
  readonly degrees: number
  readonly sharpness: number
}

const linesOf = (points: ReadonlyArray<Point>): Lines => {
  const bestOf = (from: number, to: number, step: number, known: Lines): Lines => {
    let best = known
    for (let degrees = from; degrees <= to; degrees += step) {
      const found = sharpness(points, degrees)
      if (found > best.sharpness) best = { degrees, sharpness: found }
    }
    return best
  }
  const rough = bestOf(-maxSkew, maxSkew, 1, { degrees: 0, sharpness: sharpness(points, 0) })
  return bestOf(rough.degrees - 0.75, rough.degrees + 0.75, 0.25, rough)
}

/** `quarters`: quarter turns to the right. */
export const turn = ({ data, height, width }: Grey, quarters: number): Grey => {
  const isSideways = quarters % 2 !== 0
  const [columns, rows] = isSideways ? [height, width] : [width, height]
  if (quarters % 4 === 0) return { width, height, data }
  const turned = new Uint8Array(data.length)
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const [fromX, fromY] =
        quarters === 1 ? [y, height - 1 - x] : quarters === 2 ? [width - 1 - x, height - 1 - y] : [width - 1 - y, x]
      turned[y * columns + x] = data[fromY * width + fromX] ?? 255
    }
  }
  return { width: columns, height: rows, data: turned }
}

const rotate = ({ data, height, width }: Grey, degrees: number): Grey => {
  const radians = (degrees * Math.PI) / 180
  const [sin, cos] = [Math.sin(radians), Math.cos(radians)]
  const [middle, centre] = [width / 2, height / 2]
  const rotated = new Uint8Array(data.length).fill(255)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const across = (x - middle) * cos - (y - centre) * sin + middle
      const down = (x - middle) * sin + (y - centre) * cos + centre
      const [column, row] = [Math.floor(across), Math.floor(down)]
      if (column < 0 || row < 0 || column >= width - 1 || row >= height - 1) continue
      const [u, v] = [across - column, down - row]
      const first = row * width + column
      rotated[y * width + x] =
        ((data[first] ?? 0) * (1 - u) + (data[first + 1] ?? 0) * u) * (1 - v) +
        ((data[first + width] ?? 0) * (1 - u) + (data[first + width + 1] ?? 0) * u) * v
    }
  }
  return { width, height, data: rotated }
}

export interface Straightened {
  /** Its lines are horizontal or vertical. */
  readonly page: Grey
  /** Lines are probably vertical. */
  readonly isSideways: boolean
}

export const straighten = (flat: Grey): Straightened => {
  const points = lettersOf(flat)
  const upright = linesOf(points)
  const sideways = linesOf(points.map(({ x, y }) => ({ x: y, y: -x })))
  const isSideways = sideways.sharpness > upright.sharpness
  const { degrees } = isSideways ? sideways : upright
  return { page: Math.abs(degrees) < minSkew ? flat : rotate(flat, degrees), isSideways }
}
