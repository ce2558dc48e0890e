/** Time zones by their IANA names, such as Europe/Berlin. */
import { editDistance } from "./EditDistance.ts"
import { isSimilar } from "./WordSimilarity.ts"

export const utc = "UTC"

/** Undefined: unknown to this process's time zone data. Offsets such as +02:00 are no zones: they ignore summer time. */
export const readTimeZone = (name: string): string | undefined => {
  if (name.length > 60 || !/^[a-z]/i.test(name)) return undefined
  try {
    const known = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone
    // Intl renames some zones to their earlier names, such as Asia/Kolkata
    return known.toLowerCase() === name.toLowerCase() ? known : name
  } catch {
    return undefined
  }
}

/** Offered in forms; others, such as other names of these, are accepted too. */
export const timeZones: ReadonlyArray<string> = [
  utc,
  ...Intl.supportedValuesOf("timeZone").filter((one) => one !== utc),
]

/** "America/Indiana" of "America/Indiana/Knox". */
const regions: ReadonlyArray<string> = [
  ...new Set(timeZones.flatMap((zone) => (zone.includes("/") ? [zone.slice(0, zone.lastIndexOf("/"))] : []))),
]

const cityOf = (name: string): string => name.slice(name.lastIndexOf("/") + 1).toLowerCase()

const maxSuggestions = 3

/** Names that were probably meant by an unknown one: of the city, else of cities with a similar spelling. */
export const likelyTimeZones = (name: string): ReadonlyArray<string> => {
  const typed = name.trim().slice(0, 60).replaceAll(/\s+/g, "_")
  const city = cityOf(typed)
  const spelt = city.replaceAll(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase())
  const named = regions.flatMap((region) => readTimeZone(`${region}/${spelt}`) ?? [])
  if (named.length > 0) return named.slice(0, maxSuggestions)
  const similar = timeZones
    .filter((zone) => isSimilar(city, cityOf(zone)))
    .map((zone) => ({ zone, away: editDistance(city, cityOf(zone)) }))
  const nearest = Math.min(...similar.map(({ away }) => away))
  return similar.flatMap(({ away, zone }) => (away === nearest ? [zone] : [])).slice(0, maxSuggestions)
}

const clocks = new Map<string, Intl.DateTimeFormat>()

const clockOf = (zone: string): Intl.DateTimeFormat => {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone: zone, calendar: "gregory" })
  clocks.set(zone, clock)
  return clock
}

/** As in a datetime-local input: "2026-12-21T14:05". */
export const wallTime = (at: Date, zone: string): string => clockOf(zone).format(at).replace(" ", "T").slice(0, 16)

const offsetAt = (millis: number, zone: string): number => {
  const whole = Math.floor(millis / 1000) * 1000
  return Date.parse(`${clockOf(zone).format(whole).replace(" ", "T")}Z`) - whole
}

/**
 * The moment when clocks in the zone show `text`, such as "2026-12-21T14:05". Of a time that the end of summer time repeats,
 * one of the two; undefined: no time.
 */
export const momentOf = (text: string, zone: string): Date | undefined => {
  // Intl counts years before 1 in another era
  if (!/^[1-9]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text)) return undefined
  const shown = Date.parse(`${text}Z`)
  if (Number.isNaN(shown)) return undefined
  const near = shown - offsetAt(shown, zone)
  return new Date(shown - offsetAt(near, zone))
}
