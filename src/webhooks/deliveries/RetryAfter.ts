/** Retry-After of a failed response (RFC 9110, 10.2.3). */
import { Duration } from "effect"

/** An HTTP-date: IMF-fixdate, and the two obsolete forms that recipients must accept (RFC 9110, 5.6.7). */
const fixdate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
const rfc850 = /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/
const asctime = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \d]\d) (\d{2}:\d{2}:\d{2}) (\d{4})$/

const timeOf = (text: string): number => {
  if (fixdate.test(text) || rfc850.test(text)) return Date.parse(text.replaceAll("-", " "))
  const [, month, day, time, year] = asctime.exec(text) ?? []
  return month === undefined ? Number.NaN : Date.parse(`${day?.trim()} ${month} ${year} ${time} GMT`)
}

/** Undefined: neither form, or not after `now` (milliseconds since 1970). */
export const retryAfter = (header: string, now: number): Duration.Duration | undefined => {
  const text = header.trim()
  const millis = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : timeOf(text) - now
  return millis > 0 ? Duration.millis(millis) : undefined
}
