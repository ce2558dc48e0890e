/** Collects text, paragraphs and tables. A row of one-line cells becomes a line with tabs. */

/** UTF-16 units; the rest is dropped. */
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
  readonly #cells: Array<Buffer> = []
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

  get isAtBlank(): boolean {
    return this.#open.isAtBlank
  }

  line(): void {
    this.#open.line()
    if (this.#hidden !== "" && !this.#hidden.endsWith("\n")) this.#hidden += "\n"
  }

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

  finish(): { readonly text: string; readonly hidden: string } {
    while (this.#cells.length > 0) this.endCell()
    while (this.#rows.length > 0) this.endRow()
    return { text: this.#page.toString(), hidden: this.#hidden }
  }
}
