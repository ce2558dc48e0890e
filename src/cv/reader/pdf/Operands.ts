/** What operators of pdf.js come with, whatever a file has put there. */
import { type Color, hexColor } from "../Colors.ts"

export const numberOf = (value: unknown, fallback = 0) => (typeof value === "number" ? value : fallback)
export const colorOf = (value: unknown): Color | undefined => (typeof value === "string" ? hexColor(value) : undefined)

interface Glyph {
  readonly unicode: string
  readonly width: number
  readonly isSpace?: boolean
}

export const isGlyph = (value: unknown): value is Glyph =>
  typeof value === "object" && value !== null && "unicode" in value && typeof value.unicode === "string"
