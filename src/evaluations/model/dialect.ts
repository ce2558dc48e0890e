/**
 * What a chat-completions server takes. Servers differ in their options and refuse a whole request for one of them with
 * 400 or 422; each refusal leaves one out, until the request is plain.
 */

export interface Dialect {
  /** How JSON is asked for; text: in words alone. */
  readonly format: "json_schema" | "json_object" | "text"
  readonly hasSeed: boolean
  readonly hasTemperature: boolean
  readonly limit: "max_tokens" | "max_completion_tokens"
  /** Most tokens of an answer. */
  readonly tokens: 16_000 | 4_000
}

/** What most servers take. A full answer on 40 requirements is a third of those tokens; models that think aloud take more. */
export const richest: Dialect = {
  format: "json_schema",
  hasSeed: true,
  hasTemperature: true,
  limit: "max_tokens",
  tokens: 16_000,
}

const simplerFormat = { json_schema: "json_object", json_object: "text", text: "text" } as const

/** The next thing to try after a refusal that says `said`; undefined: there is nothing left to leave out. */
export const simpler = (dialect: Dialect, said: string): Dialect | undefined => {
  const named = (pattern: RegExp) => pattern.test(said)
  if (dialect.limit === "max_tokens" && named(/max_completion_tokens/)) {
    return { ...dialect, limit: "max_completion_tokens" }
  }
  if (dialect.tokens > 4_000 && named(/max_tokens|max_completion_tokens|context.?(?:length|window|size)/)) {
    return { ...dialect, tokens: 4_000 }
  }
  if (dialect.hasTemperature && named(/\btemperature\b/)) return { ...dialect, hasTemperature: false }
  if (dialect.hasSeed && named(/\bseed\b/)) return { ...dialect, hasSeed: false }
  if (dialect.format !== "text") return { ...dialect, format: simplerFormat[dialect.format] }
  if (dialect.hasSeed) return { ...dialect, hasSeed: false }
  return dialect.hasTemperature ? { ...dialect, hasTemperature: false } : undefined
}
