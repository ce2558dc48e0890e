/** Scans and pictures, read in the child process as in production. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ChildCvReader from "../../src/cv/ChildCvReader.ts"
import { CvReader } from "../../src/cv/CvReader.ts"
import { encodings, english, german, greyOf, pdfOf, pngOf, scan, shaded, withOrientation } from "./scans/scans.ts"

const read = Effect.fnUntraced(function* (file: Uint8Array, ...languages: ReadonlyArray<string>) {
  return yield* (yield* CvReader).read(file, languages)
})
const reasonOf = (file: Uint8Array) => Effect.map(Effect.flip(read(file, "en")), ({ reason }) => reason)

const wordsOf = (text: string) => text.split(/\s+/)

/** The words of `expected` that `text` lacks. */
const missingIn = (text: string, expected: string): ReadonlyArray<string> => {
  const found = wordsOf(text)
  return wordsOf(expected).filter((word) => {
    const at = found.indexOf(word)
    if (at >= 0) found.splice(at, 1)
    return at < 0
  })
}

/** One word in 50, of the some 65 of a page, may be wrong. */
const maxWrong = 1

const isRead = (text: string, expected: string) => {
  const missing = missingIn(text, expected)
  assert.isAtMost(missing.length, maxWrong, `${missing.join(" ")} is missing in:\n${text}`)
}

const readAs = (language: string) =>
  `The CV was read by OCR (text recognition in pictures), as ${language}. Some words may be wrong.`

const live = <A, E>(test: () => Effect.Effect<A, E, CvReader>, limits = ChildCvReader.childLimits) =>
  test().pipe(Effect.provide(ChildCvReader.layer(limits)))

describe("A scan", () => {
  it.live.each(encodings)("is read from a PDF whose picture is encoded as %s", ([, make]) =>
    live(
      Effect.fnUntraced(function* () {
        const { contacts, text, type, warnings } = yield* read(yield* Effect.promise(async () => make()), "en")
        isRead(text, english)
        assert.strictEqual(type, "application/pdf")
        assert.strictEqual(contacts.email, "g.hopper@navy.example")
        assert.deepStrictEqual(warnings, [{ code: "read_by_ocr", message: readAs("English") }])
      }),
    ),
  )

  it.live("is read in the language of the interview set", () =>
    live(
      Effect.fnUntraced(function* () {
        const { text, type, warnings } = yield* read(scan("german.png"), "de-AT")
        isRead(text, german)
        assert.strictEqual(type, "image/png")
        assert.deepStrictEqual(warnings, [{ code: "read_by_ocr", message: readAs("German") }])
      }),
    ),
  )

  it.live("is read as English in a set whose languages cannot be recognized", () =>
    live(
      Effect.fnUntraced(function* () {
        const { text, warnings } = yield* read(scan("english.png"), "pl")
        isRead(text, english)
        assert.deepStrictEqual(warnings, [{ code: "read_by_ocr", message: readAs("English") }])
      }),
    ),
  )

  it.live("is read when the page lies on its side or is upside down", () =>
    live(
      Effect.fnUntraced(function* () {
        const { data, height, width } = greyOf("english.png")
        const upsideDown = { width, height, data: data.toReversed() }
        isRead((yield* read(pngOf(upsideDown), "en")).text, english)
        const sideways = data.map((_, i) => data[(i % height) * width + (width - 1 - Math.floor(i / height))] ?? 0)
        isRead((yield* read(pngOf({ width: height, height: width, data: sideways }), "en")).text, english)
      }),
    ),
  )

  it.live("is not read when CV_OCR is off", () =>
    live(
      Effect.fnUntraced(function* () {
        assert.strictEqual(yield* reasonOf(scan("english.png")), "ocr_off")
        assert.strictEqual(yield* reasonOf(scan("photo.jpg")), "ocr_off")
        assert.strictEqual(yield* reasonOf(yield* Effect.promise(() => pdfOf([scan("english.png")]))), "no_text")
      }),
      ChildCvReader.withoutOcr,
    ),
  )

  it.live("of six pages is read up to the fourth", () =>
    live(
      Effect.fnUntraced(function* () {
        const pages = ["english.png", "german.png", "german.png", "german.png", "english.png", "english.png"]
        const file = yield* Effect.promise(() => pdfOf(pages.map(scan)))
        const { text, warnings } = yield* read(file, "en", "de")
        assert.lengthOf(text.match(/Grace Hopper/g) ?? [], 1)
        assert.lengthOf(text.match(/Müller/g) ?? [], 3)
        assert.deepStrictEqual(warnings, [
          { code: "read_by_ocr", message: readAs("German and English") },
          { code: "part_not_read", message: "Only the first 4 of 6 pages were read by OCR." },
        ])
      }),
    ),
  )

  it.live("with the text that a scanner wrote behind it has no hidden text; other text behind it is noted", () =>
    live(
      Effect.fnUntraced(function* () {
        const behind = (text: string) =>
          Effect.promise(() => pdfOf([scan("english.png")], (page) => page.addContent("BT 3 Tr ET").text(text, 10, 10)))
        const scanned = yield* read(yield* behind(english), "en")
        isRead(scanned.text, english)
        assert.deepStrictEqual(scanned.notes, [])
        const { notes, text } = yield* read(yield* behind("Unseen doctor of medicine"), "en")
        assert.notInclude(text, "medicine")
        assert.deepStrictEqual(notes, ["Hidden text was left out: 4 words."])
      }),
    ),
  )
})

