/** Formats times (UTC), numbers and durations by language. */
import type { Language } from "./Texts.ts"

/** en-GB: the day before the month. */
const locales: Readonly<Record<Language, string>> = { en: "en-GB", de: "de", fr: "fr", es: "es", pt: "pt", vi: "vi" }

const day = { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" } as const

const once = <Format>(make: (locale: string) => Format) => {
  const formats = new Map<Language, Format>()
  return (language: Language): Format => {
    const format = formats.get(language) ?? make(locales[language])
    formats.set(language, format)
    return format
  }
}

const dates = once((locale) => new Intl.DateTimeFormat(locale, day))
const moments = once(
  (locale) =>
    new Intl.DateTimeFormat(locale, {
      ...day,
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZoneName: "short",
    }),
)
const shortMoments = once(
  (locale) =>
    new Intl.DateTimeFormat(locale, {
      day: "numeric",
      month: "short",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZone: "UTC",
      timeZoneName: "short",
    }),
)
const shortDates = once(
  (locale) => new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }),
)
const numbers = once((locale) => new Intl.NumberFormat(locale))
const unit = (unit: "minute" | "hour") =>
  once((locale) => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }))
const minutesIn = unit("minute")
const hoursIn = unit("hour")
const lists = once((locale) => new Intl.ListFormat(locale, { type: "conjunction" }))

/** "Monday, 21 December 2026" */
export const dateText = (language: Language, date: Date): string => dates(language).format(date)

/** "Monday, 21 December 2026 at 14:05 UTC" */
export const momentText = (language: Language, date: Date): string => moments(language).format(date)

/** "21 Dec 2026, 14:05 UTC" */
export const shortText = (language: Language, date: Date): string => shortMoments(language).format(date)

/** "21 Dec 2026" */
export const shortDateText = (language: Language, date: Date): string => shortDates(language).format(date)

export const timeText = (_: Language, date: Date): string => `${date.toISOString().slice(11, 16)} UTC`

export const numberText = (language: Language, number: number): string => numbers(language).format(number)

/** "90 minutes"; from two hours on "2 hours and 30 minutes". */
export const durationText = (language: Language, minutes: number): string => {
  if (minutes < 120) return minutesIn(language).format(minutes)
  const rest = minutes % 60
  const hours = hoursIn(language).format((minutes - rest) / 60)
  return rest === 0 ? hours : lists(language).format([hours, minutesIn(language).format(rest)])
}

/** "820 KB": the same on the candidate's and the recruiter's page of a file. */
export const sizeText = (bytes: number): string =>
  bytes < 999_500 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`
