/** Candidates' browsers that record and send pieces (recorder.js, pieces.js). */
import { setTimeout as sleep } from "node:timers/promises"
import { request } from "undici"
import { piecesOfFilm } from "../recordings/film.ts"
import * as Protocol from "../recordings/protocol.ts"
import { pieceSeconds } from "../recordings/settings.ts"
import { handleCommands, on } from "../support/control.ts"

const form = (fields: Record<string, string>) => ({
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: String(new URLSearchParams(fields)),
})

const post = async (
  url: string,
  status: number,
  { body, headers }: { readonly headers: Record<string, string>; readonly body: string | Uint8Array },
) => {
  const response = await request(url, { method: "POST", headers: { ...headers, accept: "application/json" }, body })
  const text = await response.body.text()
  if (response.statusCode !== status) throw new Error(`${response.statusCode}: ${text}`)
  return JSON.parse(text)
}

handleCommands([
  on(Protocol.record, async ({ candidates, isPaced, seconds }) => {
    const pieces = await piecesOfFilm(seconds)
    const latencies: Array<number> = []
    await Promise.all(
      candidates.map(async ({ origin, question, token }, index) => {
        const base = `${origin}/i/${token}/recordings`
        // as candidates who do not begin in the same moment
        const first = performance.now() + (isPaced ? (index * pieceSeconds * 1000) / candidates.length : 0)
        const { id } = await post(base, 201, form({ question, kind: "video", attempt: "1", consent: "" }))
        for (const [ordinal, body] of pieces.entries()) {
          if (isPaced) await sleep(Math.max(0, first + (ordinal + 1) * pieceSeconds * 1000 - performance.now()))
          const sent = performance.now()
          const headers = { "content-type": "application/octet-stream" }
          await post(`${base}/${id}/pieces/${ordinal}`, 200, { headers, body })
          latencies.push(performance.now() - sent)
        }
        await post(`${base}/${id}/end`, 200, form({ pieces: String(pieces.length) }))
      }),
    )
    return { bytes: candidates.length * pieces.reduce((sum, { length }) => sum + length, 0), latencies }
  }),
])
