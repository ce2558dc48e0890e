/**
 * Records log lines in production's format. Before a test's database is dropped, TestDatabase searches the lines for its
 * personal data and for the secrets that tests registered.
 */
import { Effect, Layer, Logger, References } from "effect"
import { jsonLine } from "../../src/platform/telemetry/Observability.ts"

const lines: Array<string> = []
const secrets = new Set<string>()

/** Runs before each test file, because files share the process of their worker. */
export const reset = (): void => {
  lines.length = 0
  secrets.clear()
}

/** Minimum length of searched values; shorter ones occur in lines by chance. */
const shortest = 8

export const secret = (value: string): void => {
  if (value.length >= shortest) secrets.add(value)
}

export const written = (text: string): void => {
  lines.push(...text.split("\n"))
}

const sink = Logger.map(jsonLine, written)

const shown = Logger.make((options) => {
  if (["Warn", "Error", "Fatal"].includes(options.logLevel)) Logger.defaultLogger.log(options)
})

/** Records logs from level Info on. With minimum level None, nothing is printed. */
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

/** Fails when a line contains one of the values or a registered secret; clears the lines. */
export const check = Effect.fnUntraced(function* (personal: Effect.Effect<Iterable<string>>) {
  if (lines.length === 0) return
  const values = yield* personal
  const all = lines.splice(0).join("\n")
  const found = new Set([...secrets, ...values].filter((value) => value.length >= shortest && all.includes(value)))
  if (found.size === 0) return
  const [one = ""] = found
  const at = all.indexOf(one)
  throw new Error(
    `logs hold what they must not: ${[...found].join(" · ")}\nfirst in: ${all.slice(Math.max(0, at - 400), at + 400)}`,
  )
})
