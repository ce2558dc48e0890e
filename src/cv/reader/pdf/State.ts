/** A page, and the state in which something is painted on it (ISO 32000-2, 8.4). */
import { black, type Color } from "../Colors.ts"
import type { Box, Matrix } from "./Geometry.ts"

export interface PageFacts {
  readonly width: number
  readonly height: number
  /** From the page's own coordinates to those of what is shown. */
  readonly transform: Matrix
  /** Thousandths of an em are its unit, unless a font says otherwise. */
  readonly glyphUnit: (font: string) => number
  /** Whether a layer is shown. */
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

/** The state that a page begins with. */
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
