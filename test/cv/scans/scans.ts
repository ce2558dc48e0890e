/**
 * Scans of one page each, made for these tests: pdfkit wrote `english` and `german`, poppler drew them at 200 dpi, and
 * ImageMagick made `photo.jpg` (in perspective, with shadow and noise) and `transposed.jpg` (rows and columns exchanged)
 * of `english`. `english.g4` is its content in T.6 (fax) coding.
 */
import { readFileSync } from "node:fs"
import { deflateSync } from "node:zlib"
import { decode, encode } from "fast-png"
import { pdf, rawPdf } from "../../port/cvFiles/pdf.ts"

export const english = `Grace Hopper
g.hopper@navy.example, +1 212 736 5000
I wrote the first compiler, and led a team of eight engineers who ran it in production for twelve years.
Since 2014 I have worked as a database administrator for a group of hospitals with 40 PostgreSQL clusters.
Reduced the time of a recovery from four hours to nine minutes, and trained six colleagues in query tuning.`

export const german = `Käthe Müller-Groß
k.mueller@klinik.example, +49 30 901820
Examinierte Pflegefachkraft mit elf Jahren Erfahrung auf der Intensivstation, seit 2018 Stationsleitung.
Ich übernahm die Dienstplanung für zwölf Betten, führte neun Kolleginnen und schulte neue Mitarbeiter.
Überwachung kritisch kranker Patienten, Beatmungspflege, Wundversorgung und Gespräche mit Angehörigen.`

export const scan = (name: string): Buffer => readFileSync(new URL(name, import.meta.url))

interface Grey {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** The pixels of english.png or german.png, which has two bits for each. */
export const greyOf = (name: string): Grey => {
  const { data, height, width } = decode(scan(name))
  const perRow = Math.ceil(width / 4)
  const shade = (_: unknown, i: number) => {
    const [x, y] = [i % width, Math.floor(i / width)]
    return 85 * ((Number(data[y * perRow + (x >> 2)]) >> (6 - 2 * (x & 3))) & 3)
  }
  return { width, height, data: Uint8Array.from({ length: width * height }, shade) }
}

export const pngOf = ({ data, height, width }: Grey): Uint8Array =>
  encode({ width, height, data, channels: 1, depth: 8 })

/** Each pixel takes the shade that `shadeOf` returns for its own. */
export const shaded = (page: Grey, shadeOf: (shade: number, x: number, y: number) => number): Grey => ({
  ...page,
  data: page.data.map((shade, i) => shadeOf(shade, i % page.width, Math.floor(i / page.width))),
})

/** With EXIF metadata that have this orientation only. */
export const withOrientation = (jpeg: Buffer, orientation: number): Uint8Array => {
  const tiff = Buffer.alloc(26)
  tiff.write("MM\0*", "latin1")
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(0x0112, 10)
  tiff.writeUInt16BE(3, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  const segment = Buffer.concat([Buffer.from("Exif\0\0"), tiff])
  const head = Buffer.from([0xff, 0xe1, 0, segment.length + 2])
  return new Uint8Array(Buffer.concat([jpeg.subarray(0, 2), head, segment, jpeg.subarray(2)]))
}

const [pageWidth, pageHeight] = [595, 842]

/** A white pixel for each of a page of this size. */
export const white = (width: number, height: number): Uint8Array =>
  pngOf({ width, height, data: new Uint8Array(width * height).fill(255) })

/** The name and the contacts of a scan. */
export const headOf = (name: string): Uint8Array => {
  const { data, width } = greyOf(name)
  const height = 270
  return pngOf({ width, height, data: data.subarray(0, width * height) })
}

/** Each picture is as wide as a page, at its top. */
export const pdfOf = (pictures: ReadonlyArray<Uint8Array>, draw: (page: PDFKit.PDFDocument) => void = () => {}) =>
  pdf(
    (page) => {
      for (const picture of pictures) {
        page.addPage({ size: [pageWidth, pageHeight], margin: 0 })
        page.image(Buffer.from(picture), 0, 0, { width: pageWidth })
        draw(page)
      }
    },
    { autoFirstPage: false },
  )

const size = "/Width 1654/Height 2339"
const fax = `/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns 1654/Rows 2339>>`

/** A segment of JBIG2 (ITU-T T.88, 7.2). */
const segment = (number: number, type: number, data: Buffer): Buffer => {
  const header = Buffer.alloc(11)
  header.writeUInt32BE(number, 0)
  header[4] = type
  header[6] = 1
  header.writeUInt32BE(data.length, 7)
  return Buffer.concat([header, data])
}

const region = (length: number, flags: number): Buffer => {
  const facts = Buffer.alloc(length)
  facts.writeUInt32BE(1654, 0)
  facts.writeUInt32BE(2339, 4)
  facts[17] = flags
  return facts
}

/** A page and a generic region in T.6 coding (MMR). */
const jbig2 = (): Buffer =>
  Buffer.concat([segment(0, 48, region(19, 0)), segment(1, 38, Buffer.concat([region(18, 1), scan("english.g4")]))])

const grey = "/ColorSpace/DeviceGray"
const encodings: ReadonlyArray<readonly [dictionary: string, data: () => Buffer]> = [
  [`${grey}/BitsPerComponent 8/Filter/FlateDecode`, () => deflateSync(greyOf("english.png").data)],
  [`${grey}/BitsPerComponent 1${fax}`, () => scan("english.g4")],
  [`/ImageMask true/BitsPerComponent 1${fax}`, () => scan("english.g4")],
  [`${grey}/BitsPerComponent 1/Filter/JBIG2Decode`, jbig2],
  ["/Filter/JPXDecode", () => scan("english.jp2")],
]

/** The number of pictures on the page of `encodedPage`. */
export const encodedPictures = encodings.length

/** A page with the text of `english` five times: as Flate, CCITT, a mask in CCITT, JBIG2 and JPEG 2000. */
export const encodedPage = (): Uint8Array => {
  const height = Math.floor(pageHeight / encodings.length)
  const strips = encodings.map((_, i) => {
    const bottom = pageHeight - (i + 1) * height
    return `q 0 ${bottom} ${pageWidth} ${height} re W n ${pageWidth} 0 0 ${pageHeight} 0 ${-i * height} cm /I${i} Do Q`
  })
  const content = strips.join("\n")
  const resources = encodings.map((_, i) => `/I${i} ${5 + i} 0 R`).join("")
  return rawPdf([
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${pageWidth} ${pageHeight}]/Contents 4 0 R/Resources<</XObject<<${resources}>>>>>>`,
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    ...encodings.map(([dictionary, make]) => {
      const data = make()
      const head = `<</Type/XObject/Subtype/Image${size}${dictionary}/Length ${data.length}>>stream\n`
      return Buffer.concat([Buffer.from(head), data, Buffer.from("\nendstream")])
    }),
  ])
}
