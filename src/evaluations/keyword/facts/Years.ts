/** Finds periods in five languages: "5+ years", "since 2018", "03/2016 – 05/2021". */
import { claimWords } from "../lexicon/claims.ts"
import { monthNames, numbers } from "../lexicon/numbers.ts"
import { holdsAny, justAfter, soonAfter, soonBefore } from "../Nearby.ts"
import type { Word } from "../Text.ts"
import { numbersByWord, words as wordSet } from "../WordLists.ts"

/** In months since year 0; `to` is exclusive. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** `at` and `end`, the unit, are word indices. `isFurther`: is added to the others, as in "then 3 years at a bank". */
export interface Claim {
  readonly months: number
  readonly at: number
  readonly end: number
  readonly isFurther: boolean
}

/** Months since year 0; `month` is 1 to 12. */
export const monthOf = (year: number, month: number): number => year * 12 + month - 1

const monthByName = numbersByWord(monthNames)

const present = wordSet(
  "present now today current currently date ongoing heute jetzt aktuell aujourd'hui present ce actuel actualidad actualmente presente hoy atual atualmente hoje",
)
const joiners = wordSet("to until till through bis a au hasta ate e and up")
const sinceWords = wordSet("since seit depuis desde")

const numberWords = numbersByWord(numbers)

const yearUnits = wordSet("years year yrs yr jahre jahren jahr ans an annees annee anos ano")
const monthUnits = wordSet("months month monate monaten mois meses mes")

/** Reads digits up to 999 or a number word; null for other words. */
export const numberOf = (word: string | undefined): number | null =>
  word === undefined ? null : /^\d{1,3}$/.test(word) ? Number(word) : (numberWords.get(word) ?? null)

const yearOf = (word: Word | undefined): number | null =>
  word !== undefined && /^(?:19[5-9]\d|20\d\d)$/.test(word.folded) ? Number(word.folded) : null

const monthNumber = (word: Word | undefined): number | null => {
  if (word === undefined) return null
  const named = monthByName.get(word.folded)
  if (named !== undefined) return named
  const number = /^\d{1,2}$/.test(word.folded) ? Number(word.folded) : 0
  return number >= 1 && number <= 12 ? number : null
}

const between = (text: string, one: Word | undefined, other: Word | undefined): string =>
  one === undefined || other === undefined ? "," : text.slice(one.at + one.raw.length, other.at)

