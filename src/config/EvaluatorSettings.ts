/** Who rates answers and CVs: EVALUATOR and what that way needs. */
import { Effect, Redacted, Config as Setting } from "effect"
import { type ConfigInvalid, needed, oneOf, setting, together, url, wrong } from "./SettingReaders.ts"

/** What EVALUATOR=model needs; `url` is what /chat/completions follows, without a slash at its end. */
export type EvaluatorSettings =
  | { readonly _tag: "keyword" }
  | { readonly _tag: "model"; readonly url: string; readonly name: string; readonly key: Redacted.Redacted | undefined }

const modelUrl = Effect.map(url("MODEL_URL"), (address) => address.replace(/\/chat\/completions$/, ""))

const modelName = Effect.map(setting("MODEL_NAME", Setting.String("MODEL_NAME"), "the name of a model"), (name) =>
  name.trim(),
)

const modelKey = Effect.gen(function* () {
  const key = yield* setting("MODEL_KEY", Setting.Redacted("MODEL_KEY"), "a key", Redacted.make(""))
  const text = Redacted.value(key).trim()
  if (!/^[\x21-\x7e]*$/.test(text)) return yield* wrong("MODEL_KEY", "must be a key without blanks")
  return text === "" ? undefined : Redacted.make(text)
})

/** What EVALUATOR chooses; keyword unless told. */
export const evaluator = Effect.gen(function* (): Effect.fn.Return<EvaluatorSettings, ConfigInvalid> {
  const _tag = yield* oneOf("EVALUATOR", ["keyword", "model"])
  if (_tag === "keyword") return { _tag }
  yield* needed(["MODEL_URL", "MODEL_NAME"], "EVALUATOR=model")
  return { _tag, ...(yield* together({ url: modelUrl, name: modelName, key: modelKey })) }
})
