/** Replaces cities and countries by those of another part of the world. */
import { type Language, readLanguages } from "../evaluations/keyword/Language.ts"
import { lazy } from "../values/Lazy.ts"
import { cities, countryAliases, countryCodes, replacingPlaces } from "./places.ts"
import { inCaseOf, type Replacement, tokensOf } from "./Replacement.ts"

export type Region = keyof typeof replacingPlaces

interface Place {
  readonly isCity: boolean
}

const keyOf = (name: string): string => name.normalize("NFC").toLowerCase().replaceAll(/\s+/g, " ")

const countryName = (code: string, language: string): string | undefined =>
  new Intl.DisplayNames([language], { type: "region", fallback: "none" }).of(code)

const placed = (names: ReadonlyArray<string>, isCity: boolean) =>
  names.map((name): readonly [string, Place] => [keyOf(name), { isCity }])

const table = lazy(() => {
  const countries = countryCodes
    .split(" ")
    .flatMap((code) => readLanguages.flatMap((language) => countryName(code, language) ?? []))
  const places: ReadonlyMap<string, Place> = new Map([
    ...placed([...countries, ...countryAliases], false),
    ...placed(cities.split(/\|\s*/), true),
  ])
  return { places, maxWords: Math.max(...[...places.keys()].map((name) => name.split(" ").length)) }
})

interface FoundPlace extends Place {
  readonly start: number
  readonly end: number
  readonly key: string
}

/** The longest names from left to right. A name begins with a capital letter; words of `kept`, in lower case, are none. */
const placesIn = (text: string, kept: ReadonlySet<string>): ReadonlyArray<FoundPlace> => {
  const { maxWords, places } = table()
  const tokens = tokensOf(text)
  const found: Array<FoundPlace> = []
  for (let at = 0; at < tokens.length; ) {
    const first = tokens[at]
    let length = first !== undefined && /^\p{Lu}/u.test(first.text) ? Math.min(maxWords, tokens.length - at) : 0
    for (; length > 0; length -= 1) {
      const last = tokens[at + length - 1]
      if (first === undefined || last === undefined) continue
      const written = text.slice(first.start, last.end)
      // "UK", not "Uk"; names are looked up with their blanks and hyphens
      const key = keyOf(written)
      const place = places.get(key)
      if (place === undefined || (length === 1 && kept.has(first.lower))) continue
      if (key.length === 2 && written !== written.toUpperCase()) continue
      found.push({ ...place, start: first.start, end: last.end, key })
      break
    }
    at += Math.max(1, length)
  }
  return found
}

/** Whether a text names a place. */
export const namesPlace = (text: string): boolean => placesIn(text, new Set()).length > 0

/**
 * The replacements of each text. A place has the same replacement in all texts, in their language. Places beyond the list,
 * and those that are in the list, stay.
 */
export const placeReplacements = (
  texts: ReadonlyArray<{ readonly text: string; readonly language: Language }>,
  region: Region,
  kept: ReadonlySet<string>,
): ReadonlyArray<ReadonlyArray<Replacement>> => {
  const found = texts.map(({ text }) => placesIn(text, kept))
  const keys = new Set(found.flat().map(({ key }) => key))
  const replacing = replacingPlaces[region]
  const isFree = (name: string) => !keys.has(keyOf(name))
  const freeCities = replacing.cities.filter(isFree)
  const freeCountries = replacing.countries.filter((code) =>
    readLanguages.every((language) => isFree(countryName(code, language) ?? code)),
  )
  const chosen = new Map<string, string>()
  const given = { cities: 0, countries: 0 }
  for (const { isCity, key } of found.flat()) {
    if (chosen.has(key)) continue
    const list = isCity ? "cities" : "countries"
    const next = (isCity ? freeCities : freeCountries)[given[list]]
    if (next === undefined) continue
    chosen.set(key, next)
    given[list] += 1
  }
  return texts.map(({ language, text }, at) =>
    (found[at] ?? []).flatMap(({ end, isCity, key, start }): ReadonlyArray<Replacement> => {
      const next = chosen.get(key)
      if (next === undefined) return []
      const name = isCity ? next : (countryName(next, language) ?? next)
      const written = text.slice(start, end)
      const isShouted = written.length > 3 && written === written.toUpperCase()
      return [{ start, end, text: isShouted ? inCaseOf(written, name) : name }]
    }),
  )
}