const isTight = (gap: string): boolean => gap.length <= 2 && /^[ ./’'‘-]*$/.test(gap)
const isDash = (gap: string): boolean => gap.length < 8 && /^\s*[-–—−]+\s*['’‘]?$/.test(gap)

const monthBefore = (text: string, words: ReadonlyArray<Word>, at: number): number | null =>
  isTight(between(text, words[at - 1], words[at])) ? monthNumber(words[at - 1]) : null

/** The month of "2014/01 – 2020/12", whose year is at `at`. */
const monthAfter = (text: string, words: ReadonlyArray<Word>, at: number): number | null =>
  /^ ?[/.] ?$/.test(between(text, words[at], words[at + 1])) && /^\d\d$/.test(words[at + 1]?.folded ?? "")
    ? monthNumber(words[at + 1])
    : null

/** "2014/01 – 2020/12" from `at`; null for other text. */
const yearFirst = (
  text: string,
  words: ReadonlyArray<Word>,
  at: number,
): readonly [from: number, to: number] | null => {
  const [year, month, endYear, endMonth] = [
    yearOf(words[at]),
    monthAfter(text, words, at),
    yearOf(words[at + 2]),
    monthAfter(text, words, at + 2),
  ]
  if (year === null || month === null || !isDash(between(text, words[at + 1], words[at + 2]))) return null
  if (present.has(words[at + 2]?.folded ?? "")) return [monthOf(year, month), Number.POSITIVE_INFINITY]
  return endYear === null || endMonth === null ? null : [monthOf(year, month), monthOf(endYear, endMonth) + 1]
}

/** "Jan '14", "’14": the year in full. */
const withFullYears = (text: string, words: ReadonlyArray<Word>): ReadonlyArray<Word> =>
  words.map((word) =>
    /^\d\d$/.test(word.folded) && /(?:^|[^\p{L}\p{N}])['’‘]$/u.test(text.slice(Math.max(0, word.at - 2), word.at))
      ? { ...word, folded: `${Number(word.folded) <= 50 ? 20 : 19}${word.folded}` }
      : word,
  )

const isAbbreviated = /['’‘]\d\d(?!\d)/

/** A year alone is its January: 2016–2021 is five years. A range within one year without months is half a year. */
export const rangesOf = (text: string, written: ReadonlyArray<Word>, today: number): ReadonlyArray<Range> => {
  const words = isAbbreviated.test(text) ? withFullYears(text, written) : written
  const found: Array<Range> = []
  const add = (from: number, to: number) => {
    const range = { from, to: Math.min(to, today) }
    if (range.from < range.to) found.push(range)
  }
  for (let at = 0; at < words.length; at += 1) {
    const year = yearOf(words[at])
    if (year === null) continue
    const exact = yearFirst(text, words, at)
    if (exact !== null) {
      add(...exact)
      at += 2
      continue
    }
    const month = monthBefore(text, words, at)
    const from = monthOf(year, month ?? 1)
    let next = at + 1
    const joined = joiners.has(words[next]?.folded ?? "")
    if (joined) next += 1
    else if (!isDash(between(text, words[at], words[next]))) next = -1
    if (next > 0) {
      const end = [next, next + 1, next + 2].find(
        (index) => yearOf(words[index]) !== null || present.has(words[index]?.folded ?? ""),
      )
      const endYear = yearOf(words[end ?? -1])
      const isClose =
        end !== undefined &&
        words.slice(next, end).every((word) => /^\d{1,2}$/.test(word.folded) || monthByName.has(word.folded))
      if (isClose && end !== undefined) {
        if (endYear === null) add(from, today)
        else {
          const endMonth = end > next ? monthNumber(words[end - 1]) : null
          const to = endMonth === null ? monthOf(endYear, 1) : monthOf(endYear, endMonth) + 1
          add(from, endYear === year && endMonth === null ? from + 6 : to)
        }
        at = end
        continue
      }
    }
    if ([1, 2, 3].some((back) => sinceWords.has(words[at - back]?.folded ?? ""))) add(from, today)
  }
  return found
}

export const isDateWord = (word: string): boolean => monthByName.has(word) || present.has(word) || joiners.has(word)

/** Returns the months that are in at least one range. */
export const unionOf = (ranges: ReadonlyArray<Range>): number => {
  let months = 0
  let end = 0
  for (const { from, to } of ranges.toSorted((one, other) => one.from - other.from)) {
    months += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return months
}

const further = wordSet(claimWords.further)
const places = wordSet("at bei chez")
const ands = wordSet("and plus und et y e")

/** "Another 3 years", "then 3 years", "2 years at a bank and 3 years at a shop". */
const isFurther = (words: ReadonlyArray<Word>, from: number, unit: number, isLater: boolean): boolean => {
  const isListed = soonAfter(words, unit, 1, places) && soonBefore(words, from, 2, ands)
  return soonBefore(words, from, 3, further) || (isLater && isListed)
}

const notDone = wordSet("ago old alt age")
const isDecimal = (text: string, one: Word | undefined, other: Word | undefined): boolean =>
  /^[.,]$/.test(between(text, one, other))

/** Finds lengths of time such as "5 years"; not ages, and not "3 years ago". */
export const claimsOf = (text: string, words: ReadonlyArray<Word>): ReadonlyArray<Claim> => {
  const found: Array<Claim> = []
  for (let at = 0; at < words.length; at += 1) {
    const folded = words[at]?.folded ?? ""
    if (folded === "decade" || folded === "decades")
      found.push({ months: folded === "decade" ? 120 : 240, at, end: at, isFurther: false })
    const isYears = yearUnits.has(folded)
    if (!isYears && !monthUnits.has(folded)) continue
    if (notDone.has(words[at + 1]?.folded ?? "")) continue
    // "six and a half years"
    const isHalf = words[at - 1]?.folded === "half" && words[at - 3]?.folded === "and"
    const index = (isHalf ? [at - 4] : [at - 1, at - 2]).find((one) => numberOf(words[one]?.folded) !== null)
    if (index === undefined || words[index - 1]?.folded === "vor") continue
    let number = numberOf(words[index]?.folded) ?? 0
    const whole = numberOf(words[index - 1]?.folded)
    if (whole !== null && isDecimal(text, words[index - 1], words[index])) number = whole + number / 10
    else if (whole !== null && whole < number && isDash(between(text, words[index - 1], words[index]))) number = whole
    else if (joiners.has(words[index - 1]?.folded ?? "") && (numberOf(words[index - 2]?.folded) ?? number) < number)
      number = numberOf(words[index - 2]?.folded) ?? number
    if (isHalf) number += 0.5
    // "half a dozen", "two dozen"
    if (number === 12 && words[index]?.folded === "dozen")
      number *= words[index - 2]?.folded === "half" ? 0.5 : Math.max(1, whole ?? 1)
    const months = Math.round(isYears ? number * 12 : number)
    if (months > 0 && months <= 720)
      found.push({ months, at: index, end: at, isFurther: isFurther(words, index, at, found.length > 0) })
  }
  return found
}

const needed = wordSet(claimWords.required)
const organizations = wordSet(claimWords.organizations)
const owns = wordSet(claimWords.has)
const together = wordSet(claimWords.together)
const speakers = wordSet("i i'm i've we ich wir je j yo eu")
const held = wordSet("have but aber mais pero mas")
const are = wordSet("are is were was")

/** "The company has 20 years". */
const isOfOrganization = (words: ReadonlyArray<Word>, at: number): boolean => {
  const before = words.slice(Math.max(0, at - 8), at)
  const after = before.slice(before.findLastIndex(({ folded }) => organizations.has(folded)) + 1)
  return after.length < before.length && holdsAny(after.slice(0, 3), owns) && !holdsAny(after, speakers)
}

/** What a company has, what a team has together, or what an employer asks for. */
const isOfOthers = (words: ReadonlyArray<Word>, { at, end }: Claim): boolean =>
  soonAfter(words, end, 4, together) ||
  soonBefore(words, at, 3, together) ||
  isOfOrganization(words, at) ||
  (soonBefore(words, at, 4, needed) && !soonBefore(words, at, 3, held)) ||
  soonAfter(words, end, 1, needed) ||
  (justAfter(words, end, 4, are, speakers) && justAfter(words, end, 4, needed, speakers))

export const ownClaimsOf = (text: string, words: ReadonlyArray<Word>): ReadonlyArray<Claim> =>
  claimsOf(text, words).filter((claim) => !isOfOthers(words, claim))
