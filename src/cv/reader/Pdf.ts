/** Reads PDF (ISO 32000-2) with pdf.js. */
import { existsSync } from "node:fs"
import { fileURLToPath, pathToFileURL } from "node:url"
import { getResolvedPDFJS } from "unpdf"
import type { Grey, Pixels } from "./ocr/Canvas.ts"
import { isPageShaped } from "./ocr/Sheet.ts"
import type { Ops, PageFacts, Painted } from "./pdf/Glyphs.ts"
import { wordsOf } from "./pdf/Glyphs.ts"
import { inOrder, layOut } from "./pdf/Layout.ts"
import { isImage, pageDrawing, pixelsOf } from "./pdf/PageDrawing.ts"
import { type Reading, Unreadable } from "./Reading.ts"

/** Without OCR, pixels of images are not used. */
const maxUnusedPixels = 4_000_000

/** A file or directory of pdfjs-dist, copied by build.ts; the sources use those of the package. */
const placeOf = (copy: string, original: string): string => {
  const built = fileURLToPath(new URL(copy, import.meta.url))
  return existsSync(built) ? built : fileURLToPath(import.meta.resolve(`pdfjs-dist/${original}`))
}
const folderOf = (name: string) => placeOf(`./${name}/`, `${name}/`).replace(/\/?$/, "/")
const moduleOf = (name: string) => pathToFileURL(placeOf(`./ocr/data/${name}`, `legacy/build/${name}`)).href

type PdfJs = Awaited<ReturnType<typeof getResolvedPDFJS>>

/** The build of unpdf is a third smaller in memory; it lacks decoders of JBIG2, CCITT and JPEG 2000. */
const load = async (decodesAll: boolean): Promise<PdfJs> => {
  if (!decodesAll) return getResolvedPDFJS()
  // classes of browsers, with which pdf.js would render
  Object.assign(globalThis, { DOMMatrix: class {}, Path2D: class {} })
  const pdfJs: PdfJs = await import(moduleOf("pdf.min.mjs"))
  // without worker threads, pdf.js takes its worker from here
  Object.assign(globalThis, { pdfjsWorker: await import(moduleOf("pdf.worker.min.mjs")) })
  return pdfJs
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : "")

const textIn = (value: unknown): ReadonlyArray<string> => (typeof value === "string" ? [value] : [])

/** Images of more than `maxPixels` are not decoded. */
const open = async (data: Uint8Array, maxPixels: number | undefined) => {
  const { getDocument, OPS, VerbosityLevel } = await load(maxPixels !== undefined)
  const document = await getDocument({
    data,
    maxImageSize: maxPixels ?? maxUnusedPixels,
    // JPEG 2000 is otherwise decoded at half its size
    canvasMaxAreaInBytes: 2 ** 30,
    // Adobe's character maps, which PDFs of CJK text name
    cMapUrl: folderOf("cmaps"),
    cMapPacked: true,
    ...(maxPixels === undefined ? {} : { wasmUrl: folderOf("wasm") }),
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: maxPixels !== undefined,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    enableXfa: false,
    verbosity: VerbosityLevel.ERRORS,
  }).promise.catch((error: unknown) => {
    throw new Unreadable(nameOf(error) === "PasswordException" ? "encrypted" : "damaged")
  })
  return { document, ops: OPS }
}

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof open>>["document"]["getPage"]>>

/** The page's images by name. An image that cannot be decoded is null. */
const imagesOf = async (
  { commonObjs, objs }: Page,
  { argsArray, fnArray }: Painted,
  ops: Ops,
): Promise<ReadonlyMap<string, unknown>> => {
  const named = fnArray.flatMap((op, i) => {
    const [first] = argsArray[i] ?? []
    if (op === ops.paintImageXObject) return [first]
    const isMask = op === ops.paintImageMaskXObject && typeof first === "object" && first !== null && "data" in first
    return isMask ? [first.data] : []
  })
  const names = new Set(named.filter((name) => typeof name === "string"))
  const found = await Promise.all(
    [...names].map(
      (name) =>
        new Promise<readonly [string, unknown]>((done) => {
          const from = name.startsWith("g_") ? commonObjs : objs
          from.get(name, (image: unknown) => done([name, image]))
        }),
    ),
  )
  return new Map(found)
}

/** Of the only picture on the only page. */
export const picturePixels = async (data: Uint8Array, maxPixels: number): Promise<Pixels | undefined> => {
  const { document, ops } = await open(data, maxPixels)
  const page = await document.getPage(1)
  const images = await imagesOf(page, await page.getOperatorList(), ops)
  const [image] = images.values()
  return isImage(image) ? pixelsOf(image) : undefined
}

const wordList = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Scanners write the text that they recognize behind the picture; it says nothing that the picture does not say. */
const sameShare = 0.8

const isSameText = (hidden: string, recognized: string): boolean => {
  const words = wordList(hidden)
  const known = new Set(wordList(recognized))
  return words.filter((word) => known.has(word)).length >= sameShare * words.length
}

export interface PdfOptions {
  readonly maxPages: number
  /** Reads what the pictures and shapes of the first `maxPages` pages show. */
  readonly ocr?:
    | { readonly maxPages: number; readonly maxPixels: number; readonly readPage: (page: Grey) => string }
    | undefined
}

export const readPdf = async (data: Uint8Array, { maxPages, ocr }: PdfOptions): Promise<Reading> => {
  const { document, ops } = await open(data, ocr?.maxPixels)
  if (document.numPages > maxPages) throw new Unreadable("too_many_pages")
  const layers = await document.getOptionalContentConfig()
  const pages: Array<string> = []
  let hidden = ""
  let recognizedPages = 0
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
    const isSeen = ocr !== undefined && number <= ocr.maxPages && isPageShaped({ width, height })
    const drawing = isSeen ? pageDrawing(facts, await imagesOf(page, painted, ops)) : undefined
    const words = wordsOf(painted, facts, ops, drawing)
    const recognized = isSeen && drawing !== undefined ? ocr.readPage(drawing.canvas) : ""
    if (recognized !== "") recognizedPages += 1
    pages.push(recognized, layOut(words.filter(({ isHidden }) => !isHidden)))
    const unseen = inOrder(words.filter(({ isHidden }) => isHidden))
    if (recognized === "" || !isSameText(unseen, recognized)) hidden += `${unseen}\n`
    page.cleanup()
  }
  const { info } = await document.getMetadata()
  const properties: Record<string, unknown> = { ...info }
  return {
    text: pages.filter((page) => page !== "").join("\n\n"),
    hidden,
    names: [...textIn(properties["Author"]), ...textIn(properties["Title"])],
    recognized: recognizedPages === 0 ? undefined : { pages: recognizedPages, of: document.numPages },
  }
}
