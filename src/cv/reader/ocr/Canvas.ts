/** Draws pictures and filled shapes in shades of grey. Coordinates are pixels from the upper left. */
import { at, type Box, type Matrix } from "../pdf/Geometry.ts"

/** 0 black to 255 white, row by row. */
export interface Grey {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** Without `alpha`, all pixels are opaque. */
export interface Bitmap extends Grey {
  readonly alpha?: Uint8Array | undefined
}

/** Pixels in the encoding of a file; read once, in any order. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly grey: (x: number, y: number) => number
  readonly alpha?: ((x: number, y: number) => number) | undefined
}

export const luma = (red: number, green: number, blue: number): number => (red * 299 + green * 587 + blue * 114) / 1000

/** Averages squares of `factor` pixels, so that thin strokes of a large picture stay. */
export const shrink = ({ alpha, grey, height, width }: Pixels, factor: number): Bitmap => {
  const columns = Math.max(1, Math.floor(width / factor))
  const rows = Math.max(1, Math.floor(height / factor))
  const data = new Uint8Array(columns * rows)
  const opacity = alpha === undefined ? undefined : new Uint8Array(columns * rows)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [left, top] = [column * factor, row * factor]
      const [right, bottom] = [Math.min(width, left + factor), Math.min(height, top + factor)]
      let [sum, weight, count] = [0, 0, 0]
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) {
          const share = alpha === undefined ? 255 : alpha(x, y)
          sum += share * grey(x, y)
          weight += share
          count++
        }
      }
      const index = row * columns + column
      data[index] = weight === 0 ? 255 : Math.round(sum / weight)
      if (opacity !== undefined) opacity[index] = Math.round(weight / count)
    }
  }
  return { width: columns, height: rows, data, alpha: opacity }
}

const inverted = ([a, b, c, d, e, f]: Matrix): Matrix | undefined => {
  const determinant = a * d - b * c
  if (Math.abs(determinant) < 1e-9) return undefined
  return [
    d / determinant,
    -b / determinant,
    -c / determinant,
    a / determinant,
    (c * f - d * e) / determinant,
    (b * e - a * f) / determinant,
  ]
}

/** A curve is drawn as this many lines. */
const curveLines = 6
/** Rows of samples in a pixel. */
const samples = 3

type Edge = readonly [x0: number, y0: number, x1: number, y1: number]

interface Crossing {
  readonly x: number
  /** 1 downwards, -1 upwards. */
  readonly turn: 1 | -1
}

/** The lines of a path of pdf.js: 0 move, 1 line, 2 cubic curve, 3 quadratic curve, 4 close. */
const edgesOf = (path: ArrayLike<number>, matrix: Matrix): ReadonlyArray<Edge> => {
  const edges: Array<Edge> = []
  let [start, last] = [
    [0, 0],
    [0, 0],
  ] as [readonly [number, number], readonly [number, number]]
  const lineTo = (x: number, y: number) => {
    const from = at(matrix, ...last)
    const to = at(matrix, x, y)
    edges.push([from.x, from.y, to.x, to.y])
    last = [x, y]
  }
  const value = (index: number) => path[index] ?? 0
  const curveTo = (points: ReadonlyArray<readonly [number, number]>) => {
    const from = last
    for (let step = 1; step <= curveLines; step++) {
      let rest = [from, ...points]
      const t = step / curveLines
      while (rest.length > 1)
        rest = rest.slice(1).map(([x, y], i) => {
          const [u = 0, v = 0] = rest[i] ?? []
          return [u + (x - u) * t, v + (y - v) * t] as const
        })
      lineTo(...(rest[0] ?? from))
    }
  }
  for (let i = 0; i < path.length; ) {
    switch (path[i]) {
      case 0:
        lineTo(...start)
        start = [value(i + 1), value(i + 2)]
        last = start
        i += 3
        break
      case 1:
        lineTo(value(i + 1), value(i + 2))
        i += 3
        break
      case 2:
        curveTo([
          [value(i + 1), value(i + 2)],
          [value(i + 3), value(i + 4)],
          [value(i + 5), value(i + 6)],
        ])
        i += 7
        break
      case 3:
        curveTo([
          [value(i + 1), value(i + 2)],
          [value(i + 3), value(i + 4)],
        ])
        i += 5
        break
      default:
        lineTo(...start)
        i += 1
    }
  }
  lineTo(...start)
  return edges.filter(([, y0, , y1]) => y0 !== y1)
}

/** A white sheet. */
export class Canvas implements Grey {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array

  constructor(width: number, height: number) {
    this.width = width
    this.height = height
    this.data = new Uint8Array(width * height).fill(255)
  }

