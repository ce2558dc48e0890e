/** Unpacks ZIP documents (DOCX, ODT) within limits, and reads their XML. */
import { unzipSync } from "fflate"
import { SaxesParser, type SaxesTagPlain } from "saxes"
import { partName } from "../../files/FileType.ts"
import { decodeXml } from "./PlainText.ts"
import { Unreadable } from "./Reading.ts"

/** Limit of all parts; a long CV's text with markup is below 1 MiB. */
const maxUnpackedBytes = 24 * 1024 * 1024
const maxDepth = 256

const unzip = (file: Uint8Array, wants: (name: string) => boolean): Record<string, Uint8Array> => {
  let total = 0
  try {
    return unzipSync(file, {
      // fflate unpacks at most `originalSize` bytes
      filter: ({ name, originalSize }) => {
        if (!wants(partName(name))) return false
        total += originalSize
        if (total > maxUnpackedBytes) throw new Unreadable("too_large")
        return true
      },
    })
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable("damaged")
  }
}

/** Parts by their `partName`. */
export const unpackBytes = (file: Uint8Array, wants: (name: string) => boolean): ReadonlyMap<string, Uint8Array> =>
  new Map(Object.entries(unzip(file, wants)).map(([part, bytes]) => [partName(part), bytes]))

export const unpack = (file: Uint8Array, wants: (name: string) => boolean): ReadonlyMap<string, string> =>
  new Map([...unpackBytes(file, wants)].map(([part, bytes]) => [part, decodeXml(bytes)]))

export type Attributes = Readonly<Record<string, string>>

/** Names have no prefix. `path`: the enclosing elements. */
export interface Handler {
  readonly open?: (name: string, attributes: Attributes, path: ReadonlyArray<string>) => void
  readonly text?: (text: string, path: ReadonlyArray<string>) => void
  readonly close?: (name: string, path: ReadonlyArray<string>) => void
  readonly skips?: (name: string, attributes: Attributes) => boolean
}

const localName = (name: string) => name.slice(name.indexOf(":") + 1)

/** Refuses document types: entity attacks need them. */
export const readXml = (xml: string, handler: Handler): void => {
  const parser = new SaxesParser()
  const path: Array<string> = []
  let skipped = 0
  parser.on("doctype", () => {
    throw new Unreadable("damaged")
  })
  parser.on("error", () => {
    throw new Unreadable("damaged")
  })
  parser.on("opentag", (tag: SaxesTagPlain) => {
    const name = localName(tag.name)
    const attributes = Object.fromEntries(Object.entries(tag.attributes).map(([key, value]) => [localName(key), value]))
    if (path.length >= maxDepth) throw new Unreadable("too_complex")
    if (skipped > 0 || handler.skips?.(name, attributes)) skipped++
    else handler.open?.(name, attributes, path)
    path.push(name)
  })
  const readText = (text: string) => {
    if (skipped === 0) handler.text?.(text, path)
  }
  parser.on("text", readText)
  parser.on("cdata", readText)
  parser.on("closetag", (tag: SaxesTagPlain) => {
    path.pop()
    if (skipped > 0) skipped--
    else handler.close?.(localName(tag.name), path)
  })
  parser.write(xml).close()
}
