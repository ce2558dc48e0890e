/** A /v1/audio/transcriptions server for tests. It answers as `script.reply` decides, by default with two segments. */
import { Effect } from "effect"
import { failing, type Reply, send } from "./chatServer.ts"
import { read, receiver } from "./receivers.ts"

export interface Transcribed {
  readonly fields: Readonly<Record<string, string>>
  readonly file: { readonly name: string; readonly type: string; readonly bytes: number }
  readonly path: string
  readonly headers: NodeJS.Dict<string | string[]>
}

/** As OpenAI's API answers with `verbose_json`. */
export const transcription = (segments: ReadonlyArray<object>, rest: object = {}): Reply => ({
  body: JSON.stringify({
    task: "transcribe",
    language: "english",
    duration: 3,
    text: "I ran a billing system.",
    segments,
    ...rest,
  }),
})

const segments = [
  { id: 0, seek: 0, start: 0, end: 1.5, text: " I ran", tokens: [1], avg_logprob: -0.1 },
  { id: 1, seek: 0, start: 1.5, end: 3, text: " a billing system.", tokens: [2], avg_logprob: -0.1 },
]

/** Runs until the scope closes. `script.reply` gets the number of the request, from 1. `faults` are unexpected requests. */
export const transcriptionServer = Effect.gen(function* () {
  const script: { reply: (asked: Transcribed, count: number) => Reply } = { reply: () => transcription(segments) }
  const asked: Array<Transcribed> = []
  const faults: Array<string> = []
  const { connections, url } = yield* receiver(async (request, response) => {
    try {
      const form = await new Response(new Uint8Array(await read(request)), {
        headers: { "content-type": request.headers["content-type"] ?? "" },
      }).formData()
      const file = form.get("file")
      if (!(file instanceof File)) throw new Error("no file")
      const fields = Object.fromEntries(
        [...form].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
      )
      const one: Transcribed = {
        fields,
        file: { name: file.name, type: file.type, bytes: file.size },
        path: request.url ?? "",
        headers: request.headers,
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
