/** How far back, as people write it: a moment, or how long ago. */
import { Clock, Duration, Effect, Option, Schema } from "effect"
import { CliError, Flag } from "effect/cli"
import { Moment } from "../values/Timestamp.ts"

const units = { s: "seconds", m: "minutes", h: "hours", d: "days", w: "weeks" } as const
const ago = /^(\d{1,9}) ?(s|m|h|d|w|seconds?|minutes?|hours?|days?|weeks?)(?: ago)?$/
const expected =
  "must be a moment with its zone, such as 2030-01-31 or 2030-01-31T18:00:00Z, or how long ago, such as 2h or 1 day"

/** The unit of "2h" and of "2 hours". */
const unitOf = (text: string) => Object.entries(units).find(([letter]) => text.startsWith(letter))?.[1]

/** The moment that is meant at `now` (milliseconds); undefined: none. Nothing of ours is older than the epoch. */
export const sinceOf = (text: string, now: number): Date | undefined => {
  const [, count, unit] = ago.exec(text.trim()) ?? []
  const name = unit === undefined ? undefined : unitOf(unit)
  const at =
    name === undefined
      ? Option.map(Schema.decodeOption(Moment)(text.trim()), (moment) => moment.getTime())
      : Option.map(Duration.fromInput(`${Number(count)} ${name}`), (past) => now - Duration.toMillis(past))
  return Option.isSome(at) ? new Date(Math.max(0, at.value)) : undefined
}

export const since = Flag.String("since").pipe(
  Flag.withMetavar("moment"),
  Flag.mapEffect((text) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const at = sinceOf(text, now)
      const wrong = { option: "since", value: text, expected: `Schema validation failed: ${expected}`, kind: "flag" }
      return at === undefined ? Effect.fail(new CliError.InvalidValue({ ...wrong, kind: "flag" })) : Effect.succeed(at)
    }),
  ),
)
