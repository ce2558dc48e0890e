/** Requests to the programs that the soak runs. */
import { Effect, Option, Schema } from "effect"

/** The decoded JSON; undefined when the server does not answer within two seconds, or with something else. */
export const answerOf = <A>(schema: Schema.Codec<A, unknown>, url: string, init: RequestInit = {}) =>
  Effect.promise(() =>
    fetch(url, { ...init, signal: AbortSignal.timeout(2_000) })
      .then((answer) => answer.text())
      .catch(() => ""),
  ).pipe(Effect.map(Schema.decodeUnknownOption(Schema.fromJsonString(schema))), Effect.map(Option.getOrUndefined))
