/**
 * Checks that logs hold no personal data and no secrets. Records the lines that services log, in production's format. When
 * a test's database is dropped, TestDatabase searches the lines for its personal data and for the keys, tokens and passwords
 * that tests registered. Lines and secrets are reset before each test file (setup.ts).
 */
import { Effect, Layer, Logger, References } from "effect"
import { jsonLine } from "../../src/platform/telemetry/Observability.ts"

const lines: Array<string> = []
const secrets = new Set<string>()

/** Clears lines and secrets, because test files share the process of their worker. */
export const reset = (): void => {
  lines.length = 0
  secrets.clear()
}

/** Minimum length of searched values in characters; shorter ones occur in lines by chance. */
const shortest = 8

/** Registers a value that no line may contain. */
export const secret = (value: string): void => {
  if (value.length >= shortest) secrets.add(value)
}

/** Records the output of a process. */
export const written = (text: string): void => {
  lines.push(...text.split("\n"))
}

const sink = Logger.map(jsonLine, written)

/** Prints warnings and errors only. */
const shown = Logger.make((options) => {
  if (["Warn", "Error", "Fatal"].includes(options.logLevel)) Logger.defaultLogger.log(options)
})

/** Records logs from level Info on, beside the test's own loggers. With minimum level None, nothing is printed. */
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

/** Fails when a line contains one of these values or a registered secret; then clears the lines. */
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
