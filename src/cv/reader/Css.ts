/** Reads the CSS that hides text: rules for elements, classes and ids, and inline styles. */
import {
  isTokenAtKeyword,
  isTokenBadString,
  isTokenBadURL,
  isTokenComment,
  isTokenFunction,
  isTokenHash,
  isTokenIdent,
  isTokenString,
  isTokenURL,
  tokenize,
} from "@csstools/css-tokenizer"
import type { Attributes } from "./Package.ts"
import type { Background, TextStyle } from "./TextStyle.ts"
import { type Color, hexColor } from "./TextStyle.ts"

type Declarations = Readonly<Record<string, string>>

interface Style {
  readonly usual: Declarations
  readonly important: Declarations
}

/** In a selector, "" matches any name or id. An element without an id has "". */
export interface Subject {
  readonly name: string
  readonly id: string
  readonly classes: ReadonlyArray<string>
}

interface Rule extends Style {
  /** Outermost first. */
  readonly subjects: ReadonlyArray<Subject>
  readonly weight: number
}

export interface Sheet {
  readonly rules: ReadonlyMap<string, ReadonlyArray<Rule>>
  readonly variables: Declarations
}

const maxRules = 2_000
const maxSheetLength = 200_000

/** Escapes can bring syntax characters into names. */
const plainName = (name: string): string => name.replaceAll(/[^\w\u0080-\uffff-]/g, "_")

/** Without escapes and strings, every brace, colon and semicolon is syntax. */
const syntaxOf = (css: string): string =>
  tokenize({ css })
    .map((token) => {
      if (isTokenComment(token)) return ""
      if (isTokenString(token) || isTokenBadString(token)) return '""'
      if (isTokenURL(token) || isTokenBadURL(token)) return "url()"
      if (isTokenIdent(token)) return plainName(token[4].value)
      if (isTokenFunction(token)) return `${plainName(token[4].value)}(`
      if (isTokenHash(token)) return `#${plainName(token[4].value)}`
      return isTokenAtKeyword(token) ? `@${plainName(token[4].value)}` : token[1]
    })
    .join("")

const styleIn = (text: string): Style => {
  const usual: Array<readonly [string, string]> = []
  const important: Array<readonly [string, string]> = []
  for (const declaration of text.split(";")) {
    const [name = "", ...value] = declaration.split(":")
    const whole = value.join(":").toLowerCase()
    const plain = whole.replace(/!\s*important/, "").trim()
    if (plain !== "") (plain === whole.trim() ? usual : important).push([name.trim().toLowerCase(), plain])
  }
  return { usual: Object.fromEntries(usual), important: Object.fromEntries(important) }
}

/** Conditions that most screens do not meet. */
const isSpecial = (condition: string) =>
  /print|speech|width|height|ratio|orientation|prefers|hover|pointer|not\b/i.test(condition)

const unconditional = (css: string): string =>
  css.replaceAll(/@([^@{};]*)\{((?:[^{}]*\{[^{}]*\})*[^{}]*)\}/g, (_, condition: string, inner: string) =>
    /^(?:media|supports|layer)\b/i.test(condition) && !isSpecial(condition) ? inner : "",
  )

