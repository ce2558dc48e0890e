/** Formats times, numbers and durations by language. Times are in a time zone (values/TimeZone.ts), UTC unless given. */
import { utc } from "../values/TimeZone.ts"
import type { Language } from "./Texts.ts"

/** en-GB: the day before the month. */
const localeOf = (language: Language): string => (language === "en" ? "en-GB" : language)

const day = { weekday: "long", day: "numeric", month: "long", year: "numeric" } as const
const hour = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const
const clock = { ...hour, timeZoneName: "short" } as const
const second = { second: "2-digit" } as const

const once = <Format>(make: (locale: string) => Format) => {
  const formats = new Map<Language, Format>()
  return (language: Language): Format => {
    const format = formats.get(language) ?? make(localeOf(language))
    formats.set(language, format)
    return format
  }
}

const shortDay = { day: "numeric", month: "short", year: "numeric" } as const

const inZone = (options: Intl.DateTimeFormatOptions) => {
  const ofZones = new Map<string, (language: Language) => Intl.DateTimeFormat>()
  return (language: Language, date: Date, timeZone = utc): string => {
    const formats = ofZones.get(timeZone) ?? once((locale) => new Intl.DateTimeFormat(locale, { ...options, timeZone }))
    ofZones.set(timeZone, formats)
    return formats(language).format(date)
  }
}

const numbers = once((locale) => new Intl.NumberFormat(locale))
const amountsIn = (unit: "second" | "minute" | "hour" | "day") =>
  once((locale) => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }))
const secondsIn = amountsIn("second")
const minutesIn = amountsIn("minute")
const hoursIn = amountsIn("hour")
const daysIn = amountsIn("day")
const lists = once((locale) => new Intl.ListFormat(locale, { type: "conjunction" }))

/** "Monday, 21 December 2026 at 14:05 UTC" */
export const momentText = inZone({ ...day, ...clock })

/** "Monday, 21 December 2026" */
export const dateText = inZone(day)

/** "21 Dec 2026, 14:05 UTC" */
export const shortText = inZone({ ...shortDay, ...clock })

/** "21 Dec 2026" */
export const shortDateText = inZone(shortDay)

/** "14:05 UTC" */
export const timeText = inZone(clock)

/** "14:05", where the page names the time zone. */
export const unzonedTimeText = inZone(hour)

/** "14:05:09", where the page names the time zone. */
export const unzonedSecondText = inZone({ ...hour, ...second })

/** "21 Dec 2026, 14:05:09 UTC", to compare with a log. */
export const exactText = inZone({ ...shortDay, ...clock, ...second })

export const numberText = (language: Language, number: number): string => numbers(language).format(number)

/** "90 minutes"; from two hours on "2 hours and 30 minutes". */
export const durationText = (language: Language, minutes: number): string => {
  if (minutes < 120) return minutesIn(language).format(minutes)
  const rest = minutes % 60
  const hours = hoursIn(language).format((minutes - rest) / 60)
  return rest === 0 ? hours : lists(language).format([hours, minutesIn(language).format(rest)])
}

/** "180 days" */
export const daysText = (language: Language, days: number): string => daysIn(language).format(days)

/** "90 seconds"; from two minutes on "2 minutes and 30 seconds". */
export const lengthText = (language: Language, seconds: number): string => {
  if (seconds < 120) return seconds === 60 ? minutesIn(language).format(1) : secondsIn(language).format(seconds)
  const rest = seconds % 60
  const minutes = minutesIn(language).format((seconds - rest) / 60)
  return rest === 0 ? minutes : lists(language).format([minutes, secondsIn(language).format(rest)])
}

/** "820 KB": the same on the candidate's and the recruiter's page of a file. */
export const sizeText = (bytes: number): string =>
  bytes < 999_500 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`
