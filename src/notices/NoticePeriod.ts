/** The days of a notice: business days, Monday to Friday. Public holidays are business days, too. */

const dayMs = 86_400_000

const textOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** A calendar date such as 2026-12-01. */
export const isDate = (text: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && textOf(time) === text
}

/**
 * The first date after `days` business days that follow `start`. `start` itself does not count: ten days from a Monday end
 * with the Monday two weeks later, and the date is the Tuesday. 0 days: `start`.
 */
export const firstDateAfter = (start: string, days: number): string => {
  if (days <= 0) return start
  let time = Date.parse(`${start}T00:00:00Z`)
  for (let left = days; left > 0; ) {
    time += dayMs
    const weekday = new Date(time).getUTCDay()
    if (weekday !== 0 && weekday !== 6) left -= 1
  }
  return textOf(time + dayMs)
}