const subjectOf = (text: string): Subject | undefined => {
  const [, name = "", rest] = /^(\*|[a-z][\w-]*)?((?:[.#][\w-]+)*)$/i.exec(text.replace(/^:root$/i, "html")) ?? []
  if (rest === undefined) return undefined
  const marked = (sign: string) =>
    (rest.match(/[.#][\w-]+/g) ?? []).flatMap((one) => (one.startsWith(sign) ? [one.slice(1)] : []))
  return { name: name === "*" ? "" : name.toLowerCase(), id: marked("#")[0] ?? "", classes: marked(".") }
}

/** Undefined: the selector has attributes, states or siblings. */
const subjectsOf = (selector: string): ReadonlyArray<Subject> | undefined => {
  // the page may have no html and body tags
  const plain = selector.replaceAll(">", " ").replaceAll(/(?<!\S)(?:html|body)\s+(?=\S)/gi, "")
  const subjects = plain.trim().split(/\s+/).map(subjectOf)
  return subjects.length > 8 || subjects.includes(undefined) ? undefined : subjects.filter((one) => one !== undefined)
}

const keyOf = ({ classes, id, name }: Subject): string =>
  id !== "" ? `#${id}` : classes[0] === undefined ? name : `.${classes[0]}`

export const sheetOf = (css: string): Sheet => {
  const plain = unconditional(syntaxOf(css.slice(0, maxSheetLength)))
  const rules = new Map<string, Array<Rule>>()
  const variables: Record<string, string> = {}
  let count = 0
  for (const [, selectors = "", body = ""] of plain.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    const style = styleIn(body)
    for (const [name, value] of Object.entries({ ...style.usual, ...style.important }))
      if (name.startsWith("--")) variables[name] = value
    for (const selector of selectors.split(",")) {
      const subjects = subjectsOf(selector)
      const last = subjects?.at(-1)
      if (subjects === undefined || last === undefined || ++count > maxRules) continue
      const weight = subjects.reduce(
        (sum, { classes, id, name }) => sum + (id === "" ? 0 : 10_000) + 100 * classes.length + (name === "" ? 0 : 1),
        0,
      )
      const key = keyOf(last)
      const known = rules.get(key) ?? []
      rules.set(key, known)
      known.push({ ...style, subjects, weight })
    }
  }
  return { rules, variables }
}

export const elementOf = (name: string, attributes: Attributes): Subject => ({
  name,
  id: attributes["id"] ?? "",
  classes: (attributes["class"] ?? "").split(/\s+/).filter((one) => one !== ""),
})

const matches = ({ classes, id, name }: Subject, element: Subject): boolean =>
  (name === "" || name === element.name) &&
  (id === "" || id === element.id) &&
  classes.every((one) => element.classes.includes(one))

const isWithin = (outer: ReadonlyArray<Subject>, around: ReadonlyArray<Subject>): boolean => {
  let left = outer.length
  for (let at = around.length - 1; at >= 0 && left > 0; at -= 1) {
    const subject = outer[left - 1]
    const element = around[at]
    if (subject !== undefined && element !== undefined && matches(subject, element)) left -= 1
  }
  return left === 0
}

/** Cascade: rules by specificity and order, inline style, then important declarations. */
export const styleOf = (
  element: Subject,
  around: ReadonlyArray<Subject>,
  attributes: Attributes,
  { rules, variables }: Sheet,
): Declarations => {
  const keys = [element.name, ...element.classes.map((one) => `.${one}`), `#${element.id}`, ""]
  const matching = keys
    .flatMap((key) => rules.get(key) ?? [])
    .filter(({ subjects }) => {
      const last = subjects.at(-1)
      return last !== undefined && matches(last, element) && isWithin(subjects.slice(0, -1), around)
    })
    .toSorted((one, other) => one.weight - other.weight)
  const own = styleIn(syntaxOf(attributes["style"] ?? ""))
  const all: Record<string, string> = Object.assign(
    {},
    ...matching.map(({ usual }) => usual),
    own.usual,
    ...matching.map(({ important }) => important),
    own.important,
  )
  for (const [name, value] of Object.entries(all)) {
    if (value.includes("var("))
      all[name] = value.replaceAll(/var\(\s*(--[\w-]+)[^()]*\)/g, (_, variable: string) => variables[variable] ?? "")
  }
  return all
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
  if (text === "transparent" || alpha === 0 || /^#(?:[0-9a-f]{3}0|[0-9a-f]{6}00)$/.test(text)) return "transparent"
  if (/^#(?:[0-9a-f]{4}|[0-9a-f]{8})$/.test(text)) return hexColor(text.slice(0, text.length === 5 ? 4 : 7))
  // hsl: only the lightest colours, as white
  if (/^hsla?\([^)]*[\s,](?:9[5-9]|100)%[^)]*\)$/.test(text)) return colorNames["white"]
  if (red !== undefined && green !== undefined && blue !== undefined) return [red, green, blue]
  return colorNames[text] ?? hexColor(text)
}

const backgroundOf = (text: string | undefined): Background | undefined => {
  if (text === undefined || text === "none" || text === "inherit" || text === "initial") return undefined
  const color = colorOf(text)
  return color === "transparent" ? undefined : (color ?? "unknown")
}

const pixels = (text: string | undefined): number | undefined => {
  const [, number, unit] = /^(-?[\d.]+)(px|pt|em|rem|%|)$/.exec(text ?? "") ?? []
  if (number === undefined) return undefined
  const factor = unit === "pt" ? 4 / 3 : unit === "em" || unit === "rem" ? 16 : unit === "%" ? 0.16 : 1
  return Number(number) * factor
}

const farAway = -400

const isAway = (style: Declarations): boolean => {
  const isPlaced = ["absolute", "fixed", "relative"].includes(style["position"] ?? "")
  const isFar = (name: string) => (pixels(style[name]) ?? 0) <= farAway
  if (/scale[xy]?\(0(?:\.0\d*)?[,)]/.test(style["transform"] ?? "")) return true
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

const opacityOf = (text = "1"): number => Number(text.replace("%", "")) / (text.endsWith("%") ? 100 : 1)

const isNotShown = (style: Declarations): boolean =>
  style["display"] === "none" ||
  ["hidden", "collapse"].includes(style["visibility"] ?? "") ||
  opacityOf(style["opacity"]) < 0.05 ||
  /opacity\(0(?:\.0\d*)?%?\)/.test(style["filter"] ?? "") ||
  isAway(style) ||
  isClipped(style)

export const textStyleOf = (style: Declarations): TextStyle => {
  const color = colorOf(style["color"])
  // "font: italic 12px/1.5 Arial"
  const size = pixels(
    style["font-size"] ?? /(?:^|\s)(-?[\d.]+(?:px|pt|r?em|%|))(?:\/|\s)/.exec(style["font"] ?? "")?.[1],
  )
  return {
    isHidden: isNotShown(style) || color === "transparent" ? true : undefined,
    color: color === "transparent" ? undefined : color,
    background: backgroundOf(style["background-color"] ?? style["background"]),
    size: size === undefined ? undefined : size * 0.75,
  }
}
