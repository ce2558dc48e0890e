/** Where the job of an interview set is: it decides which notices its candidates get (docs/candidate-notices.md). */
import { Schema } from "effect"
import { line as lineOf, optional, rule } from "../values/Fields.ts"

/** ISO 3166-1 alpha-2. */
export const countryCodes: ReadonlyArray<string> = `
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY
BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK
FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR
IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK
ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM
PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF
TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`
  .trim()
  .split(/\s/)

export const maxJobLocations = 20

export const maxCity = 100

const isCountry = (code: string): boolean => countryCodes.includes(code)

/** The part of an ISO 3166-2 code after the country: "NY" of US-NY. */
const isRegion = (code: string): boolean => /^[A-Z0-9]{1,3}$/.test(code)

export const JobLocation = Schema.Struct({
  country: Schema.String.annotate({ description: "ISO 3166-1 alpha-2 code in capitals, such as US" })
    .check(rule(isCountry, "invalid", "must be an ISO 3166-1 alpha-2 code such as US"))
    .annotateKey({ title: "Country" }),
  region: optional(
    Schema.String.check(rule(isRegion, "invalid", "must be an ISO 3166-2 code without the country, such as NY")),
    "ISO 3166-2 code without the country, such as NY for US-NY; null: all of the country",
  ).annotateKey({ title: "Region" }),
  city: optional(
    lineOf(maxCity).check(rule((city: string) => city.trim() !== "", "blank", "must not be blank")),
    "Name of the city as in a job post; null: all of the region",
  ).annotateKey({ title: "City" }),
}).annotate({ identifier: "JobLocation" })

/** A place: a country, a part of it, or a city. */
export interface Place {
  readonly country: string
  readonly region: string | null
  readonly city: string | null
}

export const StoredLocation = Schema.Struct({
  country: Schema.String,
  region: Schema.NullOr(Schema.String),
  city: Schema.NullOr(Schema.String),
}).annotate({ identifier: "StoredJobLocation" })

/** "New York City" and "new york" are one city. */
const cityKey = (city: string): string => {
  const folded = city
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
  return folded === "nyc" ? "new york" : folded.replace(/ city$/, "")
}

/** Whether the location is in the place. A location without a city is in no city. */
export const contains = (place: Place, location: Place): boolean =>
  place.country === location.country &&
  (place.region === null || place.region === location.region) &&
  (place.city === null || (location.city !== null && cityKey(place.city) === cityKey(location.city)))

/** Whether the place is in New York City, whose Local Law 144 of 2021 asks for days of notice (notices/Notice.ts). */
export const isNewYorkCity = (place: Place | null): boolean =>
  place !== null &&
  contains({ country: "US", region: null, city: "New York" }, place) &&
  (place.region === null || place.region === "NY")

/** The same without repetitions, as it is stored. */
export const storedLocations = (given: ReadonlyArray<typeof JobLocation.Type>): ReadonlyArray<Place> => {
  const places = given.map(({ city, country, region }) => ({
    country,
    region: region ?? null,
    city: city?.trim() ?? null,
  }))
  return places.filter((place, i) => places.findIndex((one) => contains(one, place) && contains(place, one)) === i)
}

const countryNames = new Map<string, Intl.DisplayNames>()

export const countryName = (code: string, language = "en"): string => {
  const names = countryNames.get(language) ?? new Intl.DisplayNames([language], { type: "region", fallback: "code" })
  countryNames.set(language, names)
  return names.of(code) ?? code
}

/** "New York, NY, United States". */
export const placeText = ({ city, country, region }: Place, language = "en"): string =>
  [city, region, countryName(country, language)].filter((part) => part !== null).join(", ")

/** As typed in a form: "New York, NY, US", one a line. */
export const locationLines = (places: ReadonlyArray<Place>): string =>
  places
    .map(({ city, country, region }) => [city, region, country].filter((part) => part !== null).join(", "))
    .join("\n")

const countriesByName = new Map<string, string>()

/** By its code or its English name; other text stays, for the schema to refuse. */
const countryOf = (text: string): string => {
  if (countriesByName.size === 0)
    for (const code of countryCodes) countriesByName.set(countryName(code).toLowerCase(), code)
  const code = text.toUpperCase()
  return countryCodes.includes(code) ? code : (countriesByName.get(text.toLowerCase()) ?? text)
}

export type TypedLocation = Place & { readonly line: string }

/** Of lines with a country alone, a region or a city before it, or a city and a region. */
export const readLocations = (text: string): ReadonlyArray<TypedLocation> =>
  text.split("\n").flatMap((typed) => {
    const line = typed.replaceAll(/\s+/g, " ").trim()
    if (line === "") return []
    const parts = line.split(",").map((part) => part.trim())
    const country = countryOf(parts.pop() ?? "")
    const last = parts.at(-1)
    const region = last !== undefined && isRegion(last.toUpperCase()) ? last.toUpperCase() : null
    if (region !== null) parts.pop()
    return [{ line, country, region, city: parts.length === 0 ? null : parts.join(", ") }]
  })

/** The first line that names no country, or is longer than a city can be. */
export const unreadLocation = (locations: ReadonlyArray<TypedLocation>): string | undefined =>
  locations.find(({ city, country }) => !isCountry(country) || [...(city ?? "")].length > maxCity)?.line
