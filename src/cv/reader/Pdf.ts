/** Reads PDF (ISO 32000-2) with pdf.js. */
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { getResolvedPDFJS } from "unpdf"
import type { PageFacts } from "./pdf/Glyphs.ts"
import { wordsOf } from "./pdf/Glyphs.ts"
import { inOrder, layOut } from "./pdf/Layout.ts"
import { type Reading, Unreadable } from "./Reading.ts"

/** Pixels. Larger images are not decoded. */
const maxImageSize = 4_000_000

/** Adobe's character maps, which PDFs of CJK text name. Copied by build.ts; the sources use those of the package. */
const characterMaps = (): string => {
  const built = fileURLToPath(new URL("./cmaps/", import.meta.url))
  return existsSync(built) ? built : fileURLToPath(import.meta.resolve("pdfjs-dist/cmaps/").replace(/\/?$/, "/"))
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : "")

const textIn = (value: unknown): ReadonlyArray<string> => (typeof value === "string" ? [value] : [])

export const readPdf = async (data: Uint8Array, limits: { readonly maxPages: number }): Promise<Reading> => {
  const { getDocument, OPS, VerbosityLevel } = await getResolvedPDFJS()
  const document = await getDocument({
    data,
    maxImageSize,
    cMapUrl: characterMaps(),
    cMapPacked: true,
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    enableXfa: false,
    verbosity: VerbosityLevel.ERRORS,
  }).promise.catch((error: unknown) => {
    throw new Unreadable(nameOf(error) === "PasswordException" ? "encrypted" : "damaged")
  })
  if (document.numPages > limits.maxPages) throw new Unreadable("too_many_pages")
  const layers = await document.getOptionalContentConfig()
  const pages: Array<string> = []
  let hidden = ""
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const { height, transform, width } = page.getViewport({ scale: 1 })
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = transform
    const painted = await page.getOperatorList()
    const units = new Map<string, number>()
    const facts: PageFacts = {
      width,
      height,
      transform: [a, b, c, d, e, f],
      glyphUnit: (font) => {
        const known = units.get(font)
        if (known !== undefined) return known
        const found: unknown = page.commonObjs.has(font) ? page.commonObjs.get(font)?.fontMatrix?.[0] : undefined
        const unit = typeof found === "number" && found !== 0 ? found : 0.001
        units.set(font, unit)
        return unit
      },
      isShown: (layer) => layers.isVisible(layer),
    }
    const words = wordsOf(painted, facts, OPS)
    pages.push(layOut(words.filter(({ isHidden }) => !isHidden)))
    hidden += `${inOrder(words.filter(({ isHidden }) => isHidden))}\n`
    page.cleanup()
  }
  const { info } = await document.getMetadata()
  const properties: Record<string, unknown> = { ...info }
  return {
    text: pages.filter((page) => page !== "").join("\n\n"),
    hidden,
    names: [...textIn(properties["Author"]), ...textIn(properties["Title"])],
  }
}
