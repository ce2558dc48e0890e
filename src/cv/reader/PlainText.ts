/** Decodes and cleans text. */
import { isUtf8 } from "node:buffer"
import { decodeText } from "../../values/TextFile.ts"
import { Unreadable } from "./Reading.ts"

const isText = (text: string) => !/[^\P{Cc}\t\n\v\f\r\u0085]/u.test(text)

/** XML without a byte order mark or declared encoding is UTF-8 (XML 1.0, 4.3.3). Some programs write others undeclared. */
export const decodeXml = (bytes: Uint8Array): string => {
  const head = Buffer.from(bytes.subarray(0, 200)).toString("latin1")
  return decodeText(bytes, /^<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)/.exec(head)?.[1]).text
}

/** HTML Standard, 13.2.3.2: the encoding that a page declares is in its first 1,024 bytes. */
const declaredBytes = 1024

/**
 * A declaration of UTF-16 that is read as ASCII is wrong (HTML Standard, 13.2.3.2). Valid UTF-8 is read as UTF-8, whatever
 * the page declares.
 */
export const decodeHtml = (bytes: Uint8Array): string => {
  const head = Buffer.from(bytes.subarray(0, declaredBytes)).toString("latin1")
  const declared =
    /<meta[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1] ??
    /^<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)/.exec(head)?.[1]
  const isWide = declared === undefined || /^utf-?(?:16|32)/i.test(declared)
  return decodeText(bytes, isWide || isUtf8(bytes) ? undefined : declared).text
}

export const readText = (bytes: Uint8Array): string => {
  const { text } = decodeText(bytes)
  if (!isText(text)) throw new Unreadable("unsupported")
  return text
}

/** Invisible characters, except joiners where the script needs them. */
const invisibleCharacters =
  /\u034f|[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]|(?<![\p{L}\p{M}\p{Extended_Pictographic}])(?<!\ufe0f)[\u200c\u200d]|(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\u200c\u200d]/gu

/** Ordinary programs write these. */
const harmless = /[\u00ad\ufeff\u200e\u200f\u202a-\u202e\u2060]/g

export interface Clean {
  readonly text: string
  readonly invisible: number
}

export const clean = (text: string): Clean => {
  const tricks = text.replaceAll(harmless, "").match(invisibleCharacters)?.length ?? 0
  const plain = text
    .toWellFormed()
    .replaceAll(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n")
    .replaceAll(invisibleCharacters, "")
    .replaceAll(/[^\P{Cc}\t\n]/gu, "")
    .replaceAll(/[\ufb00-\ufb06]/g, (ligature) => ligature.normalize("NFKC"))
    .normalize("NFC")
    .replaceAll(/[^\S\n\t]/gu, " ")
    .replaceAll(/ {2,}/g, " ")
    .replaceAll(/ *\t */g, "\t")
    .replaceAll(/(?<![ \t])[ \t]+\n/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim()
  return { text: plain, invisible: tricks }
}

const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0

const count = (number: number, one: string, many: string) =>
  `${number.toLocaleString("en")} ${number === 1 ? one : many}`

export const finish = (text: string, hidden: string, maxLength: number) => {
  const maxCleaned = 4 * maxLength
  const { invisible, text: plain } = clean(text.slice(0, maxCleaned))
  const hiddenWords = words(clean(hidden.slice(0, maxCleaned)).text)
  const isLong = plain.length > maxLength || text.length > maxCleaned
  const notes = [
    ...(hiddenWords > 0 ? [`Hidden text was left out: ${count(hiddenWords, "word", "words")}.`] : []),
    ...(invisible > 0 ? [`Invisible characters were left out: ${invisible.toLocaleString("en")}.`] : []),
    ...(isLong ? [`The text is long: only its first ${maxLength.toLocaleString("en")} characters were kept.`] : []),
  ]
  // no half of a surrogate pair
  return { text: isLong ? plain.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "") : plain, notes }
}
