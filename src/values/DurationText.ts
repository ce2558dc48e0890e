import { Duration } from "effect"

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
  ["millisecond", 1],
] as const

/** In the largest unit that divides it: "30 days", "90 minutes". Days from two on: "24 hours". */
export const durationText = (duration: Duration.Duration): string => {
  const millis = Math.round(Duration.toMillis(duration))
  const [name, size] = units.find(
    ([unit, length]) => millis >= (unit === "day" ? 2 * length : length) && millis % length === 0,
  ) ?? ["second", 1000]
  const count = millis / size
  return `${count} ${name}${count === 1 ? "" : "s"}`
}
