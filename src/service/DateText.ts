/** Moments in words and in UTC: what a mail can say, and what a page says where no script knows the visitor's zone. */

const words = new Intl.DateTimeFormat("en-GB", {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
})

const shortWords = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
})

/** "Monday, 21 December 2026" */
export const dateText = (date: Date): string => words.format(date).replace(/^(\w+),? /, "$1, ")

/** "14:05 UTC" */
export const timeText = (date: Date): string => `${date.toISOString().slice(11, 16)} UTC`

/** "Monday, 21 December 2026, 14:05 UTC" */
export const momentText = (date: Date): string => `${dateText(date)}, ${timeText(date)}`

/** "21 Dec 2026, 14:05 UTC" */
export const shortText = (date: Date): string => `${shortWords.format(date)}, ${timeText(date)}`
