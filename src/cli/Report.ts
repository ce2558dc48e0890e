/** Prints the error of a failed command on stderr. */
import { Cause, Console } from "effect"
import { CliError } from "effect/cli"
import { ConfigInvalid } from "../config/SettingReaders.ts"
import { holderOf } from "../dev/PortHolder.ts"
import { isMoving } from "../platform/database/Database.ts"
import { CommandFailed } from "./Environment.ts"

const oneLine = (message: string) => message.replace(/\s*\n\s*/g, " ").trim()

/** Uses the cause if the message is empty, as when a server cannot listen. */
const messageOf = (error: Error): string => {
  if (error instanceof CommandFailed) return error.message
  if (error instanceof ConfigInvalid && error.message.includes("\n")) {
    return ["settings are missing or invalid:", ...error.message.split("\n")].join("\n  ")
  }
  const message = oneLine(error.message) || (error.cause instanceof Error ? messageOf(error.cause) : error.name)
  const [, port] = /EADDRINUSE.*:(\d+)$/.exec(message) ?? []
  if (port === undefined) return message
  const holder = holderOf(Number(port))
  return holder === undefined
    ? `${message}: stop the process that uses the port, or set PORT`
    : `${message}: ${holder} uses the port; stop it, or set PORT`
}

const requirementOf = (expected: string): string => {
  const text = expected.replace(/^(?:Schema validation failed: |Expected:? )/, "")
  if (text.startsWith("must ")) return text
  const literals = text.split(" | ")
  return `must be ${literals.length > 1 ? "one of " : ""}${literals.join(", ").replaceAll('"', "")}`
}

export const sentenceOf = (error: Error): string => {
  if (!CliError.isCliError(error) || error._tag !== "InvalidValue") return oneLine(error.message)
  const { expected, kind, option, value } = error
  const name = kind === "flag" ? `--${option}` : `<${option}>`
  const [, max] = /^at most (\d+) values?$/.exec(expected) ?? []
  if (max !== undefined) return `${name} can be given ${max === "1" ? "once" : `${max} times`} at most`
  return value === "" ? `${name} needs a value` : oneLine(`${name} ${JSON.stringify(value)} ${requirementOf(expected)}`)
}

export const report = (cause: Cause.Cause<unknown>) => {
  const error = Cause.squash(cause)
  if (CliError.isCliError(error) && error._tag === "ShowHelp") {
    return Console.error(`error: ${error.errors.map(sentenceOf).join("; ")} (try --help)`)
  }
  if (isMoving(error)) {
    return Console.error(
      "error: the organization is being moved to another cell, or was moved: try again in a few seconds, or run the command in that cell",
    )
  }
  const isExpected = cause.reasons.some(Cause.isFailReason) && error instanceof Error
  return Console.error(isExpected ? `error: ${messageOf(error)}` : Cause.pretty(cause))
}
