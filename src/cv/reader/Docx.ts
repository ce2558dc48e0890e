/** Reads DOCX (ECMA-376, part 1, 17: WordprocessingML). */

import { Outline } from "./Outline.ts"
import { type Attributes, readXml, unpack } from "./Package.ts"
import { type Background, hexColor, isInvisible, mergeStyles, type TextStyle, white } from "./TextStyle.ts"
import { type Reading, Unreadable } from "./Unreadable.ts"

const parts = /^(word\/((document|header|footer)\d*|footnotes|endnotes|styles)|docProps\/core)\.xml$/

/** Deleted and moved text, and fallbacks of drawings. */
const skipped = new Set(["Fallback", "moveFrom", "del", "rPrChange", "pPrChange", "tcPrChange", "tblPrChange"])

const isOn = (attributes: Attributes) => !["0", "false", "off"].includes(attributes["val"] ?? "1")

/** Undefined for `auto`. */
const shading = ({ fill = "auto", val = "clear" }: Attributes): Background | undefined =>
  val !== "clear" && val !== "nil" ? "unknown" : fill === "auto" ? undefined : (hexColor(fill) ?? "unknown")

const minWidthPercent = 10

const colorOf = ({ themeColor = "", val = "auto" }: Attributes) =>
  hexColor(val) ?? (/^(?:background|light)1$/.test(themeColor) ? white : undefined)

/** ECMA-376, part 1, 17.3.2. */
const property = (name: string, attributes: Attributes): TextStyle => {
  switch (name) {
    case "vanish":
      return { isHidden: isOn(attributes) }
    case "color":
      return { color: colorOf(attributes) }
    case "w":
      // horizontal scaling hides letters
      return Number(attributes["val"] ?? 100) < minWidthPercent ? { isHidden: true } : {}
    case "sz": {
      const half = Number(attributes["val"])
      return Number.isFinite(half) ? { size: half / 2 } : {}
    }
    case "shd":
      return { background: shading(attributes) }
    case "highlight":
      return { background: attributes["val"] === "none" ? undefined : "unknown" }
  }
  return {}
}

interface Style {
  textStyle: TextStyle
  basedOn: string | undefined
}

const stylesOf = (xml: string | undefined): ((id: string | undefined) => TextStyle | undefined) => {
  const styles = new Map<string, Style>()
  let open: Style | undefined
  if (xml !== undefined) {
    readXml(xml, {
      skips: (name) => skipped.has(name),
      open: (name, attributes, path) => {
        if (name === "style") {
          open = { textStyle: {}, basedOn: undefined }
          styles.set(attributes["styleId"] ?? "", open)
        }
        if (open === undefined) return
        if (name === "basedOn") open.basedOn = attributes["val"]
        const parent = path.at(-1)
        if (parent === "rPr" || (parent === "pPr" && name === "shd"))
          open.textStyle = mergeStyles(open.textStyle, property(name, attributes))
      },
      close: (name) => {
        if (name === "style") open = undefined
      },
    })
  }
  const find = (id: string | undefined, level = 0): TextStyle | undefined => {
    const style = id === undefined ? undefined : styles.get(id)
    return style === undefined || level > 16 ? undefined : mergeStyles(find(style.basedOn, level + 1), style.textStyle)
  }
  return find
}

