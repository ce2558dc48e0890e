/**
 * A candidate's name and contacts, taken out of the texts that an evaluator is shown (contract.md, "Evaluation"). Pure.
 *
 * Each is replaced by a mark that says what stood there, so that sentences stay readable and quotes of the shown text
 * stay verbatim. What is known of the candidate is found in any spelling; beside that, everything that looks like an
 * e-mail address, a phone number, or a link. It errs towards removing, except where a word of the name is a word of the
 * requirements or questions too: "Ruby" must stay when Ruby programs.
 *
 * Not found: postal addresses, nicknames, names of others, and what a text tells of a person without naming them.
 */

/** What is known of a candidate, as it was given. */
export interface Person {
  readonly name: string | null
  readonly firstname: string | null
  readonly lastname: string | null
  readonly phone: string | null
}

/** What stands in place of what was taken out; none of it says anything about a candidate. */
export const marks = { name: "[name]", email: "[email]", phone: "[phone]", link: "[link]" } as const

const markPattern = /\[(?:name|email|phone|link)\]/g

/** The text without marks, for whoever counts words. */
export const withoutMarks = (text: string): string => text.replace(markPattern, "")

// Every repetition is bounded, so that no text takes more than linear time.

/** As domain/EmailAddress.ts takes them and beyond ASCII, also written as `ada (at) example (dot) com`. */
const email =
  /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}(?:@| ?[[(]at[\])] ?)[\p{L}\p{N}-]{1,63}(?:(?:\.| ?[[(]dot[\])] ?)[\p{L}\p{N}-]{1,63}){1,8}/giu

