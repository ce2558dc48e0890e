/**
 * Redacts the candidate's name and contacts (docs/evaluation.md).
 *
 * Replaces each character by one, so that positions agree. A name that is also a word of a requirement or question,
 * such as "Ruby", stays when it stands alone, unless it introduces the candidate ("my name is Ruby").
 */
import type { EvaluationInput, EvaluationResult, EvaluationSource } from "./Evaluation.ts"
import { stem } from "./keyword/WordLists.ts"

export interface Person {
  readonly name: string | null
  readonly firstname: string | null
  readonly lastname: string | null
  readonly phone: string | null
}

const blot = "█"

const cover = (found: string): string => found.replaceAll(/\S/g, blot)

const withoutCovers = (text: string): string => text.replaceAll(blot, "")

// Repetitions are bounded, so that time is linear.

/** Also written as `ada (at) example (dot) com`. */
const email =
  /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}(?:@| ?[[(]at[\])] ?)[\p{L}\p{N}-]{1,63}(?:(?:\.| ?[[(]dot[\])] ?)[\p{L}\p{N}-]{1,63}){1,8}/giu

const link = /(?:\bhttps?:\/\/|\bwww\.)[^\s<>"'()[\]{}]{1,2000}/giu

const profile =
  /(?<![\p{L}\p{N}.@-])(?:[a-z]{2,3}\.)?(?:(?:linkedin|github|gitlab|xing|twitter|x|facebook|instagram|medium|dribbble|stackoverflow|kaggle)\.com|bitbucket\.org|t\.me|wa\.me|about\.me|behance\.net|researchgate\.net|orcid\.org|linktr\.ee)\/[^\s<>"'()[\]{}]{1,300}|(?<![\p{L}\p{N}.@-])[\p{L}\p{N}-]{1,63}\.github\.io(?:\/[^\s<>"'()[\]{}]{0,300})?/giu

const handle = /(?<=\b(?:skype|telegram|twitter|instagram|discord|wechat|zalo|github|linkedin) ?: ?)@[\w.-]{2,64}/giu

/** +44 20 7946 0958, 0049 (0) 30 901820. */
const international = /(?<![\p{L}\p{N}+])(?:\+|00) ?\(?[1-9](?:[ \u00a0()./-]{0,3}\d){6,14}(?!\p{N})/gu
/** 030 901820-14, (0171) 2345678. */
const national = /(?<![\p{L}\p{N}.,+/-])\(?0[1-9](?:[ \u00a0)./-]{0,3}\d){7,11}(?!\p{N})/gu
/** (555) 123-4567. */
const american = /(?<![\p{L}\p{N}.])(?:1[ .-])?\(?[2-9]\d{2}\)?[ .-]{1,2}\d{3}[ .-]\d{4}(?!\p{N})/gu
const labelled =
  /(?<=(?:\b(?:tel|phone|mobile|cell|fax|whatsapp|handy|telefon|telefone|mobil|celular|phone number|sdt)|téléphone|portable|teléfono|móvil|điện thoại|sđt)\.? ?: {0,3})[+(]{0,2}\d[\d \u00a0()./-]{4,20}\d/giu
const digitRun = /(?<!\p{N})[+(]{0,2}\d[\d \u00a0()./-]{5,22}\d(?!\p{N})/gu

const digitsOf = (text: string): string => text.replaceAll(/\D/g, "")

const date = /\b(?:0?[1-9]|1[0-2])[./-](?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d\b/
/** "+5 000 000 users" is no phone number. */
const amount = /^\+\d{1,3}(?:[ \u00a0.]\d{3}){1,2}$/

const unlessOther = (found: string): string => (date.test(found) || amount.test(found) ? found : cover(found))

const knownDigits = 7

const withoutContacts = (text: string, phone: string): string => {
  const ending = phone.slice(-knownDigits)
  return text
    .replace(email, cover)
    .replace(link, (found) => {
      const end = /[.,;:!?]+$/.exec(found)?.[0] ?? ""
      return cover(found.slice(0, found.length - end.length)) + end
    })
    .replace(profile, cover)
    .replace(handle, cover)
    .replace(labelled, cover)
    .replace(digitRun, (found) =>
      ending.length === knownDigits && digitsOf(found).endsWith(ending) ? cover(found) : found,
    )
    .replace(international, unlessOther)
    .replace(national, unlessOther)
    .replace(american, cover)
}

const plain: Readonly<Record<string, string>> = { đ: "d", ł: "l", ø: "o", ß: "ss", æ: "ae", œ: "oe", ı: "i" }

/** A word of a name in lower case, without accents. */
export const foldedName = (word: string): string =>
  word
    .normalize("NFKD")
    .replaceAll(/[\p{M}\p{Cf}]/gu, "")
    .toLowerCase()
    .replaceAll(/[đłøßæœı]/g, (letter) => plain[letter] ?? letter)

const umlauts: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ø: "oe", å: "aa" }

/** Müller as Mueller. */
const spelledOut = (word: string): string =>
  foldedName(
    word
      .normalize("NFC")
      .toLowerCase()
      .replaceAll(/[äöüøå]/g, (letter) => umlauts[letter] ?? letter),
  )

/** Invisible characters (\p{Cf}) may be within a word, or between two. */
const wordPattern = /\p{L}[\p{L}\p{M}\p{Cf}]*/gu
const wordsOf = (text: string): ReadonlyArray<string> => (text.match(wordPattern) ?? []).map(foldedName)

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "))

const particles = wordSet(
  "van von der den de del della dello di da do dos das du des le la les el al bin ibn ben abu st saint ter ten zu zum zur " +
    "mac mc jr sr ii iii dr prof mr mrs ms miss sir madam herr frau",
)

/** Names that are also everyday words: redacted only with a capital letter. */
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

const introduction =
  /(?:\b(?:my name is|my name's|mein name ist|ich heisse|je m['’]appelle|mon nom est|me llamo|mi nombre es|o meu nome e|meu nome e|me chamo|chamo-me)|ich heiße|meu nome é)\s{1,3}$/iu

/** Whether a folded word is a part of many names, such as "von", which alone names no one. */
export const isNameParticle = (folded: string): boolean => particles.has(folded)

/** Whether a folded word is a name and an everyday word, such as "will". */
export const isEverydayName = (folded: string): boolean => everyday.has(folded)

/** Whether a name follows the text: "my name is ". */
export const introduces = (before: string): boolean => introduction.test(before)

const isCapital = (word: string): boolean => /^\p{Lu}/u.test(word)

/** Names in scripts without blanks, which are found anywhere in a text. */
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\s]{2,}$/u

interface Word {
  readonly start: number
  readonly end: number
  readonly folded: string
  readonly isStrong: boolean
  readonly isInitial: boolean
}

/** "Lovelace, Ada", "O’Brien", "ada_lovelace", "A. Lovelace". */
const isGap = (gap: string, word: Word | undefined): boolean =>
  /^(?:\.|[\s,'’_-]{1,3})$/u.test(gap) || (word?.isInitial === true && /^\.\s{0,2}$/u.test(gap))

/** `kept` are stems. */
const withoutName = (text: string, parts: ReadonlySet<string>, kept: ReadonlySet<string>): string => {
  const initials = new Set([...parts].map((part) => part.slice(0, 1)))
  const isStrong = (word: string, folded: string): boolean => {
    if (folded.length < 2 || particles.has(folded) || kept.has(stem(folded))) return false
    if (folded.length === 2) return /^\p{Lu}\p{Ll}/u.test(word) && !everyday.has(folded)
    return isCapital(word) || !everyday.has(folded)
  }
  const found: Array<Word> = []
  const add = (word: string, start: number): void => {
    const plainest = foldedName(word)
    const folded = parts.has(plainest) ? plainest : spelledOut(word)
    const end = start + word.length
    const isPart = parts.has(folded)
    if (!isPart && /\p{Cf}/u.test(word)) {
      for (const { 0: piece, index } of word.matchAll(/[\p{L}\p{M}]+/gu)) add(piece, start + index)
      return
    }
    const isInitial = folded.length === 1 && isCapital(word) && text[end] === "." && initials.has(folded)
    if (!isPart && !isInitial) return
    const isIntroduced = () => !particles.has(folded) && introduces(text.slice(Math.max(0, start - 24), start))
    found.push({ start, end, folded, isStrong: isPart && (isStrong(word, folded) || isIntroduced()), isInitial })
  }
  for (const { 0: word, index } of text.matchAll(wordPattern)) add(word, index)
  let shown = ""
  let from = 0
  for (let at = 0; at < found.length; ) {
    let to = at + 1
    while (to < found.length && isGap(text.slice(found[to - 1]?.end, found[to]?.start), found[to - 1])) {
      // a job below the name: "Java Johnson", "Java Developer"
      const isNext = text.slice(found[to - 1]?.end, found[to]?.start).includes("\n")
      if (isNext && found.slice(at, to).some(({ folded }) => folded === found[to]?.folded)) break
      to += 1
    }
    const run = found.slice(at, to)
    const named = new Set(
      run.map(({ folded }) => folded).filter((word) => parts.has(word) && !particles.has(word) && word.length > 1),
    )
    const [start, end] = [run[0]?.start ?? 0, run.at(-1)?.end ?? 0]
    if (named.size > 1 || run.some((word) => word.isStrong)) {
      shown += text.slice(from, start) + cover(text.slice(start, end))
      from = end
    }
    at = to
  }
  return shown + text.slice(from)
}

/** Returns a function that redacts a text. Words of `texts`, in any inflection, stay when they stand alone. */
export const redactor = (person: Person, texts: ReadonlyArray<string | null>): ((text: string) => string) => {
  const phone = digitsOf(person.phone ?? "")
  // some hiring systems send the email address as the name
  const names = [person.name, person.firstname, person.lastname].map((given) =>
    withoutCovers(withoutContacts(given ?? "", phone)).trim(),
  )
  const parts = new Set(names.flatMap((each) => [...wordsOf(each), ...(each.match(wordPattern) ?? []).map(spelledOut)]))
  const kept = new Set(texts.flatMap((text) => wordsOf(text ?? "").map(stem)))
  const [name = "", first = "", last = ""] = names
  const wholes = [name, name.replaceAll(/\s/g, ""), last + first, first + last, first]
    .filter((whole) => unspaced.test(whole))
    .toSorted((one, other) => other.length - one.length)
  return (text) => {
    const withoutWholes = wholes.reduce((shown, whole) => shown.replaceAll(whole, cover), text)
    return withoutName(withoutContacts(withoutWholes, phone), parts, kept)
  }
}

export const redact = (input: EvaluationInput, person: Person): EvaluationInput => {
  const { interview_title, position, requirements, sources } = input
  const requirementTexts = requirements.flatMap(({ content, hint, title }) => [title, content, hint])
  const covered = redactor(person, [
    interview_title,
    position,
    ...requirementTexts,
    ...sources.map(({ question }) => question),
  ])
  return { ...input, sources: sources.map((source) => ({ ...source, text: covered(source.text) })) }
}

/** Restores redacted quotes, also those in “…” within sentences. `seen`: the redacted input. */
export const inOwnWords = (
  result: EvaluationResult,
  input: EvaluationInput,
  seen: EvaluationInput,
): EvaluationResult => {
  const own = (quote: string, isOf: (source: EvaluationSource) => boolean): string => {
    if (!quote.includes(blot)) return quote
    for (const [i, source] of seen.sources.entries()) {
      const at = isOf(source) ? source.text.indexOf(quote) : -1
      const found = at < 0 ? undefined : input.sources[i]?.text.slice(at, at + quote.length)
      if (found !== undefined) return found
    }
    return quote
  }
  const sentence = (text: string) => text.replace(/“([^”]*)”/g, (_, quote: string) => `“${own(quote, () => true)}”`)
  return {
    ...result,
    summary: sentence(result.summary),
    strengths: result.strengths.map(sentence),
    gaps: result.gaps.map(sentence),
    recommendations: result.recommendations.map(sentence),
    criteria: result.criteria.map((criterion) => ({
      ...criterion,
      evidence: criterion.evidence.map((one) => ({
        ...one,
        quote: own(one.quote, ({ question_id, source }) => source === one.source && question_id === one.question_id),
      })),
    })),
  }
}
