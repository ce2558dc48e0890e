/**
 * Reads a page's words from pdf.js's operator list (ISO 32000-2, 8.4, 9.3 and 9.4), because its text content lacks
 * colours and rendering modes, which hide text. Coordinates are points from the upper left.
 */
import type { getResolvedPDFJS } from "unpdf"
import { black, type Color, hexColor, isVisibleOn, maxHiddenSize, white } from "../TextStyle.ts"
import { at, type Box, boxOf, holds, identity, intersection, type Matrix, matrixOf, multiply } from "./Geometry.ts"

/** In pdf.js's paths 2 and 3 are curves and 4 closes. */
export const isRectangle = (paths: unknown): boolean => {
  const [path] = Array.isArray(paths) ? paths : []
  const numbers = ArrayBuffer.isView(path) ? Array.from(path as Float32Array) : []
  const points: Array<readonly [number, number]> = []
  for (let i = 0; i < numbers.length; ) {
    const op = numbers[i]
    if (op === 4) i += 1
    else if (op === 0 || op === 1) {
      points.push([numbers[i + 1] ?? 0, numbers[i + 2] ?? 0])
      i += 3
    } else return false
  }
  const sides = points.slice(1).every(([x, y], i) => x === points[i]?.[0] || y === points[i]?.[1])
  return sides && (points.length === 4 || points.length === 5)
}

export const numberOf = (value: unknown, fallback = 0) => (typeof value === "number" ? value : fallback)
export const colorOf = (value: unknown): Color | undefined => (typeof value === "string" ? hexColor(value) : undefined)

interface Glyph {
  readonly unicode: string
  readonly width: number
  readonly isSpace?: boolean
}

export const isGlyph = (value: unknown): value is Glyph =>
  typeof value === "object" && value !== null && "unicode" in value && typeof value.unicode === "string"

export interface PageFacts {
  readonly width: number
  readonly height: number
  readonly transform: Matrix
  /** Usually 0.001 em. */
  readonly glyphUnit: (font: string) => number
  /** Optional content. */
  readonly isShown: (layer: unknown) => boolean
}

export interface State {
  matrix: Matrix
  clip: Box
  fill: Color | undefined
  stroke: Color | undefined
  fillAlpha: number
  strokeAlpha: number
  font: string
  fontSize: number
  charSpacing: number
  wordSpacing: number
  scale: number
  leading: number
  rise: number
  mode: number
}

export const initialState = ({ height, transform, width }: PageFacts): State => ({
  matrix: transform,
  clip: { left: 0, top: 0, right: width, bottom: height },
  fill: black,
  stroke: black,
  fillAlpha: 1,
  strokeAlpha: 1,
  font: "",
  fontSize: 0,
  charSpacing: 0,
  wordSpacing: 0,
  scale: 1,
  leading: 0,
  rise: 0,
  mode: 0,
})

export type Ops = Awaited<ReturnType<typeof getResolvedPDFJS>>["OPS"]

/** Gets the pictures and filled shapes that a page shows, in the order of painting. */
export interface Drawing {
  /** The first argument of the operator: an image, or its name. */
  readonly picture: (image: unknown, state: State, isMask: boolean) => void
  readonly shape: (paths: unknown, state: State, isEvenOdd: boolean) => void
}

export interface Word {
  readonly text: string
  readonly left: number
  readonly right: number
  /** Baseline. */
  readonly y: number
  /** Points. */
  readonly size: number
  /** Followed by a blank. */
  readonly isEnd: boolean
  /** Not written from left to right. */
  readonly isTurned: boolean
  readonly isHidden: boolean
}

/** Without a colour: a picture or pattern. */
interface Area extends Box {
  readonly color: Color | undefined
  readonly isCover: boolean
}

export interface Painted {
  readonly fnArray: ReadonlyArray<number>
  readonly argsArray: ReadonlyArray<ReadonlyArray<unknown> | null>
}

/** Ems. */
const blankGap = 0.17
const minAlpha = 0.05

interface Placed extends Word {
  readonly areas: number
}

class Painter {
  readonly #page: PageFacts
  readonly #ops: Ops
  readonly #drawing: Drawing | undefined
  readonly #areas: Array<Area> = []
  readonly #words: Array<Placed> = []
  readonly #saved: Array<State> = []
  readonly #layers: Array<boolean> = []
  #state: State
  #text: Matrix = identity
  #line: Matrix = identity
  #clips = false

  constructor(page: PageFacts, ops: Ops, drawing: Drawing | undefined) {
    this.#page = page
    this.#ops = ops
    this.#drawing = drawing
    this.#state = initialState(page)
  }

