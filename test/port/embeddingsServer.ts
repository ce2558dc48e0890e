/** A /v1/embeddings server for tests. It answers as `script.reply` decides, by default with counts of words. */
import { Effect, Schema } from "effect"
import { failing, type Reply, send } from "./chatServer.ts"
import { read, receiver } from "./receivers.ts"

const Body = Schema.Struct({ model: Schema.String, input: Schema.Array(Schema.NonEmptyString) })
const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Body), { onExcessProperty: "error" })

export interface Embedded {
  readonly input: ReadonlyArray<string>
  readonly model: string
  readonly path: string
  readonly headers: NodeJS.Dict<string | string[]>
}

const dimension = 256

/** Counts of a text's words, by hash. Texts with the same words have the same direction. */
export const countsOf = (text: string): ReadonlyArray<number> => {
  const counts = Array.from({ length: dimension }, () => 0)
  counts[0] = 0.001
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []) {
    const at = [...word].reduce((hash, char) => (hash * 31 + (char.codePointAt(0) ?? 0)) % (dimension - 1), 7) + 1
    counts[at] = (counts[at] ?? 0) + 1
  }
  return counts
}

export const embedding = (
  vectors: ReadonlyArray<ReadonlyArray<number>>,
  order = vectors.map((_, at) => at),
): Reply => ({
  body: JSON.stringify({
    object: "list",
    model: "stub-embed",
    data: order.map((index) => ({ object: "embedding", index, embedding: vectors[index] })),
    usage: { prompt_tokens: 9, total_tokens: 9 },
  }),
})

/** Runs until the scope closes. `script.reply` gets the number of the request, from 1. `faults` are unexpected requests. */
export const embeddingsServer = Effect.gen(function* () {
  const script: { reply: (asked: Embedded, count: number) => Reply } = {
    reply: ({ input }) => embedding(input.map(countsOf)),
  }
  const asked: Array<Embedded> = []
  const faults: Array<string> = []
  const { connections, url } = yield* receiver(async (request, response) => {
    try {
      const { input, model } = decode((await read(request)).toString("utf8"))
      const one: Embedded = { input, model, path: request.url ?? "", headers: request.headers }
      asked.push(one)
      send(response, script.reply(one, asked.length))
    } catch (error) {
      faults.push(String(error))
      send(response, failing(500))
    }
  })
  return { url: `${new URL(url).origin}/v1`, script, asked, faults, connections }
})
