/** EVALUATOR, BLOB_STORE and the settings of the adapters that they choose. */
import { Effect, Redacted, Config as Setting } from "effect"
import type { OutboundProxy } from "../values/OutboundProxy.ts"
import { type ConfigInvalid, httpUrl, isSet, needed, oneOf, proxy, setting, together, wrong } from "./SettingReaders.ts"
import type { Name } from "./SettingsTable.ts"

/** `url` is the base of /chat/completions, /embeddings or /audio/transcriptions, without a trailing slash. */
export interface ModelSettings {
  readonly url: string
  readonly name: string
  readonly key: Redacted.Redacted | undefined
}

export type EvaluatorSettings = { readonly _tag: "keyword" } | ({ readonly _tag: "model" } & ModelSettings)

const modelKey = Effect.fnUntraced(function* (name: Name) {
  const key = yield* setting(name, Setting.Redacted(name), "a key", Redacted.make(""))
  const text = Redacted.value(key).trim()
  if (!/^[\x21-\x7e]*$/.test(text)) return yield* wrong(name, "must be a key without blanks")
  return text === "" ? undefined : Redacted.make(text)
})

const modelSettings = (prefix: "MODEL" | "EMBEDDINGS" | "TRANSCRIBE"): Effect.Effect<ModelSettings, ConfigInvalid> => {
  const name = `${prefix}_NAME` as const
  return together({
    url: Effect.map(httpUrl(`${prefix}_URL`), (address) =>
      address.replace(/\/(?:chat\/completions|embeddings|audio\/transcriptions)$/, ""),
    ),
    name: Effect.map(setting(name, Setting.String(name), "the name of a model"), (given) => given.trim()),
    key: modelKey(`${prefix}_KEY`),
  })
}

export const evaluator = Effect.gen(function* (): Effect.fn.Return<EvaluatorSettings, ConfigInvalid> {
  const _tag = yield* oneOf("EVALUATOR", ["keyword", "model"])
  if (_tag === "keyword") return { _tag }
  yield* needed(["MODEL_URL", "MODEL_NAME"], "EVALUATOR=model")
  return { _tag, ...(yield* modelSettings("MODEL")) }
})

/** Undefined: without its address. */
const optionalModel = (prefix: "EMBEDDINGS" | "TRANSCRIBE") =>
  Effect.gen(function* (): Effect.fn.Return<ModelSettings | undefined, ConfigInvalid> {
    if (yield* isSet(`${prefix}_URL`)) {
      yield* needed([`${prefix}_NAME`], `${prefix}_URL`)
      return yield* modelSettings(prefix)
    }
    const alone = yield* Effect.filter([`${prefix}_NAME`, `${prefix}_KEY`] as const, isSet)
    if (alone.length > 0) yield* needed([`${prefix}_URL`], alone.join(", "))
    return undefined
  })

/** Undefined: evaluations use no embeddings. */
export const embeddings = optionalModel("EMBEDDINGS")

/** Undefined: recordings are not transcribed. */
export const transcriber = optionalModel("TRANSCRIBE")

/** Undefined: requests are sent directly. */
export const outboundProxy = proxy("OUTBOUND_PROXY")

/** The AWS SDK finds the credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a role. */
export interface S3Settings {
  readonly bucket: string
  readonly region: string
  readonly endpoint: string | undefined
  /** Empty, or with a trailing slash. */
  readonly prefix: string
  readonly proxy?: OutboundProxy | undefined
}

export interface FileSettings {
  readonly store: "postgres" | "s3"
  /** For existing files, even when `store` is postgres. */
  readonly s3: S3Settings | undefined
}

const text = (name: Name, form: RegExp, expected: string, fallback?: string) =>
  setting(name, Setting.String(name), expected, fallback).pipe(
    Effect.map((found) => found.trim()),
    Effect.filterOrFail(
      (found) => found === fallback || form.test(found),
      () => wrong(name, `must be ${expected}`),
    ),
  )

const endpointForm = "an http or https address without user, path and query"

const endpoint = Effect.gen(function* () {
  const found = (yield* setting("S3_ENDPOINT", Setting.String("S3_ENDPOINT"), endpointForm, "")).trim()
  if (found === "") return undefined
  const url = URL.parse(found)
  const isServer = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  return isServer ? url.origin : yield* wrong("S3_ENDPOINT", `must be ${endpointForm}`)
})

const s3 = Effect.suspend(() =>
  together({
    proxy: outboundProxy,
    bucket: text("S3_BUCKET", /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "the name of a bucket"),
    region: text("S3_REGION", /^[a-z0-9-]{1,50}$/, "a region like eu-central-1"),
    endpoint,
    prefix: Effect.map(
      text("S3_PREFIX", /^[\w.-]+(\/[\w.-]+)*\/?$/, "letters, digits, and / between them, like interviews/", ""),
      (prefix) => (prefix === "" ? "" : prefix.replace(/\/?$/, "/")),
    ),
  }),
)

/** Whether text of scans and pictures is read. */
export const cvOcr = Effect.map(oneOf("CV_OCR", ["on", "off"]), (chosen) => chosen === "on")

export const files = Effect.gen(function* (): Effect.fn.Return<FileSettings, ConfigInvalid> {
  const store = yield* oneOf("BLOB_STORE", ["postgres", "s3"])
  const bucket = yield* setting("S3_BUCKET", Setting.String("S3_BUCKET"), "the name of a bucket", "")
  if (store === "postgres" && bucket.trim() === "") return { store, s3: undefined }
  yield* needed(["S3_BUCKET", "S3_REGION"], store === "s3" ? "BLOB_STORE=s3" : "S3_BUCKET")
  return { store, s3: yield* s3 }
})