const link = /(?:\bhttps?:\/\/|\bwww\.)[^\s<>"'()[\]{}]{1,2000}/giu

/** Pages of persons, without a scheme as CVs write them. */
const profile =
  /(?<![\p{L}\p{N}.@-])(?:[a-z]{2,3}\.)?(?:(?:linkedin|github|gitlab|xing|twitter|x|facebook|instagram|medium|dribbble|stackoverflow|kaggle)\.com|bitbucket\.org|t\.me|wa\.me|about\.me|behance\.net|researchgate\.net|orcid\.org|linktr\.ee)\/[^\s<>"'()[\]{}]{1,300}|(?<![\p{L}\p{N}.@-])[\p{L}\p{N}-]{1,63}\.github\.io(?:\/[^\s<>"'()[\]{}]{0,300})?/giu

const handle = /(?<=\b(?:skype|telegram|twitter|instagram|discord|wechat|zalo|github|linkedin) ?: ?)@[\w.-]{2,64}/giu

/** With the country's code: +44 20 7946 0958, 0049 (0) 30 901820. */
const international = /(?<![\p{L}\p{N}+])(?:\+|00) ?\(?[1-9](?:[ \u00a0()./-]{0,3}\d){6,14}(?!\p{N})/gu
/** With the zero that begins numbers within many countries: 030 901820-14, (0171) 2345678. */
const national = /(?<![\p{L}\p{N}.,+/-])\(?0[1-9](?:[ \u00a0)./-]{0,3}\d){7,11}(?!\p{N})/gu
/** North America's: (555) 123-4567. */
const american = /(?<![\p{L}\p{N}.])(?:1[ .-])?\(?[2-9]\d{2}\)?[ .-]{1,2}\d{3}[ .-]\d{4}(?!\p{N})/gu
/** Any number that is called one. */
const labelled =
  /(?<=(?:\b(?:tel|phone|mobile|cell|fax|whatsapp|handy|telefon|telefone|mobil|celular|phone number|sdt)|téléphone|portable|teléfono|móvil|điện thoại|sđt)\.? ?: {0,3})[+(]{0,2}\d[\d \u00a0()./-]{4,20}\d/giu
const digitRun = /(?<!\p{N})[+(]{0,2}\d[\d \u00a0()./-]{5,22}\d(?!\p{N})/gu

const digitsOf = (text: string): string => text.replaceAll(/\D/g, "")

const date = /\b(?:0?[1-9]|1[0-2])[./-](?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d\b/
/** "+5 000 000 users": whole groups of three, and too short for a number with a country's code. */
const amount = /^\+\d{1,3}(?:[ \u00a0.]\d{3}){1,2}$/

const unlessOther = (found: string): string => (date.test(found) || amount.test(found) ? found : marks.phone)

/** Fewer digits than this are no phone number that could be told from others. */
const knownDigits = 7

const withoutContacts = (text: string, phone: string): string => {
  const ending = phone.slice(-knownDigits)
  return text
    .replace(email, marks.email)
    .replace(link, (found) => marks.link + (/[.,;:!?]+$/.exec(found)?.[0] ?? ""))
    .replace(profile, marks.link)
    .replace(handle, marks.link)
    .replace(labelled, marks.phone)
    .replace(digitRun, (found) =>
      ending.length === knownDigits && digitsOf(found).endsWith(ending) ? marks.phone : found,
    )
    .replace(international, unlessOther)
    .replace(national, unlessOther)
    .replace(american, marks.phone)
}

const plain: Readonly<Record<string, string>> = { đ: "d", ł: "l", ø: "o", ß: "ss", æ: "ae", œ: "oe", ı: "i" }

/** Case and accents gone, because people write their names without. */
const fold = (word: string): string =>
  word
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[đłøßæœı]/g, (letter) => plain[letter] ?? letter)

const wordPattern = /\p{L}[\p{L}\p{M}]*/gu
const wordsOf = (text: string): ReadonlyArray<string> => (text.match(wordPattern) ?? []).map(fold)

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "))

/** Alone they name nobody. */
const particles = wordSet(
  "van von der den de del della dello di da do dos das du des le la les el al bin ibn ben abu st saint ter ten zu zum zur " +
    "mac mc jr sr ii iii dr prof mr mrs ms miss sir madam herr frau",
)

/** Names that are everyday words as well: in lower case they are taken for the word. */
const everyday = wordSet(
  "will mark bill rich grace hope faith joy rose may june april august art frank grant chase drew hunter mason carter baker " +
    "cook king page young long white black brown green gray grey stone wood woods fields banks price rice bell best good day " +
    "lane street park parks hill hall house church case cross field ford fox wolf bird lake rivers brook brooks summer autumn " +
    "winter sky star smith taylor turner porter potter miller fisher walker parker butler law power powers major prince bishop " +
    "knight noble little short small strong sharp wise swift gold silver love pace read ray guy pat jack rob sue dean dale glen " +
    "heath jasmine lily ivy daisy ruby pearl amber crystal dawn eve holly iris melody olive sage violet victor earnest ernest " +
    "wade cliff reed clay chip dick gene harry jean miles nick norm peter phil rusty skip sunny wells west north east march " +
    "pierce press rush sterling trip ward web webb weeks worth more means many much new old can now out one even per " +
    "am an as at be by do go he if in is it me my no of on or so to up us we",
)

const isCapital = (word: string): boolean => /^\p{Lu}/u.test(word)

/** Scripts that put words together without blanks, or endings to names: there names are found anywhere. */
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\s]{2,}$/u

interface Word {
  readonly start: number
  readonly end: number
  readonly folded: string
  readonly isStrong: boolean
  readonly isInitial: boolean
}

/** Between the words of one name: "Lovelace, Ada", "Anna-Maria", "O’Brien", "ada_lovelace", and "A. Lovelace". */
const isGap = (gap: string, word: Word | undefined): boolean =>
  /^(?:\.|[\s,'’_-]{1,3})$/u.test(gap) || (word?.isInitial === true && /^\.\s{0,2}$/u.test(gap))

const withoutName = (text: string, parts: ReadonlySet<string>, kept: ReadonlySet<string>): string => {
  const initials = new Set([...parts].map((part) => part.slice(0, 1)))
  /** Enough alone: neither an initial nor a particle, nor a word that says something else here. */
  const isStrong = (word: string, folded: string): boolean => {
    if (folded.length < 2 || particles.has(folded) || kept.has(folded)) return false
    if (folded.length === 2) return /^\p{Lu}\p{Ll}/u.test(word) && !everyday.has(folded)
    return isCapital(word) || !everyday.has(folded)
  }
  const found: Array<Word> = []
  for (const { 0: word, index } of text.matchAll(wordPattern)) {
    const folded = fold(word)
    const end = index + word.length
    const isPart = parts.has(folded)
    const isInitial = folded.length === 1 && isCapital(word) && text[end] === "." && initials.has(folded)
    if (!isPart && !isInitial) continue
    found.push({ start: index, end, folded, isStrong: isPart && isStrong(word, folded), isInitial })
  }
  let shown = ""
  let from = 0
  for (let at = 0; at < found.length; ) {
    let to = at + 1
    while (to < found.length && isGap(text.slice(found[to - 1]?.end, found[to]?.start), found[to - 1])) to += 1
    const run = found.slice(at, to)
    const named = new Set(
      run.map(({ folded }) => folded).filter((word) => parts.has(word) && !particles.has(word) && word.length > 1),
    )
    const [start, end] = [run[0]?.start ?? 0, run.at(-1)?.end ?? 0]
    if (named.size > 1 || run.some((word) => word.isStrong)) {
      shown += text.slice(from, start) + marks.name
      from = end
    }
    at = to
  }
  return shown + text.slice(from)
}

/**
 * A function that takes this person's name and all contacts out of a text. `said` are the texts of requirements and
 * questions: a word that they use stays where it stands alone.
 */
export const redactor = (person: Person, said: ReadonlyArray<string | null>): ((text: string) => string) => {
  const phone = digitsOf(person.phone ?? "")
  // some systems give the address for a name
  const names = [person.name, person.firstname, person.lastname].map((name) =>
    withoutMarks(withoutContacts(name ?? "", phone)).trim(),
  )
  const parts = new Set(names.flatMap(wordsOf))
  const kept = new Set(said.flatMap((text) => wordsOf(text ?? "")))
  const [name = "", first = "", last = ""] = names
  const wholes = [name, name.replaceAll(/\s/g, ""), last + first, first + last, first]
    .filter((whole) => unspaced.test(whole))
    .toSorted((one, other) => other.length - one.length)
  return (text) => {
    const withoutWholes = wholes.reduce((shown, whole) => shown.replaceAll(whole, marks.name), text)
    return withoutContacts(withoutWholes, phone)
      .split(/(\[(?:name|email|phone|link)\])/)
      .map((piece, index) => (index % 2 === 1 ? piece : withoutName(piece, parts, kept)))
      .join("")
  }
}
