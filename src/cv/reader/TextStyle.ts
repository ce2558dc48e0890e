/** The style of text, and whether a person would see it. */

export type Color = readonly [number, number, number]

export const white: Color = [255, 255, 255]
export const black: Color = [0, 0, 0]

export const hexColor = (text: string): Color | undefined => {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1]
  if (digits === undefined) return undefined
  const pairs = digits.length === 3 ? [...digits].map((digit) => digit + digit) : (digits.match(/../g) ?? [])
  const [red = 0, green = 0, blue = 0] = pairs.map((pair) => Number.parseInt(pair, 16))
  return [red, green, blue]
}

/** WCAG 2.2. */
const luminance = (color: Color): number => {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The faintest grey in print is above 1.3. */
const minContrast = 1.3

export const isVisibleOn = (text: Color, background: Color): boolean => {
  const [one, other] = [luminance(text), luminance(background)]
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) >= minContrast
}

/** On `unknown` (a pattern, picture or theme colour) text counts as visible. */
export type Background = Color | "unknown"

export interface TextStyle {
  readonly isHidden?: boolean | undefined
  readonly color?: Color | undefined
  readonly background?: Background | undefined
  /** Points. */
  readonly size?: number | undefined
}

/** Points. */
export const maxHiddenSize = 2

export const mergeStyles = (...textStyles: ReadonlyArray<TextStyle | undefined>): TextStyle => {
  const of = <Key extends keyof TextStyle>(key: Key) =>
    textStyles.findLast((textStyle) => textStyle?.[key] !== undefined)?.[key]
  return { isHidden: of("isHidden"), color: of("color"), background: of("background"), size: of("size") }
}

export const isInvisible = ({ background, color, isHidden, size }: TextStyle, page: Background): boolean => {
  const behind = background ?? page
  if (isHidden === true || (size !== undefined && size <= maxHiddenSize)) return true
  return color !== undefined && behind !== "unknown" && !isVisibleOn(color, behind)
}
