/** Reads RTF (Rich Text Format Specification 1.9.1). */
import { decodeAs, encodingNamed } from "../../values/CodePages.ts"
import { Outline } from "./Outline.ts"
import { type Reading, Unreadable } from "./Reading.ts"
import { type Color, isInvisible, white } from "./TextStyle.ts"

const destinations = new Set(
  "fonttbl colortbl stylesheet pict object themedata colorschememapping latentstyles datastore listtable listoverridetable rsidtbl generator xmlnstbl filetbl revtbl fldinst nonshppict operator subject keywords upr comment doccomm company category manager hlinkbase".split(
    " ",
  ),
)
/** Optional groups with text. */
const optional = new Set(["shptxt", "shpinst", "shppict", "footnote", "ud"])
const symbols: Record<string, string> = {
  tab: "\t",
  emdash: "—",
  endash: "–",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  bullet: "•",
  emspace: " ",
  enspace: " ",
  "~": " ",
  _: "-",
}
const lines = new Set(["par", "line", "sect", "page", "column"])
const maxDepth = 1_000

/** Code pages by number. */
const encodings: Record<number, string> = {
  437: "cp437",
  850: "cp850",
  708: "iso-8859-6",
  874: "windows-874",
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  10000: "macintosh",
  10001: "shift_jis",
  10007: "x-mac-cyrillic",
  54936: "gb18030",
  65001: "utf-8",
}

/** Code pages of `\fcharset`; 0 and 1 are the document's. */
const charsets: Record<number, number> = {
  77: 10000,
  78: 10001,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
  255: 850,
}

/** Character sets of the document, by their control words. */
const documentPages: Record<string, number> = { ansi: 1252, mac: 10000, pc: 437, pca: 850 }

const encodingOf = (page: number): string =>
  encodingNamed(encodings[page] ?? `windows-${page}`) ?? encodingNamed(`cp${page}`) ?? "windows-1252"

/** Negative numbers are those above 32,767. Some programs write code points above 65,535 as one number. */
const characterOf = (number: number): string =>
  number > 0xffff && number <= 0x10ffff ? String.fromCodePoint(number) : String.fromCharCode(number & 0xffff)

/** `\fcharset` of Symbol and Wingdings: their upper half has bullets and arrows. */
const symbolCharset = 2

interface Group {
  isSkipped: boolean
  isHidden: boolean
  size: number
  color: number
  background: number
  /** Fallback characters after a \u. */
  fallback: number
  property: "author" | "title" | undefined
  isColors: boolean
  isFonts: boolean
  font: number | undefined
}

