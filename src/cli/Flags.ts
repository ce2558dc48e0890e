/** Flags that several commands have, and the values of flags. */
import { Clock, Duration, Effect, Option, Record, Schema, SchemaTransformation } from "effect"
import { CliError, Flag } from "effect/cli"
import { rule } from "../values/Fields.ts"
import { OrganizationId } from "../values/Ids.ts"
import { Moment } from "../values/Timestamp.ts"

/** Off by default. */
export const boolean = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

export const json = boolean("json", "Print one JSON object instead of text; default off")

export const text = (name: string, description: string) => Flag.String(name).pipe(Flag.withDescription(description))

export const integer = (name: string, min: number, max: number) => {
  const isWithin = (typed: string) => /^\d{1,15}$/.test(typed) && Number(typed) >= min && Number(typed) <= max
  const within = rule(isWithin, "out_of_range", `must be a whole number from ${min} to ${max}`)
  return Flag.String(name).pipe(
    Flag.withMetavar("integer"),
    Flag.withSchema(
      Schema.String.check(within).pipe(Schema.decodeTo(Schema.Int, SchemaTransformation.numberFromString)),
    ),
  )
}

export const organization = integer("organization", 1, 2 ** 31 - 1).pipe(
  Flag.withSchema(OrganizationId),
  Flag.withDescription("The organization's number, printed by organization create"),
)

export const limit = integer("limit", 1, 1000).pipe(
  Flag.withDescription("Maximum number of results, 1 to 1000; default 50"),
  Flag.withDefault(50),
)

const units = { s: "seconds", m: "minutes", h: "hours", d: "days", w: "weeks" } as const
const ago = /^(\d{1,9}) ?(s|m|h|d|w|seconds?|minutes?|hours?|days?|weeks?)(?: ago)?$/
const expected =
  "must be a date or a time with its zone, such as 2030-01-31 or 2030-01-31T18:00:00Z, or an age, such as 2h or 1 day"

const unitOf = (word: string) => Object.entries(units).find(([letter]) => word.startsWith(letter))?.[1]

/** Parses a moment, or an age such as "2h" before `now` (Unix ms). Undefined if malformed. Never before 1970. */
export const sinceOf = (typed: string, now: number): Date | undefined => {
  const [, count, word] = ago.exec(typed.trim()) ?? []
  const unit = word === undefined ? undefined : unitOf(word)
  const at =
    unit === undefined
      ? Option.map(Schema.decodeOption(Moment)(typed.trim()), (date) => date.getTime())
      : Option.map(Duration.fromInput(`${Number(count)} ${unit}`), (past) => now - Duration.toMillis(past))
  return Option.isSome(at) ? new Date(Math.max(0, at.value)) : undefined
}

export const moment = (name: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("moment"),
    Flag.mapEffect((typed) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const at = sinceOf(typed, now)
        if (at !== undefined) return Effect.succeed(at)
        const reason = `Schema validation failed: ${expected}`
        return Effect.fail(new CliError.InvalidValue({ option: name, value: typed, expected: reason, kind: "flag" }))
      }),
    ),
  )

export const since = moment("since")

export const timeFormats = "a date, time or age (2030-01-31, 2030-01-31T18:00:00Z, 2h, 1 day)"

type Given<Options> = { [Name in keyof Options]?: Options[Name] extends Option.Option<infer Value> ? Value : never }

/** The values of the optional flags that were given. */
export const given = <Options extends { readonly [name: string]: Option.Option<unknown> }>(options: Options) =>
  Record.getSomes(options) as Given<Options>
