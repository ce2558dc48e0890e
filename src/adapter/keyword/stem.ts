/**
 * Light English stemming: word forms that mean the same requirement ("managed", "managing", "management") meet in one
 * stem. It need not be a word, only the same on both sides. Words that are not plain ASCII letters stay as they are.
 */

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

/** The stem of one lower-case word. */
export const stem = (word: string): string =>
  word.length < 4 || word.length > 40 || !/^[a-z]+$/.test(word) ? word : withoutEnding(withoutInflection(word))
