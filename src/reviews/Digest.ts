/** The daily email to a member: when it is due, and what it tells. */
import { DateTime, Option } from "effect"
import { dailyHour } from "../accounts/members/Notification.ts"

/** The last beginning of `dailyHour` in the time zone, or that moment itself. An unknown zone counts as UTC. */
export const lastMorning = (now: Date, zone: string): Date => {
  const local = Option.getOrElse(DateTime.makeZoned(now, { timeZone: zone }), () =>
    DateTime.makeZonedUnsafe(now, { timeZone: "UTC" }),
  )
  const { day, hour, month, year } = DateTime.toParts(local)
  const date = {
    year,
    month,
    day: hour < dailyHour ? day - 1 : day,
    hour: dailyHour,
    minute: 0,
    second: 0,
    millisecond: 0,
  }
  return DateTime.toDateUtc(DateTime.makeZonedUnsafe(date, { timeZone: local.zone, adjustForTimeZone: true }))
}

/** A line of the email, with a link. */
export interface DigestLine {
  readonly text: string
  readonly url: string
}

export interface DigestSection {
  readonly title: string
  readonly lines: ReadonlyArray<DigestLine>
}

/** Lines of a section. */
export const maxLines = 10

/** "1 mention", "2 mentions". */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
