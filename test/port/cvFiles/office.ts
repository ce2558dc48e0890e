/** Builds DOCX, ODT, ZIP and Compound File fixtures. */
import { constants, deflateRawSync } from "node:zlib"
import { strToU8, zipSync } from "fflate"

const archive = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])))

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const word = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
].join(" ")

/** `properties` is the XML inside w:rPr. */
export const run = (text: string, properties = "") =>
  `<w:r>${properties === "" ? "" : `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`

export const paragraph = (...runs: ReadonlyArray<string>) => `<w:p>${runs.join("")}</w:p>`

/** `body` is XML. `parts` are more files of word/, by name. */
export const docx = (
  body: string,
  parts: Record<string, readonly [root: string, content: string]> = {},
  author = "",
): Uint8Array =>
  archive({
    "[Content_Types].xml": `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    "docProps/core.xml": `${head}<cp:coreProperties xmlns:cp="urn:cp" xmlns:dc="urn:dc"><dc:creator>${author}</dc:creator></cp:coreProperties>`,
    "word/document.xml": `${head}<w:document ${word}><w:body>${body}</w:body></w:document>`,
    ...Object.fromEntries(
      Object.entries(parts).map(([name, [root, content]]) => [
        `word/${name}.xml`,
        `${head}<w:${root} ${word}>${content}</w:${root}>`,
      ]),
    ),
  })

export const docxOf = (document: string): Uint8Array => archive({ "word/document.xml": document })

const open = [
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"',
  'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"',
  'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"',
  'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"',
  'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"',
  'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
].join(" ")

/** All parameters are XML. */
export const odt = (text: string, { footer = "", header = "", manifest = "", styles = "" } = {}): Uint8Array =>
  archive({
    mimetype: "application/vnd.oasis.opendocument.text",
    "META-INF/manifest.xml": `${head}<manifest:manifest xmlns:manifest="urn:m">${manifest}</manifest:manifest>`,
    "content.xml": `${head}<office:document-content ${open}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${text}</office:text></office:body></office:document-content>`,
    "styles.xml": `${head}<office:document-styles ${open}><office:master-styles><style:master-page style:name="S"><style:header>${header}</style:header><style:footer>${footer}</style:footer></style:master-page></office:master-styles></office:document-styles>`,
  })

/** A file of `megabytes` MiB of blanks. `says` is the length in bytes that the archive declares. */
export const zipBomb = (name: string, megabytes: number, says = megabytes * 1024 * 1024): Uint8Array => {
  const block = deflateRawSync(Buffer.alloc(1024 * 1024, " "), { finishFlush: constants.Z_FULL_FLUSH })
  const data = Buffer.concat([...Array.from({ length: megabytes }, () => block), Buffer.from([3, 0])])
  const file = Buffer.from(name)
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(8, 4)
  common.writeUInt32LE(data.length, 14)
  common.writeUInt32LE(says, 18)
  common.writeUInt16LE(file.length, 22)
  const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, file, data])
  const central = Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), common, Buffer.alloc(14), file])
  const end = Buffer.alloc(22)
  end.write("PK\x05\x06", "latin1")
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length, 16)
  return new Uint8Array(Buffer.concat([local, central, end]))
}

/** A Compound File (MS-CFB): signature and the name of one stream, nothing else. */
export const compound = (streamName: string): Uint8Array =>
  new Uint8Array(
    Buffer.concat([
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      Buffer.alloc(504),
      Buffer.from("Root Entry", "utf16le"),
      Buffer.alloc(108),
      Buffer.from(streamName, "utf16le"),
      Buffer.alloc(1_000),
    ]),
  )