class Reader {
  readonly outline = new Outline()
  readonly names: Array<string> = []
  readonly #colors: Array<Color | undefined> = []
  readonly #groups: Array<Group> = []
  #group: Group = {
    isSkipped: false,
    isHidden: false,
    size: 24,
    color: 0,
    background: 0,
    fallback: 1,
    property: undefined,
    isColors: false,
    isFonts: false,
    font: undefined,
  }
  /** The document's code page. */
  #page = 1252
  #defaultFont: number | undefined
  /** Code pages of fonts. */
  readonly #fonts = new Map<number, number>()
  #definedFont = 0
  readonly #symbolFonts = new Set<number>()
  #bytes: Array<number> = []
  #channels: [number, number, number] | undefined
  #passOver = 0
  #isOptional = false
  #inRow = false

  read(source: string): void {
    const token = /\\'([0-9a-f]{2})|\\([a-z]+)(-?\d+)? ?|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/gi
    for (let match = token.exec(source); match !== null; match = token.exec(source)) {
      const [, hex, word, number, symbol, brace, text] = match
      if (hex !== undefined) {
        if (this.#passOver > 0) this.#passOver--
        else this.#bytes.push(Number.parseInt(hex, 16))
        continue
      }
      // a character of two bytes may be half escaped
      if (text !== undefined && this.#passOver === 0 && !this.#group.isColors) {
        if (!this.#isUnread) for (const char of text) this.#bytes.push(char.charCodeAt(0))
        continue
      }
      if (text === undefined && match[0].trim() === "") continue
      this.#flush()
      if (brace === "{") this.#open()
      else if (brace === "}") this.#close()
      else if (word === "bin") token.lastIndex += Math.max(0, Number(number ?? 0))
      else if (word !== undefined) this.#control(word.toLowerCase(), number === undefined ? undefined : Number(number))
      else if (symbol === "*") this.#isOptional = true
      else if (symbol !== undefined) this.#symbol(symbol)
      else if (text !== undefined) this.#text(text)
    }
    this.#flush()
  }

  #flush(): void {
    if (this.#bytes.length === 0) return
    const bytes = new Uint8Array(this.#bytes)
    this.#bytes = []
    this.#write(this.#decode(bytes))
  }

  get #isUnread(): boolean {
    return this.#group.isSkipped && this.#group.property === undefined
  }

  #decode(bytes: Uint8Array): string {
    const font = this.#group.font ?? this.#defaultFont ?? -1
    if (this.#symbolFonts.has(font))
      return Buffer.from(bytes)
        .toString("latin1")
        .replaceAll(/[\x80-\xff]/g, "•")
    const page = this.#fonts.get(font)
    return decodeAs(bytes, encodingOf(page ?? this.#page))
  }

  #open(): void {
    if (this.#groups.length >= maxDepth) throw new Unreadable("too_complex")
    this.#groups.push({ ...this.#group })
    this.#isOptional = false
  }

  #close(): void {
    this.#group = this.#groups.pop() ?? this.#group
    this.#passOver = 0
  }

  #symbol(symbol: string): void {
    if (symbol === "\r" || symbol === "\n") this.outline.line()
    else if (symbol !== "-") this.#write(symbols[symbol] ?? (/[\\{}]/.test(symbol) ? symbol : ""))
  }

  #text(text: string): void {
    const passed = Math.min(this.#passOver, text.length)
    this.#passOver -= passed
    if (this.#group.isColors) this.#addColors(text)
    // some programs write bytes beyond ASCII
    else this.#write(this.#decode(Uint8Array.from(text.slice(passed), (char) => char.charCodeAt(0))))
  }

  #addColors(text: string): void {
    for (const _ of text.matchAll(/;/g)) {
      this.#colors.push(this.#channels)
      this.#channels = undefined
    }
  }

  #write(text: string): void {
    const { background, color, isHidden, isSkipped, property, size } = this.#group
    if (text === "") return
    if (property !== undefined) this.names.push(text)
    if (isSkipped || property !== undefined) return
    const textStyle = {
      isHidden,
      size: size / 2,
      color: this.#colors[color],
      background: background === 0 ? undefined : (this.#colors[background] ?? ("unknown" as const)),
    }
    this.outline.text(text, isInvisible(textStyle, white))
  }

  #defineFont(word: string, number = 0): void {
    if (word === "f") this.#definedFont = number
    if (word === "fcharset" && number === symbolCharset) this.#symbolFonts.add(this.#definedFont)
    // a font's \cpg stands after its \fcharset, and wins
    const page = word === "fcharset" ? charsets[number] : word === "cpg" ? number : undefined
    if (page !== undefined && page > 0) this.#fonts.set(this.#definedFont, page)
  }

  #control(word: string, number: number | undefined) {
    const group = this.#group
    if (this.#isOptional) {
      this.#isOptional = false
      if (!optional.has(word)) group.isSkipped = true
    }
    if (destinations.has(word)) group.isSkipped = true
    // \upr holds a text twice: without Unicode, and in \ud with it
    if (word === "ud") group.isSkipped = false
    if (word === "fonttbl") group.isFonts = true
    if (group.isFonts) return this.#defineFont(word, number)
    if (group.isSkipped && word !== "colortbl" && !group.isColors) return
    if (Object.hasOwn(symbols, word)) return this.#write(symbols[word] ?? "")
    if (lines.has(word)) return this.outline.line()
    switch (word) {
      case "colortbl":
        group.isColors = true
        return
      case "red":
      case "green":
      case "blue":
        this.#channels ??= [0, 0, 0]
        this.#channels[word === "red" ? 0 : word === "green" ? 1 : 2] = number ?? 0
        return
      case "info":
        group.isSkipped = false
        return
      case "author":
      case "title":
        group.property = word
        return
      case "header":
      case "headerl":
      case "headerr":
      case "headerf":
      case "footer":
      case "footerl":
      case "footerr":
      case "footerf":
      case "footnote":
      case "shptxt":
        return this.outline.line()
      case "ansi":
      case "mac":
      case "pc":
      case "pca":
        this.#page = documentPages[word] ?? 1252
        return
      case "ansicpg":
        if (number !== undefined && number > 0) this.#page = number
        return
      case "deff":
        this.#defaultFont = number
        return
      case "f":
        group.font = number
        return
      case "u":
        this.#write(characterOf(number ?? 63))
        this.#passOver = group.fallback
        return
      case "uc":
        group.fallback = Math.max(0, number ?? 1)
        return
      case "v":
      case "deleted":
        group.isHidden = number !== 0
        return
      case "plain":
        Object.assign(group, { isHidden: false, size: 24, color: 0, background: 0, font: undefined })
        return
      case "fs":
        group.size = number ?? 24
        return
      case "cf":
        group.color = number ?? 0
        return
      case "cb":
      case "chcbpat":
      case "highlight":
      case "cbpat":
        group.background = number ?? 0
        return
      case "pard":
        group.background = 0
        return
      case "trowd":
        if (!this.#inRow) {
          this.outline.beginRow()
          this.outline.beginCell()
        }
        this.#inRow = true
        return
      case "cell":
        if (!this.#inRow) return this.outline.text("\t")
        this.outline.endCell()
        return this.outline.beginCell()
      case "row":
        if (!this.#inRow) return this.outline.line()
        this.#inRow = false
        this.outline.endCell()
        return this.outline.endRow()
    }
  }
}

export const readRtf = (file: Uint8Array): Reading => {
  const reader = new Reader()
  reader.read(Buffer.from(file).toString("latin1"))
  return { ...reader.outline.finish(), names: reader.names }
}
