/** E-mail addresses as the service accepts them. */
import { Hash } from "effect"

// The HTML standard's "valid e-mail address" production, which browsers use; SMTP adds the lengths (RFC 5321, 4.5.3.1).
const pattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/

/** No address is longer (RFC 5321, 4.5.3.1: 64 and 255 octets, and the at sign). */
const longest = 320

/**
 * What two spellings of one address have in common. Addresses are folded here and nowhere else: Postgres's lower()
 * agrees with JavaScript on ASCII only, and two folds would make one person two. Text that is too long for an address
 * is cut and marked with its hash: it is a key of an index, and such an index refuses a row of 2,700 bytes.
 */
export const foldAddress = (address: string): string => {
  const folded = address.normalize("NFKC").toLowerCase()
  return folded.length <= longest ? folded : `${folded.slice(0, longest).toWellFormed()} ${Hash.string(folded)}`
}

/** True for an address that a mail can be sent to: `local@domain.tld`, at most 254 characters, local part at most 64. */
export const isEmailAddress = (text: string): boolean =>
  text.length <= 254 && text.indexOf("@") <= 64 && pattern.test(text) && !/(^\.)|(\.@)|(\.\.)/.test(text)

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
