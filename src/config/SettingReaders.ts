/** Readers of single settings of SettingsTable.ts. */
import { isIP } from "node:net"
import { ConfigProvider, Duration, Effect, Option, Redacted, Result, Schema, Config as Setting } from "effect"
import { readNetworks } from "../values/OutboundAddress.ts"
import { proxyForm, readProxy } from "../values/OutboundProxy.ts"
import { defaultOf, type Name } from "./SettingsTable.ts"

/** One line for each setting, beginning with its name. */
export class ConfigInvalid extends Schema.TaggedError<ConfigInvalid>()("ConfigInvalid", { message: Schema.String }) {}

export const wrong = (name: string, why: string) => new ConfigInvalid({ message: `${name}: ${why}` })

/** The error names all wrong settings. */
export const together = Effect.fnUntraced(function* <A extends object>(
  settings: {
    readonly [Name in keyof A]: Effect.Effect<A[Name], ConfigInvalid>
  },
) {
  const found: Partial<A> = {}
  const errors: Array<string> = []
  for (const name in settings) {
    const result = yield* Effect.result(settings[name])
    if (Result.isSuccess(result)) found[name] = result.success
    else errors.push(result.failure.message)
  }
  if (errors.length > 0) return yield* new ConfigInvalid({ message: errors.join("\n") })
  // complete: a missing setting is an error
  return found as A
})

const byTable = <A>(name: Name, config: Setting.Config<A>): Effect.Effect<A> | undefined => {
  const text = defaultOf(name)
  return text === undefined ? undefined : Effect.orDie(config.parse(ConfigProvider.fromEnvRecord({ [name]: text })))
}

/** Docker's --env-file keeps the quotes around a value, and the carriage returns of a file from Windows. */
const unquoted = (text: string): string => {
  const trimmed = text.trim()
  return /^(["'])(.*)\1$/s.exec(trimmed)?.[2]?.trim() ?? trimmed
}

const withoutQuotes = (provider: ConfigProvider.ConfigProvider) =>
  ConfigProvider.make((path) =>
    Effect.map(provider.load(path), (node) => {
      if (node?.value === undefined) return node
      const value = unquoted(node.value)
      if (value === "") return node._tag === "Value" ? undefined : { ...node, value: undefined }
      return { ...node, value }
    }),
  )

/** An absent or empty setting is `fallback`, else the table's default, else an error. */
export const setting = <A>(name: Name, config: Setting.Config<A>, expected: string, fallback?: A) =>
  Effect.gen(function* () {
    return yield* Setting.option(config)
  }).pipe(
    Effect.updateService(ConfigProvider.ConfigProvider, withoutQuotes),
    Effect.mapError(() => wrong(name, `must be ${expected}`)),
    Effect.flatMap((found) => {
      if (Option.isSome(found)) return Effect.succeed(found.value)
      if (fallback !== undefined) return Effect.succeed(fallback)
      return byTable(name, config) ?? Effect.fail(wrong(name, `is required: ${expected}`))
    }),
  )

export const count = (name: Name, min = 1, max = 2 ** 31 - 1) => {
  const whole = Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: min, maximum: max }))
  return setting(name, Setting.schema(whole, name), `a whole number from ${min} to ${max}`)
}

export const oneOf = <const L extends string>(name: Name, literals: ReadonlyArray<L>) =>
  setting(name, Setting.Literals(literals, name), literals.join(" or "))

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

/** Above zero and at most ten years by default. */
export const duration = (
  name: Name,
  bounds: { readonly min?: Duration.Input; readonly max?: Duration.Input } = {},
  otherwise = "",
) => {
  const min = Duration.fromInputUnsafe(bounds.min ?? "1 millis")
  const max = Duration.fromInputUnsafe(bounds.max ?? "3650 days")
  const expected = 'a duration like "2 minutes"'
  // zero needs no unit
  const none = Setting.map(Setting.Literal("0", name), () => Duration.zero)
  const given = Setting.Duration(name)
  const read = Duration.isZero(min) ? Setting.orElse(given, () => none) : given
  return setting(name, read, expected + otherwise).pipe(
    Effect.filterOrFail(
      (found) => Duration.between(found, { minimum: min, maximum: max }),
      () => wrong(name, `must be ${expected}, from ${Duration.format(min)} to ${Duration.format(max)}${otherwise}`),
    ),
  )
}