  #blend(index: number, grey: number, opacity: number): void {
    const below = this.data[index] ?? 255
    this.data[index] = Math.round(below + (grey - below) * opacity)
  }

  #within({ bottom, left, right, top }: Box) {
    return {
      left: Math.max(0, Math.floor(left)),
      top: Math.max(0, Math.floor(top)),
      right: Math.min(this.width, Math.ceil(right)),
      bottom: Math.min(this.height, Math.ceil(bottom)),
    }
  }

  /** `matrix` places the unit square, in which a picture's lower left is the origin. */
  paint(pixels: Pixels, matrix: Matrix, clip: Box, opacity: number): void {
    const back = inverted(matrix)
    if (back === undefined) return
    const corners = [at(matrix, 0, 0), at(matrix, 1, 0), at(matrix, 0, 1), at(matrix, 1, 1)]
    const xs = corners.map(({ x }) => x)
    const ys = corners.map(({ y }) => y)
    const area = this.#within({
      left: Math.max(Math.min(...xs), clip.left),
      top: Math.max(Math.min(...ys), clip.top),
      right: Math.min(Math.max(...xs), clip.right),
      bottom: Math.min(Math.max(...ys), clip.bottom),
    })
    if (area.left >= area.right || area.top >= area.bottom) return
    const perPixel = Math.min(
      pixels.width / Math.hypot(matrix[0], matrix[1]),
      pixels.height / Math.hypot(matrix[2], matrix[3]),
    )
    const bitmap = shrink(pixels, Math.max(1, Math.round(perPixel)))
    const { alpha, data, height, width } = bitmap
    for (let y = area.top; y < area.bottom; y++) {
      for (let x = area.left; x < area.right; x++) {
        const place = at(back, x + 0.5, y + 0.5)
        if (place.x < 0 || place.x > 1 || place.y < 0 || place.y > 1) continue
        const across = Math.min(width - 1, Math.max(0, place.x * width - 0.5))
        const down = Math.min(height - 1, Math.max(0, (1 - place.y) * height - 0.5))
        const [column, row] = [Math.floor(across), Math.floor(down)]
        const [u, v] = [across - column, down - row]
        const first = row * width + column
        const next = column + 1 < width ? 1 : 0
        const below = row + 1 < height ? width : 0
        const mix = (from: Uint8Array) =>
          ((from[first] ?? 0) * (1 - u) + (from[first + next] ?? 0) * u) * (1 - v) +
          ((from[first + below] ?? 0) * (1 - u) + (from[first + below + next] ?? 0) * u) * v
        this.#blend(y * this.width + x, mix(data), alpha === undefined ? opacity : (opacity * mix(alpha)) / 255)
      }
    }
  }

  /** Fills a path of pdf.js. */
  fill(
    path: ArrayLike<number>,
    matrix: Matrix,
    clip: Box,
    paint: { grey: number; opacity: number; isEvenOdd: boolean },
  ) {
    const edges = edgesOf(path, matrix)
    const ys = edges.flatMap(([, y0, , y1]) => [y0, y1])
    const top = ys.reduce((least, y) => Math.min(least, y), Infinity)
    const bottom = ys.reduce((most, y) => Math.max(most, y), -Infinity)
    const area = this.#within({ ...clip, top: Math.max(clip.top, top), bottom: Math.min(clip.bottom, bottom) })
    if (area.left >= area.right || area.top >= area.bottom) return
    const lines = Array.from({ length: (area.bottom - area.top) * samples }, (): Array<Crossing> => [])
    for (const [x0, y0, x1, y1] of edges) {
      const first = Math.ceil((Math.min(y0, y1) - area.top) * samples - 0.5)
      const end = Math.ceil((Math.max(y0, y1) - area.top) * samples - 0.5)
      for (let line = Math.max(0, first); line < Math.min(end, lines.length); line++) {
        const y = area.top + (line + 0.5) / samples
        lines[line]?.push({ x: x0 + ((y - y0) / (y1 - y0)) * (x1 - x0), turn: y1 > y0 ? 1 : -1 })
      }
    }
    const coverage = new Float32Array(this.width + 1)
    for (let y = area.top; y < area.bottom; y++) {
      let [least, most] = [area.right, area.left]
      for (const crossings of lines.slice((y - area.top) * samples, (y - area.top + 1) * samples)) {
        crossings.sort((one, other) => one.x - other.x)
        let winding = 0
        for (const [i, { turn, x }] of crossings.entries()) {
          winding += turn
          const isInside = paint.isEvenOdd ? i % 2 === 0 : winding !== 0
          const from = Math.max(x, area.left)
          const to = Math.min(crossings[i + 1]?.x ?? x, area.right)
          if (!isInside || from >= to) continue
          for (let column = Math.floor(from); column < to; column++)
            coverage[column] = (coverage[column] ?? 0) + (Math.min(to, column + 1) - Math.max(from, column)) / samples
          least = Math.min(least, Math.floor(from))
          most = Math.max(most, Math.ceil(to))
        }
      }
      for (let x = least; x < most; x++) {
        this.#blend(y * this.width + x, paint.grey, paint.opacity * Math.min(1, coverage[x] ?? 0))
        coverage[x] = 0
      }
    }
  }
}
