/** Which evaluator is asked, and what it needs, read from the settings. */
import { Config, Effect, Option, Redacted } from "effect"

/** What EVALUATOR=model needs: MODEL_URL, the address that /chat/completions follows · MODEL_NAME · MODEL_KEY, if asked for. */
export type EvaluatorSettings =
  | { readonly _tag: "keyword" }
  | { readonly _tag: "model"; readonly url: string; readonly name: string; readonly key: Redacted.Redacted | undefined }

const textOf = (name: string) =>
  Effect.map(Effect.option(Config.NonEmptyString(name)), (found) => Option.getOrElse(found, () => "").trim())

/** A password in it would be shown with it, and a query would stand before the path that follows. */
const isAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { hash, password, protocol, search, username } = new URL(text)
  return (protocol === "http:" || protocol === "https:") && hash + password + search + username === ""
}

/** EVALUATOR, keyword, with what it chooses. The error is a line for each setting that is missing or wrong. */
export const evaluatorSettings = Effect.gen(function* (): Effect.fn.Return<EvaluatorSettings, string> {
  const chosen = (yield* textOf("EVALUATOR")) || "keyword"
  if (chosen === "keyword") return { _tag: chosen }
  if (chosen !== "model") return yield* Effect.fail("EVALUATOR: must be keyword or model")
  const url = yield* textOf("MODEL_URL")
  const name = yield* textOf("MODEL_NAME")
  const key = yield* textOf("MODEL_KEY")
  const missing = [...(url === "" ? ["MODEL_URL"] : []), ...(name === "" ? ["MODEL_NAME"] : [])]
  const faults = [
    ...(missing.length === 0
      ? []
      : [`${missing.join(", ")}: ${missing.length === 1 ? "is" : "are"} required with EVALUATOR=model`]),
    ...(url === "" || isAddress(url) ? [] : ["MODEL_URL: must be an http or https address without user and query"]),
    ...(/^[\x21-\x7e]*$/.test(key) ? [] : ["MODEL_KEY: must be a key without blanks"]),
  ]
  if (faults.length > 0) return yield* Effect.fail(faults.join("\n"))
  return {
    _tag: chosen,
    url: new URL(url).href.replace(/\/(?:chat\/completions\/?)?$/, ""),
    name,
    key: key === "" ? undefined : Redacted.make(key),
  }
})
