/**
 * Every line that services of tests log, as production writes it, and what may not stand in one. At the end of a database,
 * what people are called in it, how they are reached and what they wrote is looked for in the lines; with it the keys,
 * tokens and passwords that tests used. Lines and secrets are those of one test file (setup.ts).
 */
import { Effect, Layer, Logger, References } from "effect"
import { jsonLine } from "../../src/platform/telemetry/Observability.ts"

const lines: Array<string> = []
const secrets = new Set<string>()

/** Forgets the lines and secrets of the test file before: files share the process of their worker. */
export const reset = (): void => {
  lines.length = 0
  secrets.clear()
}

/** Shorter ones stand in lines by chance. */
const shortest = 8

/** What a person or a machine has to keep to itself. */
export const secret = (value: string): void => {
  if (value.length >= shortest) secrets.add(value)
}

/** What a process of its own wrote. */
export const written = (text: string): void => {
  lines.push(...text.split("\n"))
}

const sink = Logger.map(jsonLine, written)

/** Of all that is taken down, only what says that something went wrong is shown. */
const shown = Logger.make((options) => {
  if (["Warn", "Error", "Fatal"].includes(options.logLevel)) Logger.defaultLogger.log(options)
})

/** Takes down what is logged from Info on, beside the loggers of the test. Who wants to see nothing does not. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const quiet = (yield* References.MinimumLogLevel) === "None"
    const own = [...(yield* References.CurrentLoggers)].filter((one) => one !== Logger.defaultLogger)
    return Layer.merge(
      Logger.layer(quiet ? [sink] : [sink, shown, ...own]),
      Layer.succeed(References.MinimumLogLevel, "Info"),
    )
  }),
)

/** Fails when a line holds any of these, or of the secrets that were told; the lines are done with then. */
export const check = (personal: Iterable<string>) =>
  Effect.sync(() => {
    const all = lines.splice(0).join("\n")
    const found = new Set([...secrets, ...personal].filter((value) => value.length >= shortest && all.includes(value)))
    if (found.size === 0) return
    const [one = ""] = found
    const at = all.indexOf(one)
    throw new Error(
      `logs hold what they must not: ${[...found].join(" · ")}\nfirst in: ${all.slice(Math.max(0, at - 400), at + 400)}`,
    )
  })
