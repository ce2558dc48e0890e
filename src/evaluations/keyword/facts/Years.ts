/** Finds periods in five languages: "5+ years", "since 2018", "03/2016 – 05/2021". */
import type { Word } from "../Text.ts"
import { words as wordSet } from "../WordLists.ts"

/** In months since year 0; `to` is exclusive. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** `at` is a word index. */
export interface Claim {
  readonly months: number
  readonly at: number
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

const isTight = (gap: string): boolean => gap.length <= 2 && /^[ ./’'-]*$/.test(gap)
const isDash = (gap: string): boolean => gap.length < 8 && /^\s*[-–—−]+\s*$/.test(gap)

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

/** A year alone is its January: 2016–2021 is five years. A range within one year without months is half a year. */
export const rangesOf = (text: string, words: ReadonlyArray<Word>, today: number): ReadonlyArray<Range> => {
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

const notDone = wordSet("ago old alt age")
const isDecimal = (text: string, one: Word | undefined, other: Word | undefined): boolean =>
  /^[.,]$/.test(between(text, one, other))

/** Finds lengths of time such as "5 years"; not ages, and not "3 years ago". */
export const claimsOf = (text: string, words: ReadonlyArray<Word>): ReadonlyArray<Claim> => {
  const found: Array<Claim> = []
  for (let at = 0; at < words.length; at += 1) {
    const folded = words[at]?.folded ?? ""
    if (folded === "decade" || folded === "decades") found.push({ months: folded === "decade" ? 120 : 240, at })
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
    const months = Math.round(isYears ? number * 12 : number)
    if (months > 0 && months <= 720) found.push({ months, at: index })
  }
  return found
}
