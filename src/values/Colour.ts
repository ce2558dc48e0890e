/** Colours as #rrggbb: contrast (WCAG 2.2), and the shades of an accent on light and dark pages and in emails. */

const hex = /^#[0-9a-f]{6}$/

type Channels = readonly [red: number, green: number, blue: number]

/** In lower case with `#`; undefined: not a colour. Also reads three digits, as in CSS. */
export const readColour = (text: string): string | undefined => {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1]?.toLowerCase()
  if (digits === undefined) return undefined
  return `#${digits.length === 6 ? digits : [...digits].map((digit) => digit + digit).join("")}`
}

const channelsOf = (colour: string): Channels => {
  const value = hex.test(colour) ? Number.parseInt(colour.slice(1), 16) : 0
  return [value >> 16, (value >> 8) & 255, value & 255]
}

const linear = (channel: number): number => {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** Relative luminance, from 0 (black) to 1. */
const luminance = (colour: string): number => {
  const [red, green, blue] = channelsOf(colour)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** From 1 to 21. */
export const contrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** `share` of the other colour, from 0 to 1. */
const mixed = (colour: string, other: string, share: number): string => {
  const to = channelsOf(other)
  const channels = channelsOf(colour).map((channel, i) => Math.round(channel + ((to[i] ?? 0) - channel) * share))
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`
}

/** The first mixture of `colour` with `other`, from `start` on, that fits; `other` if none does. */
const firstMixed = (colour: string, other: string, fits: (mixture: string) => boolean, start = 0): string => {
  for (let percent = start; percent < 100; percent++) {
    const mixture = mixed(colour, other, percent / 100)
    if (fits(mixture)) return mixture
  }
  return other
}

/** Of text (WCAG 2.2, 1.4.3). */
export const minContrast = 4.5

/** Of the accent on dark pages: more than `minContrast`, which leaves room for `soft` behind it. */
const minContrastInDark = 5.5

/** What text and buttons in the accent stand on (platform/http/assets/style/tokens.css). */
const grounds = {
  light: ["#ffffff", "#f6f7f4", "#f1f3ef"],
  dark: ["#181d1b", "#131816", "#101413", "#1b201e"],
} as const

/** The lowest contrast of the colour with white text and with the pages' light backgrounds. */
export const contrastOnPages = (colour: string): number =>
  Math.min(...grounds.light.map((ground) => contrast(colour, ground)))

/** The colour, as little darkened as `minContrast` needs. */
export const readable = (colour: string): string =>
  firstMixed(colour, "#000000", (one) => contrastOnPages(one) >= minContrast)

export interface Shades {
  readonly accent: string
  /** Of buttons under the pointer, and of text on `soft`. */
  readonly strong: string
  /** Of text on the accent. */
  readonly ink: string
  /** Behind text. */
  readonly soft: string
}

export interface Palette {
  readonly light: Shades
  readonly dark: Shades
}

/** This service's own, as in tokens.css and, in the dark, as emails have always had it. */
export const ownPalette: Palette = {
  light: { accent: "#0b6b5d", strong: "#085247", ink: "#ffffff", soft: "#e2f1ed" },
  dark: { accent: "#4fb8a3", strong: "#6cd0bb", ink: "#0c1a17", soft: "#15322c" },
}

/** `colour`: readable; null: this service's own. On dark pages it is lightened until text in it has `minContrastInDark`. */
export const paletteOf = (colour: string | null): Palette => {
  if (colour === null) return ownPalette
  const isReadableOn =
    (text: string) =>
    (ground: string): boolean =>
      contrast(text, ground) >= minContrast
  const light = readable(colour)
  const dark = firstMixed(colour, "#ffffff", (one) =>
    grounds.dark.every((ground) => contrast(one, ground) >= minContrastInDark),
  )
  return {
    light: {
      accent: light,
      strong: mixed(light, "#000000", 0.25),
      ink: "#ffffff",
      soft: firstMixed(light, "#ffffff", isReadableOn(light), 88),
    },
    dark: {
      accent: dark,
      strong: mixed(dark, "#ffffff", 0.3),
      ink: firstMixed(dark, "#000000", isReadableOn(dark), 85),
      soft: firstMixed(dark, grounds.dark[0], isReadableOn(dark), 82),
    },
  }
}

/** A style sheet that sets the accent's tokens where the class `branded` is. */
export const accentSheet = (colour: string): string => {
  const { dark, light } = paletteOf(colour)
  const rule = ({ accent, ink, soft, strong }: Shades) =>
    `.branded { --accent: ${accent}; --accent-strong: ${strong}; --accent-ink: ${ink}; --accent-soft: ${soft}; }\n`
  return `${rule(light)}@media (prefers-color-scheme: dark) {\n${rule(dark)}}\n@media print {\n${rule(light)}}\n`
}
