/** Durations in words. */
import { Duration } from "effect"

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
  ["millisecond", 1],
] as const

/** "30 days", "24 hours", "90 minutes": a whole number of the largest unit that goes into it; days from two on. */
export const durationText = (duration: Duration.Duration): string => {
  const millis = Math.round(Duration.toMillis(duration))
  const [name, size] = units.find(
    ([name, size]) => millis >= (name === "day" ? 2 * size : size) && millis % size === 0,
  ) ?? ["second", 1000]
  const count = millis / size
  return `${count} ${name}${count === 1 ? "" : "s"}`
}
