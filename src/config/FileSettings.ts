/** Where the content of files is kept: BLOB_STORE, and the bucket. */
import { Effect, Config as Setting } from "effect"
import { type ConfigInvalid, needed, oneOf, setting, together, wrong } from "./SettingReaders.ts"
import type { Name } from "./SettingsTable.ts"

/**
 * A bucket. Who may use it, the AWS SDK finds out by itself: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a role of the pod
 * or of the machine.
 */
export interface S3Settings {
  readonly bucket: string
  readonly region: string
  readonly endpoint: string | undefined
  /** Empty, or with a slash at its end. */
  readonly prefix: string
}

export interface FileSettings {
  /** Where new files go. */
  readonly store: "postgres" | "s3"
  /** The bucket, if one is named: files that lie there are read and removed also when new ones go elsewhere. */
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
    bucket: text("S3_BUCKET", /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "the name of a bucket"),
    region: text("S3_REGION", /^[a-z0-9-]{1,50}$/, "a region like eu-central-1"),
    endpoint,
    prefix: Effect.map(
      text("S3_PREFIX", /^[\w.-]+(\/[\w.-]+)*\/?$/, "letters, digits, and / between them, like interviews/", ""),
      (prefix) => (prefix === "" ? "" : prefix.replace(/\/?$/, "/")),
    ),
  }),
)

/** What BLOB_STORE chooses, with the bucket if it is needed or named. */
export const files = Effect.gen(function* (): Effect.fn.Return<FileSettings, ConfigInvalid> {
  const store = yield* oneOf("BLOB_STORE", ["postgres", "s3"])
  const bucket = yield* setting("S3_BUCKET", Setting.String("S3_BUCKET"), "the name of a bucket", "")
  if (store === "postgres" && bucket.trim() === "") return { store, s3: undefined }
  yield* needed(["S3_BUCKET", "S3_REGION"], store === "s3" ? "BLOB_STORE=s3" : "S3_BUCKET")
  return { store, s3: yield* s3 }
})