describe("A picture", () => {
  it.live("is read from a photo with shadow, noise and perspective", () =>
    live(
      Effect.fnUntraced(function* () {
        const { contacts, text, type } = yield* read(scan("photo.jpg"), "en")
        isRead(text, english)
        assert.strictEqual(type, "image/jpeg")
        assert.deepStrictEqual(contacts, {
          email: "g.hopper@navy.example",
          phone: "+12127365000",
          name: "Grace Hopper",
        })
      }),
    ),
  )

  it.live("is turned as its EXIF orientation says, also from a mirror image", () =>
    live(
      Effect.fnUntraced(function* () {
        const { text } = yield* read(withOrientation(scan("transposed.jpg"), 5), "en")
        isRead(text, english)
      }),
    ),
  )

  it.live("is read where its text is light on dark", () =>
    live(
      Effect.fnUntraced(function* () {
        const page = greyOf("english.png")
        const dark = shaded(page, (shade, _, y) => (y < 270 ? 255 - 0.85 * shade : shade))
        isRead((yield* read(pngOf(dark), "en")).text, english)
      }),
    ),
  )

  it.live("is not read where its text is as light as the paper", () =>
    live(
      Effect.fnUntraced(function* () {
        const page = greyOf("english.png")
        const pale = (shade: number) => 250 + shade / 51
        assert.strictEqual(yield* reasonOf(pngOf(shaded(page, pale))), "no_text")
        const half = shaded(page, (shade, _, y) => (y > 455 ? pale(shade) : shade))
        const { text } = yield* read(pngOf(half), "en")
        assert.include(text, "twelve years")
        assert.notInclude(text, "tuning")
      }),
    ),
  )

  it.live("is not read where a PDF covers it, cuts it off, makes it transparent or tiny", () =>
    live(
      Effect.fnUntraced(function* () {
        const picture = Buffer.from(scan("english.png"))
        const file = yield* Effect.promise(() =>
          pdfOf([pngOf(shaded(greyOf("english.png"), () => 255))], (page) => {
            page.image(picture, 0, 0, { width: 595 }).rect(0, 0, 595, 842).fill("white")
            page.image(picture, 595, 0, { width: 595 })
            page.save().opacity(0).image(picture, 0, 0, { width: 595 }).restore()
            page.image(picture, 20, 20, { width: 60 })
          }),
        )
        assert.strictEqual(yield* reasonOf(file), "no_text")
      }),
    ),
  )

  it.live.each([
    ["a PNG", () => Buffer.from(pngOf({ width: 8, height: 8, data: new Uint8Array(64) })), 16, 4],
    ["a JPEG", () => Buffer.from(scan("transposed.jpg")), -1, 2],
  ] as const)("of 40 million pixels or more is refused before it is decoded: %s", ([, make, at, bytes]) =>
    live(
      Effect.fnUntraced(function* () {
        const file = make()
        const size = at < 0 ? file.indexOf(Buffer.from([0xff, 0xc2])) + 5 : at
        for (const side of [0, bytes]) file.writeUIntBE(60_000, size + side, bytes)
        assert.strictEqual(yield* reasonOf(file), "picture_too_large")
      }),
      { ...ChildCvReader.childLimits, cpuSeconds: 3 },
    ),
  )

  it.live("without text is unreadable", () =>
    live(
      Effect.fnUntraced(function* () {
        const isMark = (x: number, y: number) => y < 600 && ((x >> 3) * 7_919 + (y >> 3) * 104_729) % 23 === 0
        const noise = shaded(greyOf("english.png"), (_, x, y) => (isMark(x, y) ? 0 : 255))
        assert.strictEqual(yield* reasonOf(pngOf(noise)), "no_text")
        assert.strictEqual(yield* reasonOf(scan("english.png").subarray(0, 5_000)), "damaged")
      }),
    ),
  )
})
