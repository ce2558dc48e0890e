/** Reads HTML as a browser shows it with the page's own styles. */
import { Parser } from "htmlparser2"
import { definedOnly } from "../../values/definedOnly.ts"
import { elementOf, type Sheet, type Subject, sheetOf, styleOf, textStyleOf } from "./Css.ts"
import { Outline } from "./Outline.ts"
import type { Attributes } from "./Package.ts"
import { type Reading, Unreadable } from "./Reading.ts"
import { isInvisible, mergeStyles, type TextStyle, white } from "./TextStyle.ts"
import { type PageFacts, reasonAgainst } from "./WebPage.ts"

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

const isLoginField = ({ autocomplete = "", name = "", type = "" }: Attributes): boolean =>
  /^email$/i.test(type) || /username/i.test(autocomplete) || /^(?:user(?:name)?|login(?:fmt)?|email)$/i.test(name)

/** Data and templates in script elements do nothing. */
const isProgram = ({ type = "" }: Attributes): boolean => /^$|javascript|ecmascript|^module$/i.test(type)

/** UTF-16 units of scripts in the page; shorter ones only adorn it. */
const minProgram = 200

type HeadFacts = Omit<PageFacts, "headings" | "words" | "prose">

const headOf = (html: string) => {
  const names: Array<string> = []
  let facts: HeadFacts = { title: "", site: "", isActive: false, hasPassword: false, hasLoginField: false }
  let css = ""
  let code = 0
  let inside = ""
  let level = 0
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (++level > maxDepth) throw new Unreadable("too_complex")
      if (name === "title" || name === "style") inside = name
      if (name === "meta") {
        const { content = "" } = attributes
        const meant = (attributes["name"] ?? attributes["property"] ?? "").toLowerCase()
        if (meant === "author") names.push(content)
        if (/^(?:og:site_name|application-name)$/.test(meant)) facts = { ...facts, site: content }
        if (/^refresh$/i.test(attributes["http-equiv"] ?? "")) facts = { ...facts, isActive: true }
      }
      if (name === "script" && isProgram(attributes)) inside = name
      if (["iframe", "frame"].includes(name) || (inside === "script" && attributes["src"] !== undefined))
        facts = { ...facts, isActive: true }
      if (name === "input") {
        const isHidden = attributes["type"]?.toLowerCase() === "hidden"
        if (attributes["type"]?.toLowerCase() === "password") facts = { ...facts, hasPassword: true }
        if (!isHidden && isLoginField(attributes)) facts = { ...facts, hasLoginField: true }
        facts = { ...facts, isActive: true }
      }
    },
    ontext: (text) => {
      if (inside === "title") {
        names.push(text)
        facts = { ...facts, title: facts.title + text }
      }
      if (inside === "style") css += text
      if (inside === "script") code += text.length
    },
    onclosetag: () => {
      level--
      inside = ""
    },
  })
  parser.end(html)
  return { names, facts: { ...facts, isActive: facts.isActive || code > minProgram }, sheet: sheetOf(css) }
}

/** Texts of a page's frame, not of what it is about. */
const controls = new Set(["a", "button", "label", "nav", "footer", "legend", "menu", "summary"])
const headings = new Set(["h1", "h2"])
const maxHeadings = 400

/** Writing without blanks counts a word in every two characters. */
const wordsIn = (text: string): number => {
  const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\u30fc]/gu
  const characters = text.match(unspaced)?.length ?? 0
  return Math.ceil(characters / 2) + (text.replaceAll(unspaced, " ").match(/[\p{L}\p{N}]+/gu)?.length ?? 0)
}

interface Element extends Subject {
  readonly textStyle: TextStyle
  readonly isSkipped: boolean
}

const painted = (name: string, { background, bgcolor, color, text }: Attributes): Readonly<Record<string, string>> =>
  definedOnly({
    "background-color": background === undefined ? bgcolor?.toLowerCase() : "url",
    color: (name === "font" ? color : name === "body" ? text : undefined)?.toLowerCase(),
  })

const readBody = (html: string, sheet: Sheet) => {
  const outline = new Outline()
  let [words, prose] = [0, 0]
  let heading = ""
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
      if (isHidden) return
      const count = wordsIn(text)
      words += count
      if (!open.some(({ name }) => controls.has(name))) prose += count
      if (heading.length < maxHeadings && open.some(({ name }) => headings.has(name))) heading += `${text} `
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
  return { outline, words, prose, headings: heading }
}

const readPage = (html: string): { readonly reading: Reading; readonly facts: PageFacts } => {
  const { facts, names, sheet } = headOf(html)
  const { outline, ...counts } = readBody(html, sheet)
  return { reading: { ...outline.finish(), names }, facts: { ...facts, ...counts } }
}

/** Reads HTML that is part of a document. */
export const readHtml = (html: string): Reading => readPage(html).reading

/** Reads a page. Throws `sign_in` or `web_page` if it is not the CV itself. */
export const readWebPage = (html: string): Reading => {
  const { facts, reading } = readPage(html)
  const reason = reasonAgainst(facts)
  if (reason !== undefined) throw new Unreadable(reason)
  return reading
}
