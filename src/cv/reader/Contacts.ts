/**
 * Finds the candidate's email address, phone number and name. A wrong name is worse than none: it needs a label, or
 * agreement with the address, a profile or the file's properties.
 */
import { findPhoneNumbersInText } from "libphonenumber-js/min"
import type { CvContent } from "../Cv.ts"

const headLength = 3_000
const tailLength = 1_000
/** A first name is enough here; further down the surname must match. */
const firstLines = 8
const maxLines = 40
const maxNameLength = 80

const addresses =
  /(?<![\w.+-])[A-Za-z0-9][\w.+-]{0,63}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,24}(?![\w-])/g

/** Labels of other people's contacts. */
const others =
  "references?|referees?|referenzen|références?|referencias?|referências?|người tham chiếu|emergency contacts?|notfallkontakt|next of kin|" +
  "supervisors?|line managers?|recruiters?|employers?|arbeitgeber|vorgesetzter?|contact person|ansprechpartner(?:in)?|employeurs?|empleador|empregador"
const othersHeading = new RegExp(
  `^[^\\p{L}\\p{N}]*(?:(?:professional|personal|my|meine|mes|mis) )?(?:${others})[^\\p{L}\\p{N}]*$`,
  "iu",
)
const othersLine = new RegExp(`(?<![\\p{L}\\p{N}])(?:${others})(?: ?\\([^)]{0,40}\\))? ?[:：–—-]`, "iu")
const companyLine =
  /(?<![\p{L}\p{N}])(?:gmbh|ltd|inc|llc|plc|s\.?a\.?r\.?l|sp\. z o\.o)(?![\p{L}\p{N}])|\b(?:19|20)\d\d ?[-–—] ?(?:(?:19|20)\d\d|present|now|today|heute)\b/iu
/** Shared mailboxes. */
const office =
  /^(?:info|office|hr|jobs?|careers?|sales|support|admin|reception|recruiting|recruitment|bewerbung|no-?reply)@/i

const ownOf = (text: string): string => {
  const lines = text.split("\n")
  const end = lines.findIndex((line) => othersHeading.test(line))
  return lines
    .slice(0, end < 0 ? lines.length : end)
    .filter((line) => !othersLine.test(line) && !companyLine.test(line))
    .join("\n")
}

const distinct = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(texts.map((text) => text.toLowerCase())),
]

/** The first address at the beginning, or the only one at the end. */
const emailOf = (head: string, tail: string): string | null => {
  const isGood = (address: string) =>
    address.length <= 254 && !address.includes("..") && !address.includes(".@") && !office.test(address)
  const top = head.match(addresses)?.filter(isGood) ?? []
  const bottom = distinct(tail.match(addresses)?.filter(isGood) ?? [])
  if (top[0] !== undefined) return top[0]
  return bottom.length === 1 ? (bottom[0] ?? null) : null
}

/** Finds only numbers with a country code. */
const phoneOf = (head: string, tail: string): string | null => {
  for (const text of [head, tail]) {
    const [found] = findPhoneNumbersInText(text)
    if (found !== undefined) return found.number.number
  }
  return null
}

const label =
  /^(?:full name|name|vor- und nachname|nom et prénom|nom complet|nom|nombre completo|nombre|nome completo|nome|naam|imię i nazwisko|ad soyad|họ và tên|họ tên|氏名|姓名|성명|이름|ім'я|الاسم|नाम)\s*[:：]\s*(.+)$/iu

const notNames =
  /\b(curriculum|vitae|resume|résumé|lebenslauf|cv|profile|profil|summary|about|contact|address|experience|education|skills|engineer\w*|developer|manager|director|designer|analyst|consultant|architect|specialist|assistant|officer|nurse|teacher|accountant|administrator|scientist|technician|lead|head|senior|junior|intern|student|professional|university|college|street|road|avenue|company|gmbh|ltd|inc|llc|confidential|page|untitled|document|microsoft|word|template)\b/iu

const particle =
  "(?:de|da|do|dos|das|del|della|di|du|den|der|van|von|vom|zu|zur|ten|ter|la|le|bin|bint|ibn|al|el|af|av|y|e)"
const capital = "(?:\\p{Lu}[\\p{L}\\p{M}’'.-]*)"
const shape = new RegExp(`^${capital}(?: (?:${capital}|${particle}))* ${capital}$|^${capital}$`, "u")

const isShapedAsName = (text: string, leastWords = 2): boolean => {
  const words = text.split(" ").length
  return text.length <= maxNameLength && words >= leastWords && words <= 6 && shape.test(text) && !notNames.test(text)
}

/** GRACE HOPPER becomes Grace Hopper; mixed case stays. */
const inMixedCase = (name: string): string =>
  /\p{Ll}/u.test(name)
    ? name
    : name
        .toLowerCase()
        .replaceAll(/(?<![\p{L}\p{M}’'])\p{Ll}|(?<=['’])\p{Ll}(?=\p{L}{2})/gu, (letter) => letter.toUpperCase())

const folded = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll("ß", "ss").toLowerCase()

/** True when a handle such as g.hopper is made of the name's parts. */
const agrees = (name: string, handle: string, isFirst: boolean): boolean => {
  const parts = folded(name)
    .split(/[^a-z]+/)
    .filter((part) => part !== "")
  const plain = folded(handle).replaceAll(/[^a-z]/g, "")
  const last = parts.at(-1) ?? ""
  const first = parts[0] ?? ""
  const holds = (part: string) => part.length >= 3 && plain.includes(part)
  return parts.length > 1 && (holds(last) || (isFirst && holds(first) && plain.startsWith(first)))
}

const nameOf = (head: string, email: string | null, hints: ReadonlyArray<string>): string | null => {
  const lines = head
    .split(/[\n\t|•]/)
    .map((line) => line.trim().replace(/,.{0,20}$/u, ""))
    .filter((line) => line !== "")
  for (const line of lines.slice(0, 60)) {
    const given = label.exec(line)?.[1]?.trim().slice(0, maxNameLength)
    // scripts without capitals need the label
    if (given !== undefined && (isShapedAsName(given, 1) || /^[\p{Lo}\p{M} ·]{2,40}$/u.test(given)))
      return inMixedCase(given)
  }
  const handles = [
    ...(email === null ? [] : [email.slice(0, email.indexOf("@"))]),
    ...[...head.matchAll(/(?:linkedin\.com\/in|github\.com|gitlab\.com|xing\.com\/profile)\/([\w-]{3,60})/gi)].map(
      ([, handle = ""]) => handle,
    ),
  ]
  const isKnown = (line: string, isFirst: boolean) =>
    handles.some((handle) => agrees(line, handle, isFirst)) || hints.some((hint) => folded(hint).includes(folded(line)))
  const found = lines.slice(0, maxLines).find((line, i) => isShapedAsName(line) && isKnown(line, i < firstLines))
  return found === undefined ? null : inMixedCase(found)
}

export const contactsOf = (text: string, hints: ReadonlyArray<string>): CvContent["contacts"] => {
  const head = text.slice(0, headLength)
  const own = ownOf(text)
  const top = own.slice(0, headLength)
  const bottom = own.slice(headLength).slice(-tailLength)
  const email = emailOf(top, bottom)
  return { email, phone: phoneOf(top, bottom), name: nameOf(head, email, hints) }
}
