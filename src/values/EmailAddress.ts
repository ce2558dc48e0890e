/** E-mail addresses as the service accepts them. */
import { Hash } from "effect"

// The HTML standard's "valid e-mail address" production, which browsers use; SMTP adds the lengths (RFC 5321, 4.5.3.1).
const pattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/

/** No address is longer (RFC 5321, 4.5.3.1: 64 and 255 octets, and the at sign). */
const longest = 320

/** Where the domain begins, behind the last at sign. */
const domainOf = (address: string): number => address.lastIndexOf("@") + 1

/** Letters, marks and digits of any script, with hyphens and the dots of IDNA: what else a URL's host may hold is none here. */
const international = /^(?=.*[^\p{ASCII}])[\p{L}\p{M}\p{N}.\-\u3002\uff0e\uff61]+$/u

/**
 * The address with its domain in the letters that SMTP takes: `ada@bücher.example` is `ada@xn--bcher-kva.example`
 * (RFC 5890, A-labels, as the URL standard maps them). A domain that has no such form stays as it is.
 */
export const asciiAddress = (address: string): string => {
  const start = domainOf(address)
  const domain = address.slice(start)
  if (start === 0 || domain.length > 254 || !international.test(domain)) return address
  const host = URL.parse(`http://${domain}`)?.hostname ?? ""
  // digits of another script would make an address of a network
  return host === "" || /^[\d.]+$/.test(host) ? address : address.slice(0, start) + host
}

/**
 * What two spellings of one address have in common. Addresses are folded here and nowhere else: Postgres's lower()
 * agrees with JavaScript on ASCII only, and two folds would make one person two. Text that is too long for an address
 * is cut and marked with its hash: it is a key of an index, and such an index refuses a row of 2,700 bytes.
 */
export const foldAddress = (address: string): string => {
  const folded = asciiAddress(address.normalize("NFKC").toLowerCase())
  return folded.length <= longest ? folded : `${folded.slice(0, longest).toWellFormed()} ${Hash.string(folded)}`
}

/**
 * True for an address that a mail can be sent to: `local@domain.tld`, at most 254 characters, local part at most 64. The
 * domain may be of any script; the local part is ASCII, since few servers take another (SMTPUTF8, RFC 6531).
 */
export const isEmailAddress = (text: string): boolean => {
  const address = asciiAddress(text)
  return (
    address.length <= 254 && address.indexOf("@") <= 64 && pattern.test(address) && !/(^\.)|(\.@)|(\.\.)/.test(address)
  )
}

/** True of an address that only few servers could take: what stands before the @ is not ASCII alone. */
export const hasForeignLocalPart = (text: string): boolean =>
  /[^\p{ASCII}]/u.test(text.slice(0, Math.max(0, domainOf(text) - 1)))

/** The link that writes to an address. */
export const mailtoOf = (address: string): string => {
  const start = domainOf(address)
  return `mailto:${encodeURIComponent(address.slice(0, start - 1))}@${asciiAddress(address).slice(start)}`
}

/** Who a mail is from. */
export interface Mailbox {
  readonly name: string | null
  readonly address: string
}

/** Reads `jobs@acme.example`, `Acme <jobs@acme.example>` or `"Acme, Inc." <jobs@acme.example>`; undefined: neither. */
export const parseMailbox = (text: string): Mailbox | undefined => {
  const trimmed = text.trim()
  const [, shown = "", address = trimmed] = /^(.*)<([^<>]*)>$/s.exec(trimmed) ?? []
  const name = shown
    .trim()
    .replace(/^"(.*)"$/s, "$1")
    .replaceAll(/\\(["\\])/g, "$1")
  return isEmailAddress(address) && !/[\p{Cc}<>]/u.test(name) ? { name: name || null, address } : undefined
}
