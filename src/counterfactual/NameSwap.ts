/** Replaces a candidate's name by that of another candidate, where it is certain that it is the name. */
import { isFamilyFirst } from "../candidates/NameOrder.ts"
import { stem } from "../evaluations/keyword/WordLists.ts"
import { foldedName, introduces, isEverydayName, isNameParticle, type Person } from "../evaluations/Redaction.ts"
import { inCaseOf, type Replacement, type Token, tokensOf } from "./Replacement.ts"

export interface NewName {
  readonly given: string
  readonly family: string
}

interface NameParts {
  readonly given: string
  readonly family: string
  /** Whether the parts are known from one text only. */
  readonly isSplit: boolean
}

/** Given and family name; a name in one text is split at its last word, Vietnamese and Hungarian ones at the first. */
const partsOf = ({ firstname, lastname, name }: Person): NameParts => {
  if (firstname !== null || lastname !== null)
    return { given: firstname?.trim() ?? "", family: lastname?.trim() ?? "", isSplit: false }
  const words = (name ?? "").trim().split(/\s+/)
  const [first = "", ...rest] = words
  if (rest.length === 0) return { given: first, family: "", isSplit: true }
  return isFamilyFirst(rest.join(" "), first)
    ? { given: rest.join(" "), family: first, isSplit: true }
    : { given: words.slice(0, -1).join(" "), family: words.at(-1) ?? "", isSplit: true }
}

const foldedWords = (text: string): ReadonlyArray<string> => tokensOf(text).map((one) => foldedName(one.text))

type Part = keyof NewName

interface Found extends Token {
  readonly part: Part
  readonly folded: string
  /** It is the name also when it stands alone. */
  readonly isCertain: boolean
  /** "A." of "A. Lovelace". */
  readonly isInitial: boolean
}

const isGap = (gap: string): boolean => /^[\s,.'’_-]{1,3}$/u.test(gap)

const isSentenceStart = (text: string, at: number): boolean =>
  /(?:^|[.!?:\n•–-])\s*$/u.test(text.slice(Math.max(0, at - 8), at))

/** Emails and links, whose names may be joined without a separator. */
const addresses =
  /[\p{L}\p{N}.+_-]{1,64}@[\p{L}\p{N}.-]{1,80}|(?:https?:\/\/|\bwww\.|\b[a-z]{2,20}\.com\/)[^\s<>"'()]{1,300}/giu

const latin = (word: string): string => foldedName(word).replaceAll(/[^a-z]/g, "")

/** In an address, as lower-case letters from a to z. */
const inAddress = (found: string, at: number, names: ReadonlyMap<string, string>): ReadonlyArray<Replacement> => {
  const replaced: Array<Replacement> = []
  const lower = found.toLowerCase()
  for (const [name, other] of names) {
    if (name.length < 3) continue
    for (let from = lower.indexOf(name); from >= 0; from = lower.indexOf(name, from + name.length))
      replaced.push({
        start: at + from,
        end: at + from + name.length,
        text: inCaseOf(found.slice(from, from + name.length), other),
      })
  }
  return replaced
}

const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\s]{2,}$/u

const allOf = (text: string, name: string, other: string): ReadonlyArray<Replacement> => {
  const found: Array<Replacement> = []
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length))
    found.push({ start: at, end: at + name.length, text: other })
  return found
}

/** The parts of a run of words, each part at once: "Kamala Devi" is one given name. */
const groupsOf = (run: ReadonlyArray<Found>): ReadonlyArray<readonly [Found, ...Array<Found>]> => {
  const groups: Array<[Found, ...Array<Found>]> = []
  for (const one of run) {
    const last = groups.at(-1)
    if (last !== undefined && last[0].part === one.part) last.push(one)
    else groups.push([one])
  }
  return groups
}

/**
 * Returns a function that finds the replacements in a text. Words of `kept`, and everyday words at the start of a sentence,
 * stay when they stand alone, because they may not be the name.
 */