export const durationOrNone = (name: Name, bounds: Parameters<typeof duration>[1]) =>
  Effect.flatMap(setting(name, Setting.String(name), "a duration, or none", ""), (given) =>
    given.trim() === "none" ? Effect.undefined : duration(name, bounds, ", or none"),
  )

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

/** Without a trailing slash and a path: the service answers at the root of its host only. */
export const rootUrl = (name: Name, fallback: string) =>
  Effect.filterOrFail(
    httpUrl(name, fallback),
    (href) => new URL(href).pathname === "/",
    () => wrong(name, "must be an address without a path: links and pages begin at the root of a host of their own"),
  )

/** Without a trailing slash. */
export const httpUrl = (name: Name, fallback?: string) =>
  setting(name, Setting.URL(name), urlForm, fallback === undefined ? undefined : new URL(fallback)).pipe(
    Effect.filterOrFail(
      ({ href, password, protocol, username }) =>
        /^https?:$/.test(protocol) && username + password === "" && !/[?#]/.test(href),
      () => wrong(name, `must be ${urlForm}`),
    ),
    Effect.map(({ href }) => href.replace(/\/$/, "")),
  )

const hostForm = "an IP address such as 127.0.0.1, 0.0.0.0 or ::1"

/** Of this machine. Undefined: all. */
export const bindAddress = (name: Name) =>
  Effect.flatMap(setting(name, Setting.String(name), hostForm, ""), (given) => {
    const address = given.trim().replace(/^\[(.*)\]$/, "$1")
    if (address === "") return Effect.undefined
    return isIP(address) === 0 ? wrong(name, `must be ${hostForm}`) : Effect.succeed(address)
  })

const networksForm = "networks like 127.0.0.0/8 or ::1/128, separated by commas"

export const networks = (name: Name) =>
  setting(name, Setting.String(name), networksForm, "").pipe(
    Effect.flatMap((text) => Effect.fromResult(readNetworks(text))),
    Effect.mapError((why) => (why instanceof ConfigInvalid ? why : wrong(name, `must be ${networksForm}: ${why}`))),
  )

/** Undefined: none. The text is not repeated in the error, because it may contain a password. */
export const proxy = (name: Name) =>
  setting(name, Setting.String(name), proxyForm, "").pipe(
    Effect.flatMap((text) => {
      if (text.trim() === "") return Effect.undefined
      const found = readProxy(text)
      return found === undefined ? Effect.fail(wrong(name, `must be ${proxyForm}`)) : Effect.succeed(found)
    }),
  )

const hostsForm = "hosts like example.com or 127.0.0.1:9000, separated by commas"

/** As `host` of a URL. */
export const hosts = (name: Name) =>
  setting(name, Setting.String(name), hostsForm, "").pipe(
    Effect.flatMap((text) => {
      const given = text.split(",").flatMap((host) => (host.trim() === "" ? [] : [host.trim().toLowerCase()]))
      return given.every((host) => URL.parse(`http://${host}`)?.host === host)
        ? Effect.succeed<ReadonlySet<string>>(new Set(given))
        : Effect.fail(wrong(name, `must be ${hostsForm}`))
    }),
  )

const secretObjectsForm = 'a JSON object of objects of texts, such as {"recruitee": {"codename": "…"}}'
const readSecretObjects = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.NonEmptyString))),
)

/** The text is not repeated in the error, because it contains secrets. */
export const secretObjects = (name: Name) =>
  setting(name, Setting.Redacted(name), secretObjectsForm, Redacted.make("{}")).pipe(
    Effect.flatMap((text) =>
      Option.match(readSecretObjects(Redacted.value(text)), {
        onNone: () => Effect.fail(wrong(name, `must be ${secretObjectsForm}`)),
        onSome: (objects) => Effect.succeed(Redacted.make(objects)),
      }),
    ),
  )

export const isSet = (name: Name) =>
  Effect.option(Setting.NonEmptyString(name)).pipe(
    Effect.map(Option.isSome),
    Effect.updateService(ConfigProvider.ConfigProvider, withoutQuotes),
  )

export const needed = Effect.fnUntraced(function* (names: ReadonlyArray<Name>, choice: string) {
  const missing = yield* Effect.filter(names, (name) => Effect.map(isSet(name), (is) => !is))
  if (missing.length === 0) return
  return yield* wrong(missing.join(", "), `${missing.length === 1 ? "is" : "are"} required with ${choice}`)
})
