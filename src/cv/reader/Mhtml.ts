/** Finds the page in a web page that was saved as one file (RFC 2557, RFC 2045). */
import { decodeHtml } from "./PlainText.ts"
import { Unreadable } from "./Reading.ts"

const maxLevels = 8

const headerOf = (head: string, name: string): string =>
  new RegExp(`^${name}:\\s*([^\\n]*(?:\\n[ \\t][^\\n]*)*)`, "im")
    .exec(head)?.[1]
    ?.split("\n")
    .map((line) => line.trim())
    .join(" ") ?? ""

const decodedBody = (body: string, coding: string): Buffer => {
  if (/base64/i.test(coding)) return Buffer.from(body, "base64")
  if (!/quoted-printable/i.test(coding)) return Buffer.from(body, "latin1")
  const plain = body
    .replaceAll(/[ \t]*=[ \t]*\n/g, "")
    .replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(plain, "latin1")
}

/** The first HTML part. A charset of its header is declared to the page, whose own declaration is the same. */
const findPage = (message: string, level = 0): string | undefined => {
  const end = message.indexOf("\n\n")
  const head = end < 0 ? message : message.slice(0, end)
  const body = end < 0 ? "" : message.slice(end + 2)
  const type = headerOf(head, "content-type")
  if (/^text\/html|^application\/xhtml/i.test(type)) {
    const bytes = decodedBody(body, headerOf(head, "content-transfer-encoding"))
    const charset = /charset="?([\w.:-]+)/i.exec(type)?.[1]
    const declared = charset === undefined ? "" : `<meta charset="${charset}">`
    return decodeHtml(Buffer.concat([Buffer.from(declared), bytes]))
  }
  const boundary = /boundary="?([^";]+)/i.exec(type)?.[1]?.trim()
  if (boundary === undefined || level > maxLevels) return undefined
  for (const part of `\n${body}`.split(`\n--${boundary}`).slice(1)) {
    const found = part.startsWith("--") ? undefined : findPage(part.slice(part.indexOf("\n") + 1), level + 1)
    if (found !== undefined) return found
  }
  return undefined
}

export const pageOf = (file: Uint8Array): string => {
  const text = Buffer.from(file)
    .toString("latin1")
    .replaceAll("\r\n", "\n")
    .replace(/^(?:\xef\xbb\xbf)?\s+/, "")
  const page = findPage(text)
  if (page === undefined) throw new Unreadable("damaged")
  return page
}
