/** Reads HTML as a browser shows it with the page's own styles. */
import { Parser } from "htmlparser2"
import { elementOf, type Sheet, type Subject, sheetOf, styleOf, textStyleOf } from "./Css.ts"
import { Outline } from "./Outline.ts"
import type { Attributes } from "./Package.ts"
import { isInvisible, mergeStyles, type TextStyle, white } from "./TextStyle.ts"
import { type Reading, Unreadable } from "./Unreadable.ts"

const skipped = new Set([
  "title",
  "script",
  "style",
  "noscript",
  "template",
  "head",
  "select",
  "textarea",
  "iframe",
  "object",
])
const blocks = new Set(
  "address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table ul".split(
    " ",
  ),
)
const empty = new Set("area base br col embed hr img input link meta param source track wbr".split(" "))
const maxDepth = 512

/** Throws `sign_in` for a page with a password field. */
const headOf = (html: string) => {
  const names: Array<string> = []
  let css = ""
  let inside = ""
  let level = 0
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (++level > maxDepth) throw new Unreadable("too_complex")
      if (name === "title" || name === "style") inside = name
      if (name === "meta" && attributes["name"] === "author") names.push(attributes["content"] ?? "")
      if (name === "input" && attributes["type"]?.toLowerCase() === "password") throw new Unreadable("sign_in")
    },
    ontext: (text) => {
      if (inside === "title") names.push(text)
      if (inside === "style") css += text
    },
    onclosetag: () => {
      level--
      inside = ""
    },
  })
  parser.end(html)
  return { names, sheet: sheetOf(css) }
}

interface Element extends Subject {
  readonly textStyle: TextStyle
  readonly isSkipped: boolean
}

const painted = (name: string, { background, bgcolor, color, text }: Attributes): Readonly<Record<string, string>> => ({
  ...(bgcolor === undefined ? {} : { "background-color": bgcolor.toLowerCase() }),
  ...(background === undefined ? {} : { "background-color": "url" }),
  ...(name === "font" && color !== undefined ? { color: color.toLowerCase() } : {}),
  ...(name === "body" && text !== undefined ? { color: text.toLowerCase() } : {}),
})

const readBody = (html: string, sheet: Sheet): Outline => {
  const outline = new Outline()
  const open: Array<Element> = []
  const top = () => open.at(-1)
  const parser = new Parser({
    onopentag: (name, attributes) => {
      const element = elementOf(name, attributes)
      const isClosed = "hidden" in attributes || (name === "dialog" && !("open" in attributes))
      const own = isClosed
        ? { isHidden: true }
        : textStyleOf({ ...painted(name, attributes), ...styleOf(element, open, attributes, sheet) })
      const around = top()?.textStyle
      const textStyle = around?.isHidden === true ? around : mergeStyles(around, own)
      const isSkipped = top()?.isSkipped === true || skipped.has(name)
      if (!empty.has(name)) open.push({ ...element, textStyle, isSkipped })
      if (isSkipped) return
      if (name === "br") outline.text("\n")
      else if (name === "tr") outline.beginRow()
      else if (name === "td" || name === "th") outline.beginCell()
      else if (blocks.has(name)) outline.line()
    },
    ontext: (text) => {
      const element = top()
      if (element?.isSkipped === true) return
      const isPre = open.some(({ name }) => name === "pre")
      const shown = isPre ? text : text.replaceAll(/[^\S\u00a0]+/g, " ")
      const isHidden = isInvisible(element?.textStyle ?? {}, white)
      outline.text(!isPre && !isHidden && outline.isAtBlank ? shown.trimStart() : shown, isHidden)
    },
    onclosetag: (name) => {
      if (empty.has(name) || top()?.name !== name) return
      const isSkipped = open.pop()?.isSkipped === true
      if (isSkipped) return
      if (name === "tr") outline.endRow()
      else if (name === "td" || name === "th") outline.endCell()
      else if (blocks.has(name)) outline.line()
    },
  })
  parser.end(html)
  return outline
}

export const readHtml = (html: string): Reading => {
  const { names, sheet } = headOf(html)
  return { ...readBody(html, sheet).finish(), names }
}
