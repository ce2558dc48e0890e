/** Email addresses: validity, comparison, and display names. */
import { Hash } from "effect"

// the HTML standard's "valid e-mail address"
const pattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/

/** 64 and 255 octets, and the at sign (RFC 5321, 4.5.3.1). */
const maxLength = 320

/** Bounded, so that a long text without spaces takes no quadratic time. */
const inText = /[^\s<>"'(),:;]{1,64}@[^\s<>"'(),:;]{1,255}/g

/** A text that others may see, such as the error of a mail server, without the addresses in it. */
export const withoutAddresses = (text: string): string => text.replaceAll(inText, "…")

const domainOf = (address: string): number => address.lastIndexOf("@") + 1

/** The last three are the dots of IDNA. */
const international = /^(?=.*[^\p{ASCII}])[\p{L}\p{M}\p{N}.\-\u3002\uff0e\uff61]+$/u

/** Converts the domain to A-labels (RFC 5890); returns the address unchanged when that fails. */
export const asciiAddress = (address: string): string => {
  const start = domainOf(address)
  const domain = address.slice(start)
  if (start === 0 || domain.length > 254 || !international.test(domain)) return address
  const host = URL.parse(`http://${domain}`)?.hostname ?? ""
  // digits of other scripts would become an IP address
  return host === "" || /^[\d.]+$/.test(host) ? address : address.slice(0, start) + host
}

/**
 * The key under which spellings of one address are equal. Not in SQL: Postgres's lower() differs beyond ASCII. Longer
 * text is cut and gets a hash, because indexes refuse rows of 2,700 bytes.
 */
export const foldAddress = (address: string): string => {
  const folded = asciiAddress(address.normalize("NFKC").toLowerCase())
  return folded.length <= maxLength ? folded : `${folded.slice(0, maxLength).toWellFormed()} ${Hash.string(folded)}`
}

/**
 * At most 254 characters, local part at most 64. The domain may be of any script, the local part is ASCII: few servers
 * support others (SMTPUTF8, RFC 6531).
 */
export const isEmailAddress = (text: string): boolean => {
  const address = asciiAddress(text)
  return (
    address.length <= 254 && address.indexOf("@") <= 64 && pattern.test(address) && !/(^\.)|(\.@)|(\.\.)/.test(address)
  )
}

export const hasForeignLocalPart = (text: string): boolean =>
  /[^\p{ASCII}]/u.test(text.slice(0, Math.max(0, domainOf(text) - 1)))

/** Full-width forms of ASCII, and the small @. */
const narrow = (text: string): string =>
  text
    .replaceAll(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replaceAll("\ufe6b", "@")

const withoutScheme = (text: string): string => {
  const [, address] = /^(?:mailto|e-?mail)\s*:\s*([^?]*)/i.exec(text) ?? []
  if (address === undefined) return text
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

const opening = /^[\s"'<([{\u00ab\u2018-\u201e\u2039]+/u
const closing = /[\s"'>)\]}.,;:!?\u00bb\u2018-\u201f\u203a\u3001\u3002]+$/u

/** Other than joiners. */
const invisible = /(?![\u200c\u200d])(?:[\p{Cf}\p{Cc}\u115f\u1160\u3164]|[\ufe00-\ufe0f]|\u034f)/gu
/** Group 1: joiners between letters of the domain, which would be another domain without them (RFC 5892, A.1). */
const joiners = /((?<=@[^@]*[\p{L}\p{M}])[\u200c\u200d]+(?=[\p{L}\p{M}]))|[\u200c\u200d]/gu

/**
 * The address without what is copied along: invisible characters, white space, quotes, angle brackets, `mailto:`, the
 * link of a note, punctuation after it, full-width letters. Returns the trimmed text if that is no address either.
 */
export const cleanAddress = (text: string): string => {
  const trimmed = text.trim()
  if (trimmed.length > 4 * maxLength || (isEmailAddress(trimmed) && !trimmed.startsWith("'"))) return trimmed
  const visible = narrow(trimmed).replaceAll(invisible, "").replaceAll(joiners, "$1").trim()
  const [, linked = visible] = /^\[[^\]]*\]\((.*)\)$/.exec(visible) ?? []
  const [, bracketed = linked] = /<([^<>]*)>[\s,;.]*$/.exec(linked) ?? []
  const address = withoutScheme(bracketed.replace(opening, "")).replace(opening, "").replace(closing, "")
  return isEmailAddress(address) ? address : trimmed
}

const shown = (character: string): string => {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`
  if (/[\p{Cf}\p{Cc}\p{M}]/u.test(character)) return `an invisible character (${code})`
  return /\p{ASCII}/u.test(character) ? `“${character}”` : `“${character}” (${code})`
}

/** Why `text` is no email address, as the end of a sentence about it; undefined: it is one. */
export const addressFault = (text: string): string | undefined => {
  const address = text.trim()
  if (isEmailAddress(address)) return undefined
  if (address.length > 4 * maxLength) return "is too long"
  if (!address.includes("@")) return "has no @"
  if (/@.*[,;/|&\s].*@/s.test(address)) return "holds more than one address"
  if (/\s/u.test(address)) return "has a space"
  if (address.indexOf("@") !== address.lastIndexOf("@")) return "has more than one @"
  const [local = "", domain = ""] = address.split("@")
  if (local === "") return "has nothing before the @"
  if (domain === "") return "has nothing after the @"
  const strange = /[^a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]/u.exec(local)?.[0]
  if (strange !== undefined) return `has ${shown(strange)} before the @`
  if (/^\.|\.$|\.\./.test(local)) return "has a dot too many before the @"
  if (!/[.\u3002\uff0e\uff61]/.test(domain)) return "has no dot after the @"
  const foreign = /[^\p{L}\p{M}\p{N}.\-\u3002\uff0e\uff61]/u.exec(domain)?.[0]
  if (foreign !== undefined) return `has ${shown(foreign)} after the @`
  if (/^\.|\.$|\.\./.test(domain)) return "has a dot too many after the @"
  if (address.length > 254 || local.length > 64) return "is too long"
  return "has a domain that is not valid"
}

/** For errors of fields. */
export const addressMessage = (text: string): string => {
  const fault = text.trim() === "" ? undefined : addressFault(text)
  return `must be a valid email address${fault === undefined ? "" : `: it ${fault}`}`
}

export const mailtoOf = (address: string): string => {
  const start = domainOf(address)
  return `mailto:${encodeURIComponent(address.slice(0, start - 1))}@${asciiAddress(address).slice(start)}`
}

export interface Mailbox {
  readonly name: string | null
  readonly address: string
}

/** Parses `jobs@acme.example`, `Acme <jobs@acme.example>` or `"Acme, Inc." <jobs@acme.example>`; cleans the address. */
export const parseMailbox = (text: string): Mailbox | undefined => {
  const trimmed = text.trim()
  const [, display = "", given = trimmed] = /^(.*)<([^<>]*)>[\s,;]*$/s.exec(trimmed) ?? []
  const address = cleanAddress(given)
  const name = display
    .trim()
    .replace(/^"(.*)"$/s, "$1")
    .replaceAll(/\\(["\\])/g, "$1")
  return isEmailAddress(address) && !/[\p{Cc}<>]/u.test(name) ? { name: name || null, address } : undefined
}
