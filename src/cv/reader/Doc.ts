/**
 * Reads DOC (Word 97 to 2003, MS-DOC) with word-extractor, which reads no formatting but deleted text. This reader also
 * leaves out text that a person would not see: hidden, tiny, and white where nothing is shaded.
 */
import BufferReader from "word-extractor/lib/buffer-reader.js"
import WordOleExtractor, { type Piece } from "word-extractor/lib/word-ole-extractor.js"
import { type Reading, Unreadable } from "./Reading.ts"
import { maxHiddenSize } from "./TextStyle.ts"

/** MS-DOC 2.6.1: changes of character properties. */
const sprm = { deleted: 0x0800, hidden: 0x083c, halfPoints: 0x4a43, color: 0x6870, colorIndex: 0x2a42 }
const white = { index: 8, rgb: 0x00ffffff }
/** Changes that shade paragraphs and cells (sprmPShd, sprmTDefTableShd). */
const shadings = [0xc64d, 0xd612, 0xd609].map((code) => Buffer.from([code & 0xff, code >> 8]))

const word95 = 0xa5dc
/** Bytes of a change's operand, by its three highest bits; 6: the next byte tells. */
const operandLengths = [1, 1, 2, 4, 2, 2, undefined, 3]

type Sight = "seen" | "deleted" | "hidden"

/** `isWhiteSeen`: something in the document is shaded, so white text may stand on a dark ground. */
const sightOf = (changes: Buffer, isWhiteSeen: boolean): Sight => {
  for (let at = 0; at + 2 < changes.length; ) {
    const code = changes.readUInt16LE(at)
    at += 2
    const length = operandLengths[code >> 13] ?? 1 + (changes[at] ?? 0)
    if (at + length > changes.length) return "seen"
    const isOn = ((changes[at] ?? 0) & 1) === 1
    if (code === sprm.deleted && isOn) return "deleted"
    if (code === sprm.hidden && isOn) return "hidden"
    if (code === sprm.halfPoints && changes.readUInt16LE(at) / 2 <= maxHiddenSize) return "hidden"
    const isWhite =
      (code === sprm.color && (changes.readUInt32LE(at) & 0xffffff) === white.rgb) ||
      (code === sprm.colorIndex && changes[at] === white.index)
    if (isWhite && !isWhiteSeen) return "hidden"
    at += length
  }
  return "seen"
}

/** Replaces text without changing its length, on which the library relies. It removes NUL afterwards. */
const takeOut = ({ bpc, startFilePos, text }: Piece, start: number, end: number) => {
  const from = Math.max(0, Math.ceil((start - startFilePos) / bpc))
  const to = Math.min(text.length, Math.ceil((end - startFilePos) / bpc))
  if (to <= from) return { text, taken: "" }
  return { text: text.slice(0, from) + "\0".repeat(to - from) + text.slice(to), taken: text.slice(from, to) }
}

class Extractor extends WordOleExtractor {
  hidden = ""

  override extractWordDocument(document: object, buffer: Buffer) {
    // FibBase (MS-DOC 2.5.2): wIdent, and the flag fEncrypted
    if (buffer.length > 12 && buffer.readUInt16LE(0) === word95) throw new Unreadable("old_word")
    if (buffer.length > 12 && (buffer.readUInt16LE(10) & 0x0100) !== 0) throw new Unreadable("encrypted")
    return super.extractWordDocument(document, buffer)
  }

  /** MS-DOC 2.8.5, 2.9.33: pages of 512 bytes with runs of characters and their changes. */
  override writeCharacterProperties(buffer: Buffer, table: Buffer): void {
    const start = buffer.readUInt32LE(0xfa)
    const length = buffer.readUInt32LE(0xfe)
    const count = Math.floor((length - 4) / 8)
    const isWhiteSeen = shadings.some((code) => buffer.includes(code))
    for (let i = 0; i < count; i++) {
      const number = table.readUInt32LE(start + (count + 1) * 4 + i * 4) & 0x3fffff
      const page = buffer.subarray(number * 512, (number + 1) * 512)
      if (page.length === 512) this.#readPage(page, isWhiteSeen)
    }
  }

  #readPage(page: Buffer, isWhiteSeen: boolean): void {
    const runs = page[511] ?? 0
    for (let run = 0; run < runs && (runs + 1) * 4 + run < 511; run++) {
      const at = (page[(runs + 1) * 4 + run] ?? 0) * 2
      const sight = at === 0 ? "seen" : sightOf(page.subarray(at + 1, at + 1 + (page[at] ?? 0)), isWhiteSeen)
      if (sight === "seen") continue
      const [start, end] = [page.readUInt32LE(run * 4), page.readUInt32LE(run * 4 + 4)]
      for (const piece of this._pieces) {
        const { taken, text } = takeOut(piece, start, end)
        piece.text = text
        if (sight === "hidden") this.hidden += taken.replaceAll("\0", "")
      }
    }
  }
}

export const readDoc = async (file: Uint8Array): Promise<Reading> => {
  const extractor = new Extractor()
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const document = await extractor.extract(new BufferReader(bytes)).catch((error: unknown) => {
    throw error instanceof Unreadable ? error : new Unreadable("damaged")
  })
  const plain = { filterUnicode: false }
  const parts = [
    document.getHeaders({ ...plain, includeFooters: false }),
    document.getBody(plain),
    document.getTextboxes(plain),
    document.getFootnotes(plain),
    document.getEndnotes(plain),
    document.getFooters(plain),
  ]
  return { text: parts.filter((part) => part.trim() !== "").join("\n"), hidden: extractor.hidden, names: [] }
}
