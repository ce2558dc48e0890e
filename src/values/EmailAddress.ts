/** Email addresses: validity, comparison, and display names. */
import { Hash } from "effect"

// the HTML standard's "valid e-mail address"
const pattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/

/** 64 and 255 octets, and the at sign (RFC 5321, 4.5.3.1). */
const maxLength = 320

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

export const mailtoOf = (address: string): string => {
  const start = domainOf(address)
  return `mailto:${encodeURIComponent(address.slice(0, start - 1))}@${asciiAddress(address).slice(start)}`
}

export interface Mailbox {
  readonly name: string | null
  readonly address: string
}

/** Parses `jobs@acme.example`, `Acme <jobs@acme.example>` or `"Acme, Inc." <jobs@acme.example>`. */
export const parseMailbox = (text: string): Mailbox | undefined => {
  const trimmed = text.trim()
  const [, shown = "", address = trimmed] = /^(.*)<([^<>]*)>$/s.exec(trimmed) ?? []
  const name = shown
    .trim()
    .replace(/^"(.*)"$/s, "$1")
    .replaceAll(/\\(["\\])/g, "$1")
  return isEmailAddress(address) && !/[\p{Cc}<>]/u.test(name) ? { name: name || null, address } : undefined
}
