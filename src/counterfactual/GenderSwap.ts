/** Replaces pronouns and words for people of one sex by those of the other. */
import { Record } from "effect"
import type { Language } from "../evaluations/keyword/Language.ts"
import { articles, capitalOnly, genderedNouns, germanEndings, leaveWords, notOwned, oneWay } from "./genderedWords.ts"
import { inCaseOf, type Replacement, type Token, tokensOf } from "./Replacement.ts"

export type Sex = "female" | "male"

type Pair = readonly [male: string, female: string]

const pairsOf = (list: string): ReadonlyArray<Pair> =>
  list.split(/\s+/).map((pair) => {
    const [male = "", female = ""] = pair.split("/")
    return [male, female]
  })

const setOf = (list: string): ReadonlySet<string> => new Set(list.split(" "))

const addsS: Readonly<Record<Language, RegExp | null>> = {
  en: null,
  de: null,
  fr: /[^sxz]$/,
  es: /[aeo]$/,
  pt: /[aeo]$/,
}

/** With the plurals that are made with "s". */
const nounsOf = (language: Language): ReadonlyArray<Pair> => {
  const pairs = pairsOf(genderedNouns[language])
  const regular = addsS[language]
  const plurals = pairs.flatMap(
    ([male, female]): ReadonlyArray<Pair> =>
      regular?.test(male) && regular.test(female) ? [[`${male}s`, `${female}s`]] : [],
  )
  return [...pairs, ...plurals]
}

const turned = ([male, female]: Pair, sex: Sex): Pair => (sex === "female" ? [male, female] : [female, male])

/** Of several words with one other, the first counts. */
const tableOf = (language: Language, sex: Sex): ReadonlyMap<string, string> =>
  new Map([
    ...nounsOf(language)
      .map((pair) => turned(pair, sex))
      .toReversed(),
    ...pairsOf(oneWay[sex][language]),
  ])

const tables = Record.map(genderedNouns, (_, language) => ({
  female: tableOf(language, "female"),
  male: tableOf(language, "male"),
}))

/** All words of a list, for the check of requirements. */
const nouns = Record.map(genderedNouns, (_, language) => new Set(nounsOf(language).flat()))

const articleTables = Record.map(articles, (list) => ({
  female: new Map(pairsOf(list).map((pair) => turned(pair, "female"))),
  male: new Map(
    pairsOf(list)
      .map((pair) => turned(pair, "male"))
      .toReversed(),
  ),
}))

const free = setOf(notOwned)
const leaves = setOf(leaveWords)
const capitals = setOf(capitalOnly)
const endings = germanEndings.split(" ")

/** Such as "Krankenpfleger" and "Krankenpflegerin"; undefined for other words. */
const germanNoun = (lower: string, sex: Sex): string | undefined => {
  for (const ending of endings) {
    // "Biologe" and "Biologin", "Student" and "Studentin"
    const base = ending.replace(/e$/, "")
    const isWeak = !/[rl]$/.test(ending)
    const many = isWeak ? `${base}en` : ending
    const forms: ReadonlyArray<Pair> =
      sex === "female"
        ? [
            [ending, `${base}in`],
            [`${ending}s`, `${base}in`],
            [isWeak ? many : `${ending}n`, `${base}innen`],
          ]
        : [
            [`${base}in`, ending],
            [`${base}innen`, many],
          ]
    for (const [from, to] of forms) {
      if (lower.endsWith(from)) return lower.slice(0, lower.length - from.length) + to
    }
  }
  return undefined
}

const isCapital = (text: string): boolean => /^\p{Lu}/u.test(text)

/** Whether the word after "her" or "his" is owned: "her hands", not "her with". */
const isOwned = (text: string, token: Token, next: Token | undefined): boolean =>
  next !== undefined && /^[ \u00a0\n]{1,2}$/.test(text.slice(token.end, next.start)) && !free.has(next.lower)

const isOneBlank = (text: string, one: Token, other: Token | undefined): boolean =>
  other !== undefined && /^[ \u00a0]$/.test(text.slice(one.end, other.start))

const isLeave = (tokens: ReadonlyArray<Token>, at: number): boolean =>
  tokens.slice(Math.max(0, at - 2), at + 2).some(({ lower }) => leaves.has(lower))

/** Undefined: the word stays. */
const otherOf = (
  text: string,
  tokens: ReadonlyArray<Token>,
  at: number,
  language: Language,
  sex: Sex,
): string | undefined => {
  const token = tokens[at]
  if (token === undefined) return undefined
  const next = tokens[at + 1]
  const { lower } = token
  if (/^(?:m|p)aternit|^(?:m|p)aternidad/.test(lower) && !isLeave(tokens, at)) return undefined
  if (capitals.has(lower) && !isCapital(token.text)) return undefined
  if (language === "en" && sex === "male" && lower === "her") return isOwned(text, token, next) ? "his" : "him"
  if (language === "en" && sex === "female" && lower === "his") return isOwned(text, token, next) ? "her" : "hers"
  // "il y a", "il faut"
  if (language === "de") {
    if (sex === "male" && token.text === "Frau")
      return isOneBlank(text, token, next) && isCapital(next?.text ?? "") ? "Herr" : "Mann"
    const isPronoun = tables.de[sex].has(lower) && !nouns.de.has(lower)
    if (!isPronoun && !isCapital(token.text) && !/lich$/.test(lower)) return undefined
    return tables.de[sex].get(lower) ?? germanNoun(lower, sex)
  }
  return tables[language][sex].get(lower)
}

/** The article before a replaced word, where it agrees with it. */
const articleBefore = (
  text: string,
  before: Token | undefined,
  noun: Token,
  other: string,
  language: Language,
  sex: Sex,
): ReadonlyArray<Replacement> => {
  if (language === "en" || before === undefined || !isOneBlank(text, before, noun)) return []
  const female = sex === "female" ? other.toLowerCase() : noun.lower
  if (language === "de" && !/(?:in|frau)$/.test(female)) return []
  const article = articleTables[language][sex].get(before.lower)
  return article === undefined ? [] : [{ start: before.start, end: before.end, text: inCaseOf(before.text, article) }]
}

/** Replaces words of the other sex by those of `sex`. Words of `kept`, in lower case, stay. */
export const genderReplacements = (
  text: string,
  language: Language,
  sex: Sex,
  kept: ReadonlySet<string>,
): ReadonlyArray<Replacement> => {
  const tokens = tokensOf(text)
  return tokens.flatMap((token, at): ReadonlyArray<Replacement> => {
    if (kept.has(token.lower)) return []
    if (
      language === "fr" &&
      sex === "female" &&
      token.text === "M" &&
      /^\.\s\p{Lu}/u.test(text.slice(token.end, token.end + 3))
    )
      return [{ start: token.start, end: token.end + 1, text: "Mme" }]
    const other = otherOf(text, tokens, at, language, sex)
    if (other === undefined || other === token.lower) return []
    const end = other.endsWith(".") && text[token.end] === "." ? token.end + 1 : token.end
    const isNoun = language !== "en" && (nouns[language].has(token.lower) || language === "de")
    return [
      ...(isNoun ? articleBefore(text, tokens[at - 1], token, other, language, sex) : []),
      { start: token.start, end, text: inCaseOf(token.text, other) },
    ]
  })
}

/** Whether a requirement names people of one sex. */
export const namesSex = (text: string, language: Language): boolean =>
  tokensOf(text).some(({ lower, text: written }) =>
    language === "de"
      ? nouns.de.has(lower) || (isCapital(written) && germanNoun(lower, "male") !== undefined)
      : nouns[language].has(lower),
  )
