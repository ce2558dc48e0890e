/** What this reader uses of word-extractor, which has no types. */
declare module "word-extractor/lib/buffer-reader.js" {
  export default class BufferReader {
    constructor(buffer: Buffer)
  }
}

declare module "word-extractor/lib/word-ole-extractor.js" {
  import type BufferReader from "word-extractor/lib/buffer-reader.js"

  export interface Piece {
    text: string
    readonly startFilePos: number
    /** Bytes of a character: 1 or 2. */
    readonly bpc: number
  }

  interface Options {
    readonly filterUnicode: boolean
    readonly includeFooters?: boolean
  }

  interface WordDocument {
    getBody(options: Options): string
    getHeaders(options: Options): string
    getFooters(options: Options): string
    getTextboxes(options: Options): string
    getFootnotes(options: Options): string
    getEndnotes(options: Options): string
  }

  export default class WordOleExtractor {
    readonly _pieces: Array<Piece>
    extract(reader: BufferReader): Promise<WordDocument>
    extractWordDocument(document: object, buffer: Buffer): Promise<WordDocument>
    writeCharacterProperties(buffer: Buffer, table: Buffer): void
  }
}
