/** Names of what candidates need, and of what was granted. */
import type { AccommodationNeed } from "../../interviews/Accommodation.ts"

export const needNames: Readonly<Record<AccommodationNeed, string>> = {
  time: "more time",
  typing: "typing instead of speaking",
  other: "another way to take part",
}

/** Empty: only a text says it. */
export const needsText = (needs: ReadonlyArray<AccommodationNeed>): string =>
  needs.length === 0 ? "something else" : needs.map((need) => needNames[need]).join(", ")

/** `minutes`: the set's; null: no limit. */
export const timesText = (minutes: number | null, factor: number): string =>
  minutes === null ? `${factor} times` : `${Math.ceil(minutes * factor)} minutes (${factor} times)`

const moreTime = (factor: number, minutes: number | null): string =>
  minutes === null ? `${factor}× time` : `${Math.ceil(minutes * factor)} minutes instead of ${minutes}`

/** `granted` empty: declined. `factor` null: no more time. `minutes`: the set's; null: unknown, or no limit. */
export const outcomeText = (
  granted: ReadonlyArray<AccommodationNeed>,
  factor: number | null,
  minutes: number | null = null,
): string =>
  granted.length === 0
    ? "declined"
    : `granted: ${granted
        .map((need) => (need === "time" && factor !== null ? moreTime(factor, minutes) : needNames[need]))
        .join(", ")}`
