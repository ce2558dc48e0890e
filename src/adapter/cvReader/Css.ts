/** As much of CSS as hides text: rules for elements, classes and ids, and a style's own declarations. */
import { type Color, hexColor } from "./Colors.ts"
import type { Attributes } from "./Package.ts"
import type { Background, Dress } from "./Shade.ts"

type Declarations = Readonly<Record<string, string>>

export interface Rule {
  /** An element, a class, an id, or an element with a class: others are not judged. */
  readonly selector: string
  readonly declarations: Declarations
}

/** More rules than any page that is a CV has. */
const mostRules = 2_000
const longestSheet = 200_000

const declarationsOf = (text: string): Declarations =>
  Object.fromEntries(
    text.split(";").flatMap((declaration) => {
      const [name = "", ...value] = declaration.split(":")
      const text = value.join(":").replace("!important", "").trim().toLowerCase()
      return text === "" ? [] : [[name.trim().toLowerCase(), text]]
    }),
  )

export const rulesOf = (css: string): ReadonlyArray<Rule> => {
  const uncommented = css
    .slice(0, longestSheet)
    .split("*/")
    .map((part) => part.split("/*", 1)[0])
    .join("")
  // what holds for paper or small screens is not what most people see
  const plain = uncommented.replaceAll(/@[^{};]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, "")
  const rules: Array<Rule> = []
  for (const [, selectors = "", body = ""] of plain.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    const declarations = declarationsOf(body)
    for (const selector of selectors.split(",")) {
      if (rules.length < mostRules) rules.push({ selector: selector.trim(), declarations })
    }
  }
  return rules
}

/** The declarations that hold for an element: those of rules in their order, then its own. */
export const styleOf = (name: string, attributes: Attributes, rules: ReadonlyArray<Rule>): Declarations => {
  const classes = (attributes["class"] ?? "").split(/\s+/).filter((one) => one !== "")
  const names = new Set([name, ...classes.flatMap((one) => [`.${one}`, `${name}.${one}`]), `#${attributes["id"]}`])
  const matching = rules.filter(({ selector }) => names.has(selector)).map(({ declarations }) => declarations)
  return Object.assign({}, ...matching, declarationsOf(attributes["style"] ?? ""))
}

const colorNames: Record<string, Color> = {
  white: [255, 255, 255],
  snow: [255, 250, 250],
  ivory: [255, 255, 240],
  whitesmoke: [245, 245, 245],
  ghostwhite: [248, 248, 255],
  black: [0, 0, 0],
}

const colorOf = (text: string | undefined): Color | "transparent" | undefined => {
  if (text === undefined) return undefined
  const [red, green, blue, alpha] =
    /^rgba?\(([^)]*)\)$/
      .exec(text)?.[1]
      ?.split(/[\s,/]+/)
      .map(Number) ?? []
  if (text === "transparent" || alpha === 0) return "transparent"
  if (red !== undefined && green !== undefined && blue !== undefined) return [red, green, blue]
  return colorNames[text] ?? hexColor(text)
}

const backgroundOf = (text: string | undefined): Background | undefined => {
  if (text === undefined || text === "none" || text === "inherit" || text === "initial") return undefined
  const color = colorOf(text)
  return color === "transparent" ? undefined : (color ?? "unknown")
}

/** Pixels; undefined: a length in other units than those. */
const pixels = (text: string | undefined): number | undefined => {
  const [, number, unit] = /^(-?[\d.]+)(px|pt|em|rem|%|)$/.exec(text ?? "") ?? []
  if (number === undefined) return undefined
  const factor = unit === "pt" ? 4 / 3 : unit === "em" || unit === "rem" ? 16 : unit === "%" ? 0.16 : 1
  return Number(number) * factor
}

const farAway = -400

const isAway = (style: Declarations): boolean => {
  const isPlaced = ["absolute", "fixed"].includes(style["position"] ?? "")
  const isFar = (name: string) => (pixels(style[name]) ?? 0) <= farAway
  return isFar("text-indent") || (isPlaced && ["left", "right", "top", "bottom"].some(isFar))
}

const isClipped = (style: Declarations): boolean => {
  const hides = ["hidden", "clip"].includes(style["overflow"] ?? "")
  const isFlat = ["width", "height", "max-height", "max-width"].some((name) => (pixels(style[name]) ?? 99) <= 1)
  return (
    (hides && isFlat) ||
    /^rect\((0|1px)[ ,]/.test(style["clip"] ?? "") ||
    /^inset\((50|100)%/.test(style["clip-path"] ?? "")
  )
}

const isNotShown = (style: Declarations): boolean =>
  style["display"] === "none" ||
  ["hidden", "collapse"].includes(style["visibility"] ?? "") ||
  Number(style["opacity"] ?? 1) < 0.05 ||
  isAway(style) ||
  isClipped(style)

export const dressOf = (style: Declarations): Dress => {
  const color = colorOf(style["color"])
  const size = pixels(style["font-size"])
  return {
    isHidden: isNotShown(style) || color === "transparent" ? true : undefined,
    color: color === "transparent" ? undefined : color,
    background: backgroundOf(style["background-color"] ?? style["background"]),
    size: size === undefined ? undefined : size * 0.75,
  }
}
