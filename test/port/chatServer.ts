/** A chat-completions server for tests. It answers as `script.reply` decides, by default like an honest model. */
import type { ServerResponse } from "node:http"
import { Effect, Schema } from "effect"
import type { Answer } from "../../src/evaluations/model/ModelOutput.ts"
import { read, receiver } from "./receivers.ts"

const Requirement = Schema.Struct({
  requirement: Schema.String,
  title: Schema.optionalKey(Schema.String),
  content: Schema.optionalKey(Schema.String),
  hint: Schema.optionalKey(Schema.String),
})
const Body = Schema.Struct({
  model: Schema.String,
  messages: Schema.Tuple([
    Schema.Struct({ role: Schema.Literal("system"), content: Schema.String }),
    Schema.Struct({ role: Schema.Literal("user"), content: Schema.String }),
  ]),
  response_format: Schema.optionalKey(
    Schema.Struct({
      type: Schema.Literals(["json_schema", "json_object"]),
      json_schema: Schema.optionalKey(
        Schema.Struct({ name: Schema.String, strict: Schema.Literal(true), schema: Schema.Json }),
      ),
    }),
  ),
  temperature: Schema.optionalKey(Schema.Number),
  seed: Schema.optionalKey(Schema.Int),
  max_tokens: Schema.optionalKey(Schema.Int),
  max_completion_tokens: Schema.optionalKey(Schema.Int),
})
const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Body), { onExcessProperty: "error" })
const decodeRequirement = Schema.decodeUnknownSync(Schema.fromJsonString(Requirement))

export interface Asked {
  readonly body: typeof Body.Type
  readonly path: string
  readonly headers: NodeJS.Dict<string | string[]>
  readonly requirements: ReadonlyArray<typeof Requirement.Type>
  /** The text between the two boundary lines. */
  readonly candidate: string
  readonly boundary: string
}

/** cut: half a body; hangup: the connection closes without a status. */
export type Reply =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body: string }
  | "silent"
  | "endless"
  | "cut"
  | "hangup"

export const says = (content: unknown, { finish_reason = "stop", refusal = null as string | null } = {}): Reply => ({
  body: JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    model: "stub-1",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: refusal === null ? (typeof content === "string" ? content : JSON.stringify(content)) : null,
          refusal,
        },
        finish_reason,
      },
    ],
    usage: { prompt_tokens: 900, completion_tokens: 100, total_tokens: 1000 },
  }),
})

export const failing = (status: number, headers: Record<string, string> = {}, said: unknown = {}): Reply => ({
  status,
  headers,
  body: JSON.stringify(said),
})

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[a-z]{4,}/g) ?? []

export const rating = (
  { requirements }: Asked,
  rate: (index: number) => { level: string; quotes?: ReadonlyArray<string>; rationale?: string },
) => ({
  ratings: requirements.map(({ requirement }, index) => {
    const { level, quotes = [], rationale = `It is ${level}.` } = rate(index)
    return { requirement, quotes, rationale, level }
  }),
  summary: "The model's summary.",
  strengths: ["The model's strength."],
  gaps: [],
  recommendations: [],
})

/** Rates as strong, with a quote, when a sentence shares two words of four letters or more with the requirement. */
export const honest = (asked: Asked): Answer => {
  const sentences = asked.candidate
    .split(/(?<=[.!?])\s+|\n/)
    .filter((line) => !line.startsWith("Answer to the question"))
  return rating(asked, (index) => {
    const { content = "", title = "" } = asked.requirements[index] ?? {}
    const wanted = new Set(wordsOf(`${title} ${content}`))
    const quotes = sentences.filter(
      (sentence) => new Set(wordsOf(sentence).filter((word) => wanted.has(word))).size >= 2,
    )
    return { level: quotes.length > 0 ? "strong" : "none", quotes }
  }) as Answer
}

export const send = (response: ServerResponse, reply: Reply) => {
  if (reply === "silent") return
  if (reply === "hangup") return void response.socket?.destroy()
  if (reply === "cut") {
    response.writeHead(200, { "content-type": "application/json", "content-length": "5000" }).write('{"choices":[')
    return void setImmediate(() => response.socket?.destroy())
  }
  if (reply === "endless") {
    response.writeHead(200, { "content-type": "application/json" })
    const more = () => {
      while (!response.destroyed && response.write(" ".repeat(65_536)));
    }
    response.on("drain", more)
    return more()
  }
  const { body, headers, status = 200 } = reply
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(body)
}

/** Runs until the scope closes. `script.reply` gets the number of the request, from 1. `faults` are unexpected requests. */
export const chatServer = Effect.gen(function* () {
  const script: { reply: (asked: Asked, count: number) => Reply } = { reply: (asked) => says(honest(asked)) }
  const asked: Array<Asked> = []
  const faults: Array<string> = []
  const { connections, url } = yield* receiver(async (request, response) => {
    try {
      const body = decode((await read(request)).toString("utf8"))
      const [{ content: system }, { content: user }] = body.messages
      const [, boundary = "", candidate = ""] =
        /^BEGIN CANDIDATE TEXT (\w{32})\n([\s\S]*)\nEND CANDIDATE TEXT \1$/.exec(user) ?? []
      const lines = system.slice(system.indexOf("\nRequirements:\n") + 15).split("\n")
      const one: Asked = {
        body,
        path: request.url ?? "",
        headers: request.headers,
        requirements: lines.map((line) => decodeRequirement(line)),
        candidate,
        boundary,
      }
      asked.push(one)
      send(response, script.reply(one, asked.length))
    } catch (error) {
      faults.push(String(error))
      send(response, failing(500))
    }
  })
  return { url: `${new URL(url).origin}/v1`, script, asked, faults, connections }
})
