/** What the parent process tells the reader, as JSON. */

export interface ReaderOptions {
  readonly maxTextLength: number
  readonly maxPages: number
  readonly maxOcrPages: number
  readonly maxPicturePixels: number
  /**
   * `off`: text of pictures is not read. `later`: the answer to a scan is that it needs OCR, for which a process with
   * higher limits is started, with `languages`.
   */
  readonly ocr: "off" | "later" | { readonly languages: ReadonlyArray<OcrLanguage> }
}

/** Languages in which text of pictures is recognized, and Tesseract's names for them. */
export const ocrLanguages = { de: "deu", en: "eng", es: "spa", fr: "fra", pt: "por", vi: "vie" } as const
export type OcrLanguage = keyof typeof ocrLanguages

/** Each further language makes recognition slower. */
const maxLanguages = 3

const isKnown = (language: string): language is OcrLanguage => Object.hasOwn(ocrLanguages, language)

/**
 * Of BCP 47 tags, those that can be recognized; English without one. English is the last, because Tesseract prefers the
 * first, and would read "ü" as "u".
 */
export const ocrLanguagesOf = (tags: ReadonlyArray<string>): ReadonlyArray<OcrLanguage> => {
  const known = new Set(tags.map((tag) => tag.toLowerCase().split("-")[0] ?? "").filter(isKnown))
  if (known.size === 0) return ["en"]
  return [...known].slice(0, maxLanguages).toSorted((one, other) => Number(one === "en") - Number(other === "en"))
}