const readPart = (xml: string, outline: Outline, styleOf: (id: string | undefined) => TextStyle | undefined): void => {
  const backgrounds: Array<Background> = [white]
  const paragraphs: Array<TextStyle | undefined> = []
  const runs: Array<TextStyle | undefined> = []
  const shapes: Array<Background | undefined> = []
  const behind = () => backgrounds.at(-1) ?? white
  const write = (text: string) => outline.text(text, isInvisible(mergeStyles(paragraphs.at(-1), runs.at(-1)), behind()))
  const behindIt = (background: Background | undefined) => {
    if (background !== undefined && backgrounds.length > 1) backgrounds[backgrounds.length - 1] = background
  }
  const inShape = (background: Background | undefined) => {
    if (background !== undefined && shapes.length > 0) shapes[shapes.length - 1] = background
  }

  const open = (name: string, attributes: Attributes, path: ReadonlyArray<string>) => {
    const parent = path.at(-1)
    switch (name) {
      case "background":
        // a setting decides whether the background is shown
        backgrounds[0] = "unknown"
        return
      case "p":
        outline.line()
        paragraphs.push(styleOf("Normal"))
        return
      case "r":
        runs.push(undefined)
        return
      case "pStyle":
        paragraphs[paragraphs.length - 1] = styleOf(attributes["val"])
        return
      case "rStyle":
        runs[runs.length - 1] = mergeStyles(styleOf(attributes["val"]), runs.at(-1))
        return
      case "tbl":
        backgrounds.push(behind())
        return
      case "tblStyle":
        // the style may shade cells by rules
        if (!/^Table(Grid|Normal)$/.test(attributes["val"] ?? "")) behindIt("unknown")
        return
      case "tr":
        return outline.beginRow()
      case "tc":
        backgrounds.push(behind())
        return outline.beginCell()
      case "wsp":
      case "shape":
      case "rect":
      case "roundrect":
      case "oval": {
        const { fillcolor } = attributes
        shapes.push(fillcolor === undefined ? undefined : (hexColor(fillcolor) ?? "unknown"))
        return
      }
      case "srgbClr":
        if (path.at(-2) === "spPr") inShape(hexColor(attributes["val"] ?? "") ?? "unknown")
        return
      case "schemeClr":
        if (path.at(-2) === "spPr") inShape("unknown")
        return
      case "gradFill":
      case "blipFill":
      case "pattFill":
        if (parent === "spPr") inShape("unknown")
        return
      case "txbxContent":
        outline.line()
        backgrounds.push(shapes.at(-1) ?? behind())
        return
      case "tab":
      case "ptab":
        return parent === "r" ? write("\t") : undefined
      case "br":
      case "cr":
        return parent === "r" ? outline.line() : undefined
      case "noBreakHyphen":
        return write("-")
      case "shd":
        if (parent === "tcPr") return behindIt(shading(attributes))
    }
    // the rPr of a paragraph mark is in pPr
    if (parent === "rPr" && path.at(-2) === "r")
      runs[runs.length - 1] = mergeStyles(runs.at(-1), property(name, attributes))
    if (parent === "pPr" && name === "shd")
      paragraphs[paragraphs.length - 1] = mergeStyles(paragraphs.at(-1), property(name, attributes))
  }

  const close = (name: string) => {
    switch (name) {
      case "p":
        outline.line()
        paragraphs.pop()
        return
      case "r":
        runs.pop()
        return
      case "tbl":
        if (backgrounds.length > 1) backgrounds.pop()
        return
      case "tc":
        if (backgrounds.length > 1) backgrounds.pop()
        return outline.endCell()
      case "tr":
        return outline.endRow()
      case "wsp":
      case "shape":
      case "rect":
      case "roundrect":
      case "oval":
        shapes.pop()
        return
      case "txbxContent":
        if (backgrounds.length > 1) backgrounds.pop()
        return outline.line()
    }
  }

  readXml(xml, {
    skips: (name) => skipped.has(name),
    open,
    close,
    text: (text, path) => {
      if (path.at(-1) === "t") write(text)
    },
  })
}

export const propertiesOf = (xml: string | undefined, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found: Array<string> = []
  if (xml !== undefined) {
    readXml(xml, {
      text: (text, path) => {
        if (names.includes(path.at(-1) ?? "")) found.push(text)
      },
    })
  }
  return found
}

export const readDocx = (file: Uint8Array): Reading => {
  const found = unpack(file, parts)
  const styleOf = stylesOf(found.get("word/styles.xml"))
  const named = (name: RegExp) => [...found].filter(([part]) => name.test(part)).sort(([a], [b]) => (a < b ? -1 : 1))
  const documents = named(/^word\/document/)
  if (documents.length === 0) throw new Unreadable("damaged")
  const texts: Array<string> = []
  let hidden = ""
  for (const [, xml] of [
    ...named(/^word\/header/),
    ...documents,
    ...named(/^word\/(foot|end)notes/),
    ...named(/^word\/footer/),
  ]) {
    const outline = new Outline()
    readPart(xml, outline, styleOf)
    const { hidden: unseen, text } = outline.finish()
    hidden += unseen
    if (!texts.includes(text)) texts.push(text)
  }
  return {
    text: texts.join("\n"),
    hidden,
    names: propertiesOf(found.get("docProps/core.xml"), ["creator", "title"]),
  }
}