export const nameReplacements = (
  person: Person,
  other: NewName,
  kept: ReadonlyArray<string | null>,
): ((text: string) => ReadonlyArray<Replacement>) => {
  const { family, given } = partsOf(person)
  const parts = new Map<string, Part>([
    ...foldedWords(given).map((word) => [word, "given"] as const),
    ...foldedWords(family).map((word) => [word, "family"] as const),
  ])
  const initials = new Set(foldedWords(given).map((word) => word.slice(0, 1).toUpperCase()))
  const keptStems = new Set(kept.flatMap((text) => foldedWords(text ?? "").map(stem)))
  const wholes: ReadonlyArray<readonly [string, string]> = (
    [
      [person.name ?? "", `${other.given} ${other.family}`],
      [family + given, `${other.family} ${other.given}`],
      [given + family, `${other.given} ${other.family}`],
      [given, other.given],
    ] as const
  ).filter(([whole]) => unspaced.test(whole))
  const joined = new Map<string, string>()
  for (const [word, part] of parts) if (latin(word).length >= 3) joined.set(latin(word), latin(other[part]))
  return (text) => {
    const found: Array<Found> = []
    for (const token of tokensOf(text)) {
      const folded = foldedName(token.text)
      const isInitial = folded.length === 1 && text[token.end] === "." && initials.has(token.text)
      const part = parts.get(folded) ?? (isInitial ? "given" : undefined)
      if (part === undefined) continue
      const isCapital = /^\p{Lu}/u.test(token.text)
      const isIntroduced = introduces(text.slice(Math.max(0, token.start - 24), token.start))
      const isPlain =
        folded.length > 1 &&
        !isNameParticle(folded) &&
        !keptStems.has(stem(folded)) &&
        (isEverydayName(folded)
          ? isCapital && folded.length > 2 && !isSentenceStart(text, token.start)
          : folded.length > 2 || /^\p{Lu}\p{Ll}/u.test(token.text))
      const isCertain = isPlain || (isIntroduced && folded.length > 1 && !isNameParticle(folded))
      found.push({ ...token, part, folded, isCertain, isInitial })
    }
    const replaced: Array<Replacement> = wholes.flatMap(([whole, name]) => allOf(text, whole, name))
    for (const { 0: address, index } of text.matchAll(addresses)) replaced.push(...inAddress(address, index, joined))
    for (let at = 0; at < found.length; ) {
      let to = at + 1
      while (to < found.length) {
        const gap = text.slice(found[to - 1]?.end, found[to]?.start)
        // a sentence below the name: "Will Smith", "Will this work?"
        const isRepeated = gap.includes("\n") && found.slice(at, to).some((one) => one.folded === found[to]?.folded)
        if (!isGap(gap) || isRepeated) break
        to += 1
      }
      const run = found.slice(at, to)
      at = to
      const named = new Set(
        run.filter(({ folded }) => !isNameParticle(folded) && folded.length > 1).map(({ folded }) => folded),
      )
      if (named.size < 2 && !run.some(({ isCertain }) => isCertain)) continue
      for (const group of groupsOf(run)) {
        const [first] = group
        const end = group.at(-1)?.end ?? first.end
        const name = other[first.part]
        const isInitial = first.isInitial && group.length === 1
        const written = isInitial ? name.slice(0, 1) : inCaseOf(text.slice(first.start, end), name)
        replaced.push({ start: first.start, end, text: written })
      }
    }
    return replaced
  }
}

/** The person of the new name, with the fields that the person has. */
export const renamed = (person: Person, other: NewName): Person => {
  const { family, given, isSplit } = partsOf(person)
  const whole = (isSplit ? family !== "" : given !== "" && family !== "") ? `${other.given} ${other.family}` : null
  const one = family === "" ? other.given : other.family
  return {
    name: person.name === null ? null : (whole ?? one),
    firstname: person.firstname === null ? null : other.given,
    lastname: person.lastname === null ? null : other.family,
    phone: person.phone,
  }
}

/** Whether a text has a word of the candidate's name, or of the new one. */
export const hasName = (text: string, person: Person, other: NewName): boolean => {
  const { family, given } = partsOf(person)
  const names = new Set([given, family, other.given, other.family].flatMap(foldedWords).map(stem))
  return foldedWords(text).some((word) => !isNameParticle(word) && names.has(stem(word)))
}
