/** Whether text of one colour can be seen on another. */

/** Red, green and blue, each 0 to 255. */
export type Color = readonly [number, number, number]

export const white: Color = [255, 255, 255]
export const black: Color = [0, 0, 0]

/** `#fff`, `#ffffff` or `ffffff`; undefined: neither, which is not judged. */
export const hexColor = (text: string): Color | undefined => {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1]
  if (digits === undefined) return undefined
  const pairs = digits.length === 3 ? [...digits].map((digit) => digit + digit) : (digits.match(/../g) ?? [])
  const [red = 0, green = 0, blue = 0] = pairs.map((pair) => Number.parseInt(pair, 16))
  return [red, green, blue]
}

/** WCAG 2.2, relative luminance. */
const luminance = (color: Color): number => {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG's contrast is 1 for equal colours and 21 for black on white; the faintest grey that people print is above 1.3. */
const leastContrast = 1.3

export const isVisibleOn = (text: Color, background: Color): boolean => {
  const [one, other] = [luminance(text), luminance(background)]
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) >= leastContrast
}
