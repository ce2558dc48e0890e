/** Scans and pictures, read in the child process as in production. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ChildCvReader from "../../src/cv/ChildCvReader.ts"
import { CvReader } from "../../src/cv/CvReader.ts"
import { ocrLanguagesOf } from "../../src/cv/reader/ReaderOptions.ts"
import {
  encodedPage,
  encodedPictures,
  english,
  german,
  greyOf,
  headOf,
  pdfOf,
  pngOf,
  scan,
  shaded,
  white,
  withOrientation,
} from "./scans/scans.ts"

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

/** One word, or one in 50, may be wrong. */
const isRead = (text: string, expected: string) => {
  const missing = missingIn(text, expected)
  assert.isAtMost(
    missing.length,
    Math.max(1, wordsOf(expected).length / 50),
    `${missing.join(" ")} is missing in:\n${text}`,
  )
}

const readAs = (language: string) =>
  `The CV was read by OCR (text recognition in pictures), as ${language}. Some words may be wrong.`

const live = <A, E>(test: () => Effect.Effect<A, E, CvReader>, limits = ChildCvReader.childLimits) =>
  test().pipe(Effect.provide(ChildCvReader.layer(limits)))

describe("A scan", () => {
  it.live("is read from a PDF whose pictures are encoded as Flate, CCITT, JBIG2 and JPEG 2000", () =>
    live(
      Effect.fnUntraced(function* () {
        const { contacts, text, type, warnings } = yield* read(encodedPage(), "en")
        isRead(text, Array.from({ length: encodedPictures }, () => english).join("\n"))
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

  it("is read as English in a set whose languages cannot be recognized", () =>
    assert.deepStrictEqual(ocrLanguagesOf(["pl"]), ["en"]))

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
        const [hopper, mueller, empty] = [headOf("english.png"), headOf("german.png"), white(6, 8)]
        const file = yield* Effect.promise(() => pdfOf([hopper, empty, empty, mueller, hopper, mueller]))
        const { text, warnings } = yield* read(file, "en", "de")
        assert.lengthOf(text.match(/Grace Hopper/g) ?? [], 1)
        assert.lengthOf(text.match(/Müller/g) ?? [], 1)
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
        const behind = ["Grace Hopper g.hopper@navy.example, +1 212 736 5000", "Unseen doctor of medicine"]
        const file = yield* Effect.promise(() =>
          pdfOf([headOf("english.png"), headOf("english.png")], (page) =>
            page.addContent("BT 3 Tr ET").text(behind.shift() ?? "", 10, 10),
          ),
        )
        const { notes, text } = yield* read(file, "en")
        assert.lengthOf(text.match(/Grace Hopper/g) ?? [], 2)
        assert.notInclude(text, "medicine")
        assert.deepStrictEqual(notes, ["Hidden text was left out: 4 words."])
      }),
    ),
  )

  it.live("keeps no file waiting that needs no OCR", () =>
    live(
      Effect.fnUntraced(function* () {
        const ended: Array<string> = []
        const readAndNote = (name: string, file: Uint8Array) =>
          Effect.tap(Effect.exit(read(file, "en")), () => Effect.sync(() => ended.push(name)))
        yield* Effect.all(
          [
            ...[1, 2, 3].map((number) => readAndNote(`scan ${number}`, scan("english.png"))),
            readAndNote("text", Buffer.from(english)),
          ],
          { concurrency: "unbounded" },
        )
        assert.isAtMost(ended.indexOf("text"), 1, ended.join(", "))
      }),
      // a limit ends the recognition soon
      { ...ChildCvReader.childLimits, ocr: { ...ChildCvReader.childLimits, cpuSeconds: 1 } },
    ),
  )
})

describe("A picture", () => {
  it.live("is read from a photo with shadow, noise and perspective, as far as its file goes", () =>
    live(
      Effect.fnUntraced(function* () {
        const { contacts, text, type, warnings } = yield* read(scan("photo.jpg").subarray(0, 40_000), "en")
        isRead(text, english)
        assert.strictEqual(type, "image/jpeg")
        assert.deepStrictEqual(contacts, {
          email: "g.hopper@navy.example",
          phone: "+12127365000",
          name: "Grace Hopper",
        })
        assert.deepStrictEqual(warnings, [
          { code: "read_by_ocr", message: readAs("English") },
          { code: "part_not_read", message: "The picture's file is cut off: the missing part was not read." },
        ])
      }),
    ),
  )

  it.live("is turned as its EXIF orientation says, also from a mirror image", () =>
    live(
      Effect.fnUntraced(function* () {
        const { text, warnings } = yield* read(withOrientation(scan("transposed.jpg"), 5), "en")
        isRead(text, english)
        assert.deepStrictEqual(warnings, [{ code: "read_by_ocr", message: readAs("English") }])
      }),
    ),
  )

  it.live("is read where its text is light on dark, and not where it is as light as the paper", () =>
    live(
      Effect.fnUntraced(function* () {
        const page = greyOf("english.png")
        const pale = (shade: number) => 250 + shade / 51
        const mixed = shaded(page, (shade, _, y) => (y < 270 ? 255 - 0.85 * shade : y > 455 ? pale(shade) : shade))
        const { text } = yield* read(pngOf(mixed), "en")
        isRead(text, english.split("\n").slice(0, 3).join("\n"))
        assert.notInclude(text, "tuning")
      }),
    ),
  )

  it.live("is not read where a PDF covers it, cuts it off, makes it transparent or tiny", () =>
    live(
      Effect.fnUntraced(function* () {
        const picture = Buffer.from(scan("english.png"))
        const file = yield* Effect.promise(() =>
          pdfOf([white(6, 8)], (page) => {
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
    ["a PNG of 40 million pixels or more", "png", [60_000, 60_000], "picture_too_large"],
    ["a JPEG of 40 million pixels or more", "jpeg", [60_000, 60_000], "picture_too_large"],
    ["a strip", "png", [6_200, 1_000], "no_text"],
    ["a strip", "jpeg", [1_000, 6_200], "no_text"],
    ["a small one", "png", [99, 99], "no_text"],
  ] as const)("is refused before it is decoded: %s, %s", ([, type, [width, height], reason]) =>
    live(
      Effect.fnUntraced(function* () {
        const isPng = type === "png"
        const file = isPng
          ? Buffer.from(pngOf({ width: 8, height: 8, data: new Uint8Array(64) }))
          : Buffer.from(scan("transposed.jpg"))
        const [at, bytes] = isPng ? [16, 4] : [file.indexOf(Buffer.from([0xff, 0xc2])) + 5, 2]
        // a JPEG has the height first
        const sides = isPng ? [width, height] : [height, width]
        for (const [i, side] of sides.entries()) file.writeUIntBE(side, at + i * bytes, bytes)
        assert.strictEqual(yield* reasonOf(file), reason)
      }),
    ),
  )

  it.live("without text is unreadable", () =>
    live(
      Effect.fnUntraced(function* () {
        const isMark = (x: number, y: number) => y < 150 && ((x >> 3) * 7_919 + (y >> 3) * 104_729) % 23 === 0
        const noise = shaded(greyOf("english.png"), (_, x, y) => (isMark(x, y) ? 0 : 255))
        assert.strictEqual(yield* reasonOf(pngOf(noise)), "no_text")
        assert.strictEqual(yield* reasonOf(scan("english.png").subarray(0, 5_000)), "damaged")
      }),
    ),
  )
})
