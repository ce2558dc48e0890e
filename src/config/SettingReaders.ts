/** How one setting is read: of which form it is, and what is said when it is missing or wrong. Defaults are in Table.ts. */
import { ConfigProvider, Duration, Effect, Option, Result, Schema, Config as Setting } from "effect"
import { readNetworks } from "../values/OutboundAddress.ts"
import { defaultOf, type Name } from "./SettingsTable.ts"

/** Settings are missing or wrong: each in one line that begins with its name. */
export class ConfigInvalid extends Schema.TaggedError<ConfigInvalid>()("ConfigInvalid", { message: Schema.String }) {}

/** Says what is wrong with a setting. */
export const wrong = (name: string, why: string) => new ConfigInvalid({ message: `${name}: ${why}` })

/** Reads settings that do not need each other; its error names all that are missing or wrong. */
export const together = Effect.fnUntraced(function* <A extends object>(
  settings: {
    readonly [Name in keyof A]: Effect.Effect<A[Name], ConfigInvalid>
  },
) {
  const found: Partial<A> = {}
  const faults: Array<string> = []
  for (const name in settings) {
    const result = yield* Effect.result(settings[name])
    if (Result.isSuccess(result)) found[name] = result.success
    else faults.push(result.failure.message)
  }
  if (faults.length > 0) return yield* new ConfigInvalid({ message: faults.join("\n") })
  // what is not there is a fault
  return found as A
})

/** The default that the table has, read like anything that somebody writes: a fault in it is the table's. */
const byTable = <A>(name: Name, config: Setting.Config<A>): Effect.Effect<A> | undefined => {
  const text = defaultOf(name)
  return text === undefined ? undefined : Effect.orDie(config.parse(ConfigProvider.fromEnvRecord({ [name]: text })))
}

/**
 * Reads one setting; its error is one line that names it. What is absent, or empty, is `fallback`, else the table's
 * default; where there is neither, it is required.
 */
export const setting = <A>(name: Name, config: Setting.Config<A>, expected: string, fallback?: A) =>
  Effect.gen(function* () {
    return yield* Setting.option(config)
  }).pipe(
    Effect.mapError(() => wrong(name, `must be ${expected}`)),
    Effect.flatMap((found) => {
      if (Option.isSome(found)) return Effect.succeed(found.value)
      if (fallback !== undefined) return Effect.succeed(fallback)
      return byTable(name, config) ?? Effect.fail(wrong(name, `is required: ${expected}`))
    }),
  )

/** A whole number within bounds. */
export const count = (name: Name, least = 1, most = 2 ** 31 - 1) => {
  const whole = Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: least, maximum: most }))
  return setting(name, Setting.schema(whole, name), `a whole number from ${least} to ${most}`)
}

/** One of some words. */
export const oneOf = <const L extends string>(name: Name, literals: ReadonlyArray<L>) =>
  setting(name, Setting.Literals(literals, name), literals.join(" or "))

/** Some of these words, separated by commas. */
export const someOf = <const L extends string>(name: Name, words: ReadonlyArray<L>) => {
  const expected = `one or more of ${words.join(", ")}, separated by commas`
  return setting(name, Setting.String(name), expected).pipe(
    Effect.flatMap((list) => {
      const given = list.split(",").map((word) => word.trim())
      const found = words.filter((word) => given.includes(word))
      return given.every((word) => words.some((known) => known === word))
        ? Effect.succeed<ReadonlySet<L>>(new Set(found))
        : Effect.fail(wrong(name, `must be ${expected}`))
    }),
  )
}

/** Within bounds: above zero unless zero means something, and no longer than the clocks it is used with can count. */
export const duration = (
  name: Name,
  bounds: { readonly least?: Duration.Input; readonly most?: Duration.Input } = {},
  otherwise = "",
) => {
  const least = Duration.fromInputUnsafe(bounds.least ?? "1 millis")
  const most = Duration.fromInputUnsafe(bounds.most ?? "3650 days")
  const expected = 'a duration like "2 minutes"'
  // no time at all is as long in every unit
  const none = Setting.map(Setting.Literal("0", name), () => Duration.zero)
  const given = Setting.Duration(name)
  const read = Duration.isZero(least) ? Setting.orElse(given, () => none) : given
  return setting(name, read, expected + otherwise).pipe(
    Effect.filterOrFail(
      (found) => Duration.between(found, { minimum: least, maximum: most }),
      () => wrong(name, `must be ${expected}, from ${Duration.format(least)} to ${Duration.format(most)}${otherwise}`),
    ),
  )
}

/** A duration, or `none`. */
export const durationOrNone = (name: Name, bounds: Parameters<typeof duration>[1]) =>
  Effect.flatMap(setting(name, Setting.String(name), "a duration, or none", ""), (given) =>
    given.trim() === "none" ? Effect.undefined : duration(name, bounds, ", or none"),
  )

/** A number of bytes above zero, as "2 MiB". */
export const size = (name: Name) => {
  const expected = 'a size like "2 MiB"'
  return setting(name, Setting.ByteSize(name), expected).pipe(
    Effect.filterOrFail(
      (found) => found > 0n,
      () => wrong(name, `must be ${expected}`),
    ),
  )
}

const urlForm = "an http or https address without user, password, query and fragment"

/** An http or https address that paths can be appended to; the result has no slash at its end. */
export const url = (name: Name, fallback?: string) =>
  setting(name, Setting.URL(name), urlForm, fallback === undefined ? undefined : new URL(fallback)).pipe(
    Effect.filterOrFail(
      ({ href, password, protocol, username }) =>
        /^https?:$/.test(protocol) && username + password === "" && !/[?#]/.test(href),
      () => wrong(name, `must be ${urlForm}`),
    ),
    Effect.map(({ href }) => href.replace(/\/$/, "")),
  )

const networksForm = "networks like 127.0.0.0/8 or ::1/128, separated by commas"

/** CIDRs and single addresses, separated by commas; none unless set. */
export const networks = (name: Name) =>
  setting(name, Setting.String(name), networksForm, "").pipe(
    Effect.flatMap((text) => Effect.fromResult(readNetworks(text))),
    Effect.mapError((why) => (why instanceof ConfigInvalid ? why : wrong(name, `must be ${networksForm}: ${why}`))),
  )

/** Whether a setting is there, and not empty. */
export const isThere = (name: Name) =>
  Effect.map(Effect.option(Setting.NonEmptyString(name)), (found) => Option.isSome(found) && found.value.trim() !== "")

/** Fails when one of these settings is missing, in one line that names all that are and the choice that needs them. */
export const needed = Effect.fnUntraced(function* (names: ReadonlyArray<Name>, choice: string) {
  const missing = yield* Effect.filter(names, (name) => Effect.map(isThere(name), (is) => !is))
  if (missing.length === 0) return
  return yield* wrong(missing.join(", "), `${missing.length === 1 ? "is" : "are"} required with ${choice}`)
})
