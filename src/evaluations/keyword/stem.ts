/**
 * Light stemming: word forms that mean the same ("managed", "managing", "management") meet in one stem. It need not be
 * a word, only the same on both sides. Words are folded first (text.ts); what is not plain ASCII letters stays as it is.
 */
import type { Language } from "./language.ts"

const hasVowel = (text: string): boolean => /[aeiouy]/.test(text)

const withoutInflection = (word: string): string => {
  if (word.endsWith("ied") && word.length > 4) return `${word.slice(0, -3)}y`
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2)
  if (/[^sui]s$/.test(word)) return word.slice(0, -1)
  const base = word.endsWith("ing") ? word.slice(0, -3) : word.endsWith("ed") ? word.slice(0, -2) : word
  if (base === word || base.length < 3 || !hasVowel(base)) return word
  return /([bdgmnprt])\1$/.test(base) ? base.slice(0, -1) : base
}

const endings = "ability ibility able ible ization isation ize ise iz is ation ion at ment ance ence ity ly".split(" ")

const withoutEnding = (word: string): string => {
  const found = endings.find((ending) => word.endsWith(ending) && word.length - ending.length >= 4)
  if (found !== undefined) return withoutEnding(word.slice(0, -found.length))
  return word.endsWith("e") && word.length > 3 ? withoutEnding(word.slice(0, -1)) : word
}

/** Endings of the other languages, the longest first, with the length that has to be left. */
const others: Readonly<Record<Exclude<Language, "en">, ReadonlyArray<string>>> = {
  de: "ierungen ierung ierten ierte ieren iert iere ungen ung innen enden ende eten ete ten te en er es em st in e n s t".split(
    " ",
  ),
  fr: "issements issement ements ement ations ation ateurs ateur atrices atrice euses euse eurs eur iques ique aient ants ant ees ee ais ait ons ez es er ir it is e s".split(
    " ",
  ),
  es: "amientos amiento aciones acion adores adora ador iendo ando ados adas ado ada idos idas ido ida aban aba aron ieron ar er ir es os as o a e s".split(
    " ",
  ),
  pt: "amentos amento acoes acao adores adora ador ando endo indo ados adas ado ada idos idas ido ida avam ava aram eram ar er ir ei ou es os as o a e s".split(
    " ",
  ),
}

const stemOther = (word: string, language: Exclude<Language, "en">): string => {
  const base = language === "de" && word.length > 6 && /^ge.*(?:t|en)$/.test(word) ? word.slice(2) : word
  const found = others[language].find((ending) => base.endsWith(ending) && base.length - ending.length >= 4)
  return found === undefined ? base : base.slice(0, -found.length)
}

const isPlain = (word: string): boolean => word.length >= 4 && word.length <= 40 && /^[a-z]+$/.test(word)

/** The stem of one folded word, as English. */
export const stem = (word: string): string => (isPlain(word) ? withoutEnding(withoutInflection(word)) : word)

/** The stem of one folded word of a language. */
export const stemIn = (word: string, language: Language): string =>
  language === "en" ? stem(word) : isPlain(word) ? stemOther(word, language) : word
