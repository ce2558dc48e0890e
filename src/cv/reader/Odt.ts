/** Reads ODT (OpenDocument 1.3, part 3). */
import { propertiesOf } from "./Docx.ts"
import { Outline } from "./Outline.ts"
import { type Attributes, readXml, unpack } from "./Package.ts"
import { type Reading, Unreadable } from "./Reading.ts"
import { type Background, hexColor, isInvisible, mergeStyles, type TextStyle, white } from "./TextStyle.ts"

const parts = /^(content|styles|meta|meta-inf\/manifest)\.xml$/

const skipped = new Set(["tracked-changes", "annotation", "annotation-end", "sequence-decls", "hidden-text"])

const points: Record<string, number> = { pt: 1, in: 72, cm: 28.35, mm: 2.835, px: 0.75 }

const lengthOf = (text: string | undefined): number | undefined => {
  const [, number, unit = ""] = /^([\d.]+)(pt|in|cm|mm|px)$/.exec(text ?? "") ?? []
  return number === undefined ? undefined : Number(number) * (points[unit] ?? 1)
}

const textStyleOf = (attributes: Attributes): TextStyle => {
  const background = attributes["background-color"]
  return {
    isHidden: attributes["display"] === undefined ? undefined : attributes["display"] === "none",
    color: hexColor(attributes["color"] ?? ""),
    background:
      background === undefined || background === "transparent" ? undefined : (hexColor(background) ?? "unknown"),
    size: lengthOf(attributes["font-size"]),
  }
}

interface Style {
  textStyle: TextStyle
  parent: string | undefined
}

type Styles = Map<string, Style>

const propertyElements = new Set([
  "text-properties",
  "paragraph-properties",
  "table-cell-properties",
  "graphic-properties",
])

const readStyles = (xml: string, styles: Styles): void => {
  let open: Style | undefined
  readXml(xml, {
    open: (name, attributes) => {
      if (name === "style") {
        open = { textStyle: {}, parent: attributes["parent-style-name"] }
        styles.set(attributes["name"] ?? "", open)
      } else if (open !== undefined && propertyElements.has(name)) {
        const fill = attributes["fill"]
        const shape: TextStyle =
          fill === undefined || fill === "none"
            ? {}
            : { background: hexColor(attributes["fill-color"] ?? "") ?? "unknown" }
        open.textStyle = mergeStyles(open.textStyle, textStyleOf(attributes), shape)
      }
    },
    close: (name) => {
      if (name === "style") open = undefined
    },
  })
}

const find = (styles: Styles, name: string | undefined, level = 0): TextStyle | undefined => {
  const style = name === undefined ? undefined : styles.get(name)
  return style === undefined || level > 16
    ? undefined
    : mergeStyles(find(styles, style.parent, level + 1), style.textStyle)
}

const styled = new Set(["p", "h", "span", "a", "table-cell", "text-box", "frame", "section"])
const blocks = new Set(["p", "h", "list-item", "text-box", "note-body"])

const readBody = (
  xml: string,
  outline: Outline,
  styles: Styles,
  isBody: (path: ReadonlyArray<string>) => boolean,
): void => {
  const textStyles: Array<TextStyle> = [{}]
  const page: Background = white
  const write = (text: string, path: ReadonlyArray<string>) => {
    if (isBody(path)) outline.text(text, isInvisible(textStyles.at(-1) ?? {}, page))
  }
  readXml(xml, {
    skips: (name, { "is-hidden": isHidden }) =>
      skipped.has(name) || (name === "hidden-paragraph" && isHidden === "true"),
    open: (name, attributes, path) => {
      if (styled.has(name)) textStyles.push(mergeStyles(textStyles.at(-1), find(styles, attributes["style-name"])))
      if (!isBody(path)) return
      if (name === "table-row") outline.beginRow()
      else if (name === "table-cell") outline.beginCell()
      else if (blocks.has(name)) outline.line()
      else if (name === "line-break") outline.line()
      else if (name === "tab") write("\t", path)
      else if (name === "s") write(" ", path)
    },
    text: (text, path) => {
      if (path.some((name) => name === "p" || name === "h")) write(text.replaceAll(/\s+/g, " "), path)
    },
    close: (name, path) => {
      if (styled.has(name)) textStyles.pop()
      if (!isBody(path)) return
      if (name === "table-row") outline.endRow()
      else if (name === "table-cell") outline.endCell()
      else if (blocks.has(name)) outline.line()
    },
  })
}

export const readOdt = (file: Uint8Array): Reading => {
  const found = unpack(file, (name) => parts.test(name))
  const content = found.get("content.xml")
  if (found.get("meta-inf/manifest.xml")?.includes("encryption-data")) throw new Unreadable("encrypted")
  if (content === undefined) throw new Unreadable("damaged")
  const styles: Styles = new Map()
  const common = found.get("styles.xml")
  if (common !== undefined) readStyles(common, styles)
  readStyles(content, styles)
  const outlineOf = (xml: string | undefined, isBody: (path: ReadonlyArray<string>) => boolean) => {
    const outline = new Outline()
    if (xml !== undefined) readBody(xml, outline, styles, isBody)
    return outline.finish()
  }
  // headers and footers stand in styles.xml
  const all = [
    outlineOf(common, (path) => path.some((name) => name.startsWith("header"))),
    outlineOf(content, (path) => path.includes("body")),
    outlineOf(common, (path) => path.some((name) => name.startsWith("footer"))),
  ]
  return {
    text: all.map(({ text }) => text).join("\n"),
    hidden: all.map(({ hidden }) => hidden).join("\n"),
    names: propertiesOf(found.get("meta.xml"), ["creator", "initial-creator", "title"]),
  }
}
