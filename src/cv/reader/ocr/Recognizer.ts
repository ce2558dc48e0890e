/** Recognizes text in pictures of pages with Tesseract, compiled to WebAssembly. */
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"
import type { Word } from "../pdf/Glyphs.ts"
import { type OcrLanguage, ocrLanguages } from "../ReaderOptions.ts"
import type { Grey } from "./Canvas.ts"

/** What this file uses of tesseract.js-core, which has no types. */
interface TessBaseApi {
  Init(folder: string, languages: string, engine: number): number
  SetVariable(name: string, value: string): boolean
  /** Reads /input. */
  SetImageFile(exifOrientation: number, radians: number): number
  Recognize(monitor: null): number
  GetTSVText(page: number): string
  Clear(): void
}
interface Core {
  readonly FS: { writeFile(path: string, data: Uint8Array): void }
  readonly TessBaseAPI: new () => TessBaseApi
}
type MakeCore = (options: { wasmBinary: Uint8Array; print: () => void; printErr: () => void }) => Promise<Core>

const require = createRequire(import.meta.url)

/** Copied by build.ts; the sources use the files of the packages. */
const built = fileURLToPath(new URL("./data/", import.meta.url))
const isBuilt = existsSync(built)
const coreFile = (ending: string) =>
  isBuilt
    ? `${built}tesseract-core${ending === "js" ? ".cjs" : `.${ending}`}`
    : require.resolve(`tesseract.js-core/tesseract-core-simd-lstm.${ending}`)
const languageFile = (name: string) =>
  isBuilt
    ? `${built}${name}.traineddata.gz`
    : require.resolve(`@tesseract.js-data/${name}/4.0.0_best_int/${name}.traineddata.gz`)

/** Tesseract's only engine here: a neural network (LSTM). */
const engine = 1
/** Percent. Marks, borders and pictures are read as words of less confidence. */
const minConfidence = 35
/** A page whose words have less confidence on average has no text, or is upside down. */
const minMeanConfidence = 60

export interface Recognized {
  readonly words: ReadonlyArray<Word>
  /** Percent, by letters. */
  readonly confidence: number
}

/** Columns of a row: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. */
const wordsOf = (tsv: string): Recognized => {
  const words: Array<Word> = []
  let [sum, letters, base, size] = [0, 0, 0, 0]
  for (const row of tsv.split("\n")) {
    const cells = row.split("\t")
    const [level = 0, , , , , , left = 0, top = 0, width = 0, height = 0, confidence = 0] = cells.map(Number)
    const text = cells[11]?.trim() ?? ""
    if (level === 4) {
      base = top + height
      size = height
    }
    if (level !== 5 || text === "") continue
    sum += confidence * text.length
    letters += text.length
    if (confidence < minConfidence || (confidence < minMeanConfidence && !/[\p{L}\p{N}]/u.test(text))) continue
    words.push({ text, left, right: left + width, y: base, size, isEnd: true, isTurned: false, isHidden: false })
  }
  return { words, confidence: letters === 0 ? 0 : sum / letters }
}

export interface Recognizer {
  readonly read: (page: Grey) => Recognized
}

/** The first of the languages matters most. */
export const makeRecognizer = async (languages: ReadonlyArray<OcrLanguage>): Promise<Recognizer> => {
  const names = languages.map((language) => ocrLanguages[language])
  const makeCore: MakeCore = require(coreFile("js"))
  const { FS, TessBaseAPI } = await makeCore({
    wasmBinary: readFileSync(coreFile("wasm")),
    print: () => {},
    printErr: () => {},
  })
  for (const name of names) FS.writeFile(`/${name}.traineddata`, gunzipSync(readFileSync(languageFile(name))))
  const api = new TessBaseAPI()
  if (api.Init("/", names.join("+"), engine) !== 0) throw new Error("Tesseract did not start")
  // a resolution for which it estimates sizes of letters; pages have about this one
  api.SetVariable("user_defined_dpi", "200")
  return {
    read: ({ data, height, width }) => {
      FS.writeFile("/input", Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), data]))
      if (api.SetImageFile(1, 0) !== 0) throw new Error("Tesseract did not take the picture")
      api.Recognize(null)
      const recognized = wordsOf(api.GetTSVText(0))
      api.Clear()
      return recognized
    },
  }
}
