/**
 * Text as it is gathered from a file with paragraphs and tables. A row whose cells are of one line each becomes one line,
 * its cells parted by tabs; a row that lays out a page, with whole columns in its cells, becomes one column after the other.
 */

/** Far more than is kept of a text; what comes behind it is not gathered. */
const maxGathered = 1_000_000

class Buffer {
  readonly #parts: Array<string> = []
  #last = "\n"

  add(text: string): void {
    if (text === "") return
    this.#parts.push(text)
    this.#last = text.slice(-1)
  }

  line(): void {
    if (this.#last !== "\n") this.add("\n")
  }

  get isAtBlank(): boolean {
    return this.#last === "\n" || this.#last === " " || this.#last === "\t"
  }

  toString(): string {
    return this.#parts.join("")
  }
}

export class Outline {
  readonly #page = new Buffer()
  /** Cells that are open, the innermost last. */
  readonly #cells: Array<Buffer> = []
  /** The cells of rows that are open. */
  readonly #rows: Array<Array<string>> = []
  #hidden = ""
  #gathered = 0

  get #open(): Buffer {
    return this.#cells.at(-1) ?? this.#page
  }

  text(text: string, isHidden = false): void {
    this.#gathered += text.length
    if (this.#gathered > maxGathered) return
    if (isHidden) this.#hidden += text
    else this.#open.add(text)
  }

  /** Whether a blank would stand at the beginning of a line or behind another one. */
  get isAtBlank(): boolean {
    return this.#open.isAtBlank
  }

  /** What follows begins on a line of its own. */
  line(): void {
    this.#open.line()
    if (this.#hidden !== "" && !this.#hidden.endsWith("\n")) this.#hidden += "\n"
  }

  /** An empty line, where a paragraph is empty. */
  emptyLine(): void {
    this.#open.add("\n")
  }

  beginRow(): void {
    this.line()
    this.#rows.push([])
  }

  beginCell(): void {
    this.#cells.push(new Buffer())
  }

  endCell(): void {
    const text = this.#cells.pop()?.toString().trim()
    const row = this.#rows.at(-1)
    if (text === undefined) return
    if (row !== undefined) row.push(text)
    else this.#open.add(`${text}\n`)
  }

  endRow(): void {
    const cells = this.#rows.pop() ?? []
    this.line()
    const isOneLine = cells.every((cell) => !cell.includes("\n"))
    const filled = isOneLine ? cells : cells.filter((cell) => cell !== "")
    this.#open.add(filled.join(isOneLine ? "\t" : "\n").trimEnd())
    this.line()
  }

  /** All that was gathered. */
  finish(): { readonly text: string; readonly hidden: string } {
    while (this.#cells.length > 0) this.endCell()
    while (this.#rows.length > 0) this.endRow()
    return { text: this.#page.toString(), hidden: this.#hidden }
  }
}
