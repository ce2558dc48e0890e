/** Reads DOCX (ECMA-376, part 1, 17: WordprocessingML; part 2: its package). */
import { fileTypeOf, partName } from "../../files/FileType.ts"

import { readHtml } from "./Html.ts"
import { pageOf } from "./Mhtml.ts"
import { Outline } from "./Outline.ts"
import { type Attributes, readXml, unpackBytes } from "./Package.ts"
import { decodeHtml, decodeXml, readText } from "./PlainText.ts"
import { type Reading, Unreadable } from "./Reading.ts"
import { readRtf } from "./Rtf.ts"
import { type Background, hexColor, isInvisible, mergeStyles, type TextStyle, white } from "./TextStyle.ts"

/** Deleted and moved text. */
const skipped = new Set(["moveFrom", "del", "rPrChange", "pPrChange", "tcPrChange", "tblPrChange"])

/** Documents in documents. */
const maxLevels = 3

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

interface Embedded {
  /** Of `w:altChunk`: another document in this place. */
  readonly chunk: (id: string | undefined) => void
  /** Of a chart, or of the text of SmartArt. */
  readonly drawing: (id: string | undefined) => void
}

const readPart = (
  xml: string,
  outline: Outline,
  styleOf: (id: string | undefined) => TextStyle | undefined,
  embedded: Embedded,
): void => {
  const backgrounds: Array<Background> = [white]
  const paragraphs: Array<TextStyle | undefined> = []
  const runs: Array<TextStyle | undefined> = []
  const shapes: Array<Background | undefined> = []
  const behind = () => backgrounds.at(-1) ?? white
  /** Of each mc:AlternateContent around: whether one of its branches had text. The others repeat it. */
  const alternatives: Array<boolean> = []
  const write = (text: string) => {
    outline.text(text, isInvisible(mergeStyles(paragraphs.at(-1), runs.at(-1)), behind()))
    if (text.trim() !== "") alternatives.fill(true)
  }
  const behindIt = (background: Background | undefined) => {
    if (background !== undefined && backgrounds.length > 1) backgrounds[backgrounds.length - 1] = background
  }
  const inShape = (background: Background | undefined) => {
    if (background !== undefined && shapes.length > 0) shapes[shapes.length - 1] = background
  }

  const open = (name: string, attributes: Attributes, path: ReadonlyArray<string>) => {
    const parent = path.at(-1)
    switch (name) {
      case "AlternateContent":
        alternatives.push(false)
        return
      case "altChunk":
        return embedded.chunk(attributes["id"])
      case "chart":
        return embedded.drawing(attributes["id"])
      case "relIds":
        return embedded.drawing(attributes["dm"])
      case "textpath":
        // WordArt
        outline.line()
        write(attributes["string"] ?? "")
        return outline.line()
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
      case "AlternateContent":
        alternatives.pop()
        return
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
    skips: (name) => skipped.has(name) || (alternatives.at(-1) === true && (name === "Choice" || name === "Fallback")),
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

interface Relation {
  readonly id: string
  /** The last part of the type's URI, which Strict and Transitional documents share. */
  readonly type: string
  readonly target: string
}

const folderOf = (part: string): string => part.slice(0, part.lastIndexOf("/") + 1)

const decodedUri = (uri: string): string => {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}

/** ECMA-376, part 2, 6.5: targets are relative to the part. */
const resolved = (part: string, target: string): string => {
  const path = decodedUri(target).replaceAll("\\", "/")
  const names: Array<string> = []
  for (const name of (path.startsWith("/") ? path : folderOf(part) + path).split("/")) {
    if (name === "..") names.pop()
    else if (name !== "." && name !== "") names.push(name)
  }
  return partName(names.join("/"))
}

const relationsOf = (part: string, relations: ReadonlyMap<string, Uint8Array>): ReadonlyArray<Relation> => {
  const folder = folderOf(part)
  const bytes = relations.get(`${folder}_rels/${part.slice(folder.length)}.rels`)
  const found: Array<Relation> = []
  if (bytes !== undefined) {
    readXml(decodeXml(bytes), {
      open: (name, { Id = "", Target = "", TargetMode = "", Type = "" }) => {
        if (name === "Relationship" && TargetMode !== "External")
          found.push({ id: Id, type: Type.slice(Type.lastIndexOf("/") + 1), target: resolved(part, Target) })
      },
    })
  }
  return found
}

/** Categories and values of a chart, a line for each. */
const readChart = (xml: string): string => {
  const lines: Array<string> = []
  let [series, axis, text] = ["", "", ""]
  let [categories, values]: [Array<string>, Array<string>] = [[], []]
  readXml(xml, {
    open: (name) => {
      if (name === "ser") [series, categories, values] = ["", [], []]
      else if (["tx", "cat", "val", "xVal", "yVal"].includes(name)) axis = name
    },
    text: (part, path) => {
      if (path.at(-1) === "t" || path.at(-1) === "v") text += part
    },
    close: (name) => {
      if (name === "p" && text.trim() !== "") {
        lines.push(text)
        text = ""
      }
      if (name === "v") {
        if (axis === "tx") series += text
        else if (axis === "cat" || axis === "xVal") categories.push(text)
        else if (axis === "val" || axis === "yVal") values.push(text)
        text = ""
      }
      if (name === "ser") {
        if (series !== "") lines.push(series)
        const count = Math.max(categories.length, values.length)
        for (let i = 0; i < count; i++)
          lines.push([categories[i], values[i]].filter((one) => one !== undefined).join("\t"))
      }
    },
  })
  return lines.join("\n")
}

/** A line for each shape of SmartArt. */
const readDiagram = (xml: string): string => {
  let text = ""
  readXml(xml, {
    text: (part, path) => {
      if (path.at(-1) === "t") text += part
    },
    close: (name) => {
      if ((name === "pt" || name === "p") && !text.endsWith("\n")) text += "\n"
    },
  })
  return text
}

const readChunk = (name: string, bytes: Uint8Array, level: number): Reading => {
  const type = fileTypeOf(bytes)
  if (type === "docx" || type === "ooxml") return readDocx(bytes, level + 1)
  if (type === "rtf") return readRtf(bytes)
  if (type === "mhtml") return readHtml(pageOf(bytes))
  if (type === "html" || /\.x?html?$/.test(name)) return readHtml(decodeHtml(bytes))
  return { text: readText(bytes), hidden: "", names: [] }
}

/** The part that a part of relations describes. */
const partOf = (relations: string): string => relations.replace(/(^|\/)_rels\/([^/]*)\.rels$/, "$1$2")

const isNamed = (name: string, folder: string, type: string): boolean =>
  name.startsWith(folder) && name.slice(folder.length).replace(/\d*\.xml$/, "") === type

const isChart = (xml: string): boolean => /<(?:\w+:)?chartSpace[\s>]/.test(xml)

const usualDocument = /^word\/document\d*\.xml$/

export const readDocx = (file: Uint8Array, level = 0): Reading => {
  const relations = unpackBytes(file, (name) => name.endsWith(".rels"))
  const ofPackage = relationsOf("", relations)
  const main = ofPackage.find(({ type }) => type === "officeDocument")?.target
  const folder = main === undefined ? "word/" : folderOf(main)
  const usual = /^(?:(?:document|header|footer)\d*|footnotes|endnotes|styles)\.xml$/
  const related = main === undefined ? [] : relationsOf(main, relations)
  const named = new Set(
    [...ofPackage, ...[...relations.keys()].flatMap((name) => relationsOf(partOf(name), relations))].map(
      ({ target }) => target,
    ),
  )
  const wanted = /\.(?:xml|x?html?|mht|mhtml|rtf|txt|docx)$/
  const found = unpackBytes(
    file,
    (name) =>
      (named.has(name) && wanted.test(name) && !name.startsWith("customxml/")) ||
      name === "docprops/core.xml" ||
      usualDocument.test(name) ||
      (name.startsWith(folder) && usual.test(name.slice(folder.length))),
  )
  const xmlOf = (name: string | undefined): string | undefined => {
    const bytes = name === undefined ? undefined : found.get(name)
    return bytes === undefined ? undefined : decodeXml(bytes)
  }
  const partsOf = (type: string): ReadonlyArray<string> => {
    const targets = new Set(related.flatMap((one) => (one.type === type && found.has(one.target) ? [one.target] : [])))
    const all = targets.size > 0 ? [...targets] : [...found.keys()].filter((name) => isNamed(name, folder, type))
    return all.toSorted()
  }
  const documents =
    main !== undefined && found.has(main)
      ? [main]
      : [...found.keys()].filter((name) => usualDocument.test(name)).toSorted()
  if (documents.length === 0) throw new Unreadable("damaged")
  const isWord = documents.some((name) => /<(?:\w+:)?document[\s>]/.test(xmlOf(name) ?? ""))
  if (main !== undefined && !isWord) throw new Unreadable("unsupported")
  const styleOf = stylesOf(xmlOf(partsOf("styles")[0]))
  const texts: Array<string> = []
  let hidden = ""
  for (const part of [
    ...partsOf("header"),
    ...documents,
    ...partsOf("footnotes"),
    ...partsOf("endnotes"),
    ...partsOf("footer"),
  ]) {
    const outline = new Outline()
    const targets = new Map(relationsOf(part, relations).map(({ id, target }) => [id, target]))
    const insert = (inner: Pick<Reading, "hidden" | "text">) => {
      outline.line()
      outline.text(inner.text)
      outline.text(inner.hidden, true)
      outline.line()
    }
    readPart(xmlOf(part) ?? "", outline, styleOf, {
      chunk: (id) => {
        const target = targets.get(id ?? "")
        const bytes = target === undefined ? undefined : found.get(target)
        if (target !== undefined && bytes !== undefined && level < maxLevels) insert(readChunk(target, bytes, level))
      },
      drawing: (id) => {
        const xml = xmlOf(targets.get(id ?? ""))
        if (xml !== undefined) insert({ text: isChart(xml) ? readChart(xml) : readDiagram(xml), hidden: "" })
      },
    })
    const { hidden: unseen, text } = outline.finish()
    hidden += unseen
    if (!texts.includes(text)) texts.push(text)
  }
  return {
    text: texts.join("\n"),
    hidden,
    names: propertiesOf(
      xmlOf(ofPackage.find(({ type }) => type === "core-properties")?.target) ?? xmlOf("docprops/core.xml"),
      ["creator", "title"],
    ),
  }
}
