/** How text is dressed, and whether a person would see it so. */
import { type Color, isVisibleOn } from "./Colors.ts"

/** What is behind text: a colour, or something that is not judged (a pattern, a picture, a theme's colour). */
export type Background = Color | "unknown"

export interface Dress {
  readonly isHidden?: boolean | undefined
  readonly color?: Color | undefined
  readonly background?: Background | undefined
  /** Points. */
  readonly size?: number | undefined
}

/** Points: what is as small as this is not for people. */
const tiny = 2

/** What is said last counts, piece by piece. */
export const dressed = (...dresses: ReadonlyArray<Dress | undefined>): Dress => {
  const of = <Key extends keyof Dress>(key: Key) => dresses.findLast((dress) => dress?.[key] !== undefined)?.[key]
  return { isHidden: of("isHidden"), color: of("color"), background: of("background"), size: of("size") }
}

export const isUnseen = ({ background, color, isHidden, size }: Dress, page: Background): boolean => {
  const behind = background ?? page
  if (isHidden === true || (size !== undefined && size <= tiny)) return true
  return color !== undefined && behind !== "unknown" && !isVisibleOn(color, behind)
}
