/** Finds periods in five languages: "5+ years", "since 2018", "03/2016 – 05/2021". */
import { claimWords } from "../lexicon/claims.ts"
import type { Word } from "../Text.ts"
import { words as wordSet } from "../WordLists.ts"

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

const monthNames = Object.entries({
  1: "jan january januar janv janvier enero janeiro",
  2: "feb february februar fev fevrier febrero fevereiro",
  3: "mar march maerz mars marzo marco",
  4: "apr april avr avril abril",
  5: "may mai mayo maio",
  6: "jun june juni juin junio junho",
  7: "jul july juli juil juillet julio julho",
  8: "aug august aout agosto ago",
  9: "sep sept september septembre septiembre setembro",
  10: "oct october okt oktober octobre octubre outubro",
  11: "nov november novembre noviembre novembro",
  12: "dec december dez dezember decembre diciembre dezembro",
}).flatMap(([month, names]) => names.split(" ").map((name): [string, number] => [name, Number(month)]))
const monthByName = new Map(monthNames)

const present = wordSet(
  "present now today current currently date ongoing heute jetzt aktuell aujourd'hui present ce actuel actualidad actualmente presente hoy atual atualmente hoje",
)
const joiners = wordSet("to until till through bis a au hasta ate e and up")
const sinceWords = wordSet("since seit depuis desde")

const numberWords = new Map(
  [
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty",
    "ein zwei drei vier fuenf sechs sieben acht neun zehn elf zwoelf dreizehn vierzehn fuenfzehn sechzehn siebzehn achtzehn neunzehn zwanzig",
    "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dixsept dixhuit dixneuf vingt",
    "un dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte",
    "um dois tres quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezasseis dezassete dezoito dezanove vinte",
  ].flatMap((line) => line.split(" ").map((word, index): [string, number] => [word, index + 1])),
)
for (const dozen of ["dozen", "dutzend", "douzaine", "docena", "duzia"]) numberWords.set(dozen, 12)
numberWords.set("eine", 1).set("einem", 1).set("einen", 1).set("une", 1).set("uma", 1)

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

/** "Another 3 years", "then 3 years", "2 years at a bank and 3 years at a shop". */
const isFurther = (words: ReadonlyArray<Word>, from: number, unit: number, isLater: boolean): boolean => {
  if (words.slice(Math.max(0, from - 3), from).some(({ folded }) => further.has(folded))) return true
  return (
    isLater &&
    places.has(words[unit + 1]?.folded ?? "") &&
    words.slice(Math.max(0, from - 2), from).some(({ folded }) => /^(?:and|plus|und|et|y|e)$/.test(folded))
  )
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

const isOfOrganization = (words: ReadonlyArray<Word>, at: number): boolean => {
  for (let one = at - 1; one >= Math.max(0, at - 8); one -= 1) {
    if (speakers.has(words[one]?.folded ?? "")) return false
    if (!organizations.has(words[one]?.folded ?? "")) continue
    return words.slice(one + 1, one + 4).some(({ folded }, next) => one + 1 + next < at && owns.has(folded))
  }
  return false
}

const isNeeded = (words: ReadonlyArray<Word>, { at, end }: Claim): boolean => {
  const before = words.slice(Math.max(0, at - 4), at)
  const from = before.findLastIndex(({ folded }) => /^(?:have|but|aber|mais|pero|mas)$/.test(folded))
  if (before.slice(from + 1).some(({ folded }) => needed.has(folded))) return true
  const after = words.slice(end + 1, end + 5)
  const stop = after.findIndex(({ folded, pause }) => pause || speakers.has(folded))
  return (stop === -1 ? after : after.slice(0, stop)).some(({ folded }) => /^(?:are|is|were|was)$/.test(folded))
    ? after.some(({ folded }) => needed.has(folded))
    : needed.has(after[0]?.folded ?? "")
}

/** Without what a company has, or what somebody asks for. */
export const ownClaimsOf = (text: string, words: ReadonlyArray<Word>): ReadonlyArray<Claim> =>
  claimsOf(text, words).filter(
    (claim) =>
      !isOfOrganization(words, claim.at) &&
      !isNeeded(words, claim) &&
      !words.slice(claim.end + 1, claim.end + 5).some(({ folded }) => together.has(folded)) &&
      !words.slice(Math.max(0, claim.at - 3), claim.at).some(({ folded }) => together.has(folded)),
  )