  run({ argsArray, fnArray }: Painted): ReadonlyArray<Word> {
    for (const [i, op] of fnArray.entries()) this.#step(op, argsArray[i] ?? [])
    return this.#words.map(({ areas, ...word }) => ({
      ...word,
      isHidden: word.isHidden || this.#isCovered(word, areas),
    }))
  }

  #step(op: number, args: ReadonlyArray<unknown>) {
    const ops = this.#ops
    const state = this.#state
    const [first, second, third] = args
    switch (op) {
      case ops.save:
      case ops.beginGroup:
        return this.#save()
      case ops.restore:
      case ops.endGroup:
      case ops.endAnnotation:
      case ops.paintFormXObjectEnd:
        return this.#restore()
      case ops.transform:
        return this.#transform(matrixOf(args))
      case ops.paintFormXObjectBegin: {
        this.#save()
        if (first !== null) this.#transform(matrixOf(first))
        return this.#clip(second)
      }
      case ops.beginAnnotation:
        this.#save()
        this.#transform(matrixOf(third))
        return this.#transform(matrixOf(args[3]))
      case ops.beginMarkedContent:
        this.#layers.push(false)
        return
      case ops.beginMarkedContentProps:
        this.#layers.push(first === "OC" && !this.#page.isShown(second))
        return
      case ops.endMarkedContent:
        this.#layers.pop()
        return
      case ops.setGState:
        for (const [key, value] of Array.isArray(first) ? first : []) {
          if (key === "ca") state.fillAlpha = numberOf(value, 1)
          if (key === "CA") state.strokeAlpha = numberOf(value, 1)
        }
        return
      case ops.setFillRGBColor:
        state.fill = colorOf(first)
        return
      case ops.setStrokeRGBColor:
        state.stroke = colorOf(first)
        return
      case ops.setFillColorN:
        state.fill = undefined
        return
      case ops.setStrokeColorN:
        state.stroke = undefined
        return
      case ops.clip:
      case ops.eoClip:
        this.#clips = true
        return
      case ops.constructPath:
        return this.#path(numberOf(first), second, third)
      case ops.shadingFill:
        this.#areas.push({ ...state.clip, color: undefined, isCover: false })
        return
      case ops.paintImageXObject:
      case ops.paintInlineImageXObject:
      case ops.paintImageMaskXObject:
        if (this.#isShown) this.#drawing?.picture(first, state, op === ops.paintImageMaskXObject)
        return this.#paint(new Float32Array([0, 0, 1, 1]), undefined, false)
      case ops.beginText:
        this.#text = identity
        this.#line = identity
        return
      case ops.setFont:
        state.font = typeof first === "string" ? first : ""
        state.fontSize = numberOf(second)
        return
      case ops.setCharSpacing:
        state.charSpacing = numberOf(first)
        return
      case ops.setWordSpacing:
        state.wordSpacing = numberOf(first)
        return
      case ops.setHScale:
        state.scale = numberOf(first, 100) / 100
        return
      case ops.setLeading:
        state.leading = numberOf(first)
        return
      case ops.setTextRise:
        state.rise = numberOf(first)
        return
      case ops.setTextRenderingMode:
        state.mode = numberOf(first)
        return
      case ops.setTextMatrix:
        this.#text = matrixOf(first)
        this.#line = this.#text
        return
      case ops.moveText:
        return this.#moveLine(numberOf(first), numberOf(second))
      case ops.setLeadingMoveText:
        state.leading = -numberOf(second)
        return this.#moveLine(numberOf(first), numberOf(second))
      case ops.nextLine:
        return this.#moveLine(0, -state.leading)
      case ops.showText:
        return this.#show(Array.isArray(first) ? first : [])
      case ops.nextLineShowText:
      case ops.nextLineSetSpacingShowText:
        this.#moveLine(0, -state.leading)
        return this.#show(Array.isArray(args.at(-1)) ? (args.at(-1) as ReadonlyArray<unknown>) : [])
    }
  }

  get #isShown(): boolean {
    return !this.#layers.includes(true) && this.#state.fillAlpha >= minAlpha
  }

  #save(): void {
    this.#saved.push({ ...this.#state })
  }

  #restore(): void {
    this.#state = this.#saved.pop() ?? this.#state
  }

  #transform(matrix: Matrix): void {
    this.#state.matrix = multiply(matrix, this.#state.matrix)
  }

  #clip(bounds: unknown): void {
    const box = boxOf(this.#state.matrix, Array.isArray(bounds) ? new Float32Array(bounds) : bounds)
    if (box !== undefined) this.#state.clip = intersection(this.#state.clip, box)
  }

  #path(paint: number, paths: unknown, bounds: unknown): void {
    const { eoFill, eoFillStroke, fill, fillStroke, closeFillStroke, closeEOFillStroke } = this.#ops
    const isEvenOdd = [eoFill, eoFillStroke, closeEOFillStroke].some((one) => one === paint)
    const isFilled = isEvenOdd || [fill, fillStroke, closeFillStroke].some((one) => one === paint)
    const { fillAlpha } = this.#state
    if (isFilled && this.#isShown) this.#drawing?.shape(paths, this.#state, isEvenOdd)
    if (isFilled && fillAlpha > 0.3) this.#paint(bounds, this.#state.fill, fillAlpha > 0.95 && isRectangle(paths))
    if (this.#clips) this.#clip(bounds)
    this.#clips = false
  }

  #paint(bounds: unknown, color: Color | undefined, isCover: boolean): void {
    const box = boxOf(this.#state.matrix, bounds)
    if (box !== undefined) this.#areas.push({ ...intersection(box, this.#state.clip), color, isCover })
  }

  #moveLine(x: number, y: number): void {
    this.#line = multiply([1, 0, 0, 1, x, y], this.#line)
    this.#text = this.#line
  }

  #show(glyphs: ReadonlyArray<unknown>): void {
    const { charSpacing, font, fontSize, matrix, rise, scale, wordSpacing } = this.#state
    const place = multiply(this.#text, matrix)
    const unit = this.#page.glyphUnit(font) * fontSize
    const size = Math.abs(fontSize) * Math.hypot(place[2], place[3])
    let [x, begin, end, text] = [0, 0, 0, ""]
    const flush = (isEnd: boolean) => {
      if (text !== "")
        this.#place(text, at(place, begin * scale, rise), at(place, end * scale, rise), size, isEnd, place)
      text = ""
    }
    for (const glyph of glyphs) {
      if (typeof glyph === "number") {
        x -= (glyph * fontSize) / 1000
        if (text !== "" && Math.abs(x - end) > blankGap * Math.abs(fontSize)) flush(x > end)
        continue
      }
      if (!isGlyph(glyph)) continue
      if (text === "") begin = x
      x += glyph.width * unit + charSpacing + (glyph.isSpace === true ? wordSpacing : 0)
      if (/^\s*$/u.test(glyph.unicode)) flush(true)
      else {
        text += glyph.unicode
        end = x
      }
    }
    flush(false)
    this.#text = multiply([1, 0, 0, 1, x * scale, 0], this.#text)
  }

  #place(
    text: string,
    from: { readonly x: number; readonly y: number },
    to: { readonly x: number; readonly y: number },
    size: number,
    isEnd: boolean,
    place: Matrix,
  ): void {
    const isTurned = place[0] <= 0 || Math.abs(place[1]) > 0.2 * Math.abs(place[0])
    const box = { left: Math.min(from.x, to.x), right: Math.max(from.x, to.x), y: from.y }
    this.#words.push({
      text,
      ...box,
      size,
      isEnd,
      isTurned,
      isHidden: this.#isHidden((from.x + to.x) / 2, (from.y + to.y) / 2 - size / 4, size),
      areas: this.#areas.length,
    })
  }

  #isHidden(x: number, y: number, size: number): boolean {
    const { clip, fill, fillAlpha, mode, stroke, strokeAlpha } = this.#state
    if (size <= maxHiddenSize || mode === 3 || mode === 7 || this.#layers.includes(true) || !holds(clip, x, y))
      return true
    const isStroked = mode === 1 || mode === 5
    if ((isStroked ? strokeAlpha : fillAlpha) < minAlpha) return true
    const color = isStroked ? stroke : fill
    const behind = this.#areas.findLast((area) => holds(area, x, y))
    const background = behind === undefined ? white : behind.color
    return color !== undefined && background !== undefined && !isVisibleOn(color, background)
  }

  #isCovered({ left, right, size, y }: Word, since: number): boolean {
    for (let i = since; i < this.#areas.length; i++) {
      const area = this.#areas[i]
      if (area?.isCover && holds(area, left, y - size / 2) && holds(area, right, y)) return true
    }
    return false
  }
}

export const wordsOf = (
  painted: Painted,
  page: PageFacts,
  ops: Ops,
  drawing: Drawing | undefined = undefined,
): ReadonlyArray<Word> => new Painter(page, ops, drawing).run(painted)
