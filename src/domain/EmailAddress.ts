/** E-mail addresses as the service accepts them. */
// The HTML standard's "valid e-mail address" production, which browsers use; SMTP adds the lengths (RFC 5321, 4.5.3.1).
const pattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/

/**
 * What two spellings of one address have in common. Addresses are folded here and nowhere else: Postgres's lower()
 * agrees with JavaScript on ASCII only, and two folds would make one person two.
 */
export const foldAddress = (address: string): string => address.normalize("NFKC").toLowerCase()

/** True for an address that a mail can be sent to: `local@domain.tld`, at most 254 characters, local part at most 64. */
export const isEmailAddress = (text: string): boolean =>
  text.length <= 254 && text.indexOf("@") <= 64 && pattern.test(text) && !/(^\.)|(\.@)|(\.\.)/.test(text)
