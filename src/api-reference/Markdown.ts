/**
 * Reads the Markdown that the guide and the descriptions of OpenAPI use: headings of level 2, paragraphs, lists, tables and
 * code blocks; code, bold and links within a line.
 */

export type Inline =
  | { readonly kind: "text" | "code" | "bold"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string }

type Line = ReadonlyArray<Inline>

export type Block =
  | { readonly kind: "heading"; readonly id: string; readonly text: string }
  | { readonly kind: "paragraph"; readonly content: Line }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly items: ReadonlyArray<Line> }
  | { readonly kind: "table"; readonly head: ReadonlyArray<Line>; readonly rows: ReadonlyArray<ReadonlyArray<Line>> }
  | { readonly kind: "code"; readonly language: string; readonly text: string }

export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")

const span = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)]+)\)/g

export const inlineOf = (text: string): Line => {
  const parts: Array<Inline> = []
  let end = 0
  const addText = (until: number) => {
    if (until > end) parts.push({ kind: "text", text: text.slice(end, until) })
  }
  for (const match of text.matchAll(span)) {
    addText(match.index)
    const [whole, code, bold, name = "", href] = match
    if (code !== undefined) parts.push({ kind: "code", text: code })
    else if (bold !== undefined) parts.push({ kind: "bold", text: bold })
    else if (href !== undefined) parts.push({ kind: "link", text: name, href })
    end = match.index + whole.length
  }
  addText(text.length)
  return parts
}

export const plainText = (line: Line): string => line.map(({ text }) => text).join("")

const item = /^(?:-|\d+\.) +/

const cellsOf = (row: string): ReadonlyArray<Line> =>
  row
    .replaceAll(/^\||\|$/g, "")
    .split("|")
    .map((cell) => inlineOf(cell.trim()))

/** One block of the lines between empty lines. */
const blockOf = (lines: ReadonlyArray<string>): Block => {
  const [first = ""] = lines
  if (first.startsWith("## ")) return { kind: "heading", id: anchorOf(first.slice(3)), text: first.slice(3) }
  if (first.startsWith("|")) {
    const [head = "", , ...rows] = lines
    return { kind: "table", head: cellsOf(head), rows: rows.map(cellsOf) }
  }
  if (!item.test(first)) return { kind: "paragraph", content: inlineOf(lines.join(" ")) }
  const items: Array<string> = []
  for (const line of lines) {
    if (item.test(line)) items.push(line.replace(item, ""))
    else items.push(`${items.pop() ?? ""} ${line.trimStart()}`)
  }
  return { kind: "list", isOrdered: !first.startsWith("-"), items: items.map(inlineOf) }
}

export const blocksOf = (markdown: string): ReadonlyArray<Block> =>
  // with a group, split alternates between other blocks and code blocks
  markdown.split(/^(```[\s\S]*?^```)$/m).flatMap((part, index): ReadonlyArray<Block> => {
    if (index % 2 === 1) {
      const [fence = "", ...code] = part.split("\n")
      return [{ kind: "code", language: fence.slice(3), text: code.slice(0, -1).join("\n") }]
    }
    return part
      .split(/\n{2,}/)
      .map((block) => block.split("\n").filter((line) => line !== ""))
      .filter(({ length }) => length > 0)
      .map(blockOf)
  })
