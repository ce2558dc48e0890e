/** What the commands that set up records share: flags, and how they say what came of it. */
import { NodeCrypto } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { Flag } from "effect/cli"
import * as App from "../App.ts"
import { OrganizationId } from "../domain/Ids.ts"
import { Conflict, Invalid, NotFound } from "../domain/Problem.ts"
import { CommandFailed, local } from "./Environment.ts"

export const json = Flag.Boolean("json").pipe(Flag.withDescription("Print one JSON object"), Flag.withDefault(false))

export const organization = Flag.Int("organization").pipe(
  Flag.withSchema(OrganizationId),
  Flag.withDescription("The organization's number"),
)

export const text = (name: string, description: string) => Flag.String(name).pipe(Flag.withDescription(description))

/** Keys and records; nothing of it needs a secret key. */
export const records = App.administration.pipe(
  Layer.provideMerge(App.repositories),
  Layer.provideMerge(NodeCrypto.layer),
  Layer.provideMerge(local({ trial: false })),
)

/** Text of other people on one line: what moves a terminal's cursor, or the direction of writing, shows as U+FFFD. */
const onOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, "\uFFFD")

/** A value for people. */
const readable = (value: unknown): string => {
  if (value === null) return "-"
  if (Array.isArray(value)) return value.map(readable).join(", ")
  return onOneLine(typeof value === "string" ? value : JSON.stringify(value))
}

/** Prints a record, one line a field for people. */
export const print = (asJson: boolean, record: Record<string, unknown>) =>
  Console.log(
    asJson
      ? JSON.stringify(record)
      : Object.entries(record)
          .map(([name, value]) => `${name}: ${readable(value)}`)
          .join("\n"),
  )

/** Rows under the names of their fields, in columns; of no rows, `none`. */
export const table = (rows: ReadonlyArray<Record<string, unknown>>, none: string): string => {
  const [first] = rows
  if (first === undefined) return none
  const cells = [Object.keys(first), ...rows.map((row) => Object.values(row).map(readable))]
  const widths = Object.keys(first).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n")
}

/** Flags that are not called as the field they set. */
const flags: Record<string, string> = { events: "event", expires_at: "expires", scopes: "scope" }

const flagOf = (pointer: string): string => {
  const field = pointer.split("/")[1] ?? ""
  return `--${flags[field] ?? field.replaceAll("_", "-")}`
}

/** What is wrong with a command, in one line that names the flag. */
export const explain = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.mapError(effect, (error) => {
    if (error instanceof NotFound) return new CommandFailed({ message: `there is no such ${error.record}` })
    if (error instanceof Conflict) return new CommandFailed({ message: error.reason })
    if (!(error instanceof Invalid)) return error
    return new CommandFailed({
      message: error.errors.map(({ message, pointer }) => `${flagOf(pointer)} ${message}`).join("; "),
    })
  })

/** Fails when nothing was found. */
export const known = <A>(record: string, found: A | undefined) =>
  found === undefined ? Effect.fail(new NotFound({ record })) : Effect.succeed(found)
