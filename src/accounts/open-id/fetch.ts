/** Requests to the provider: no redirect is followed, and no answer is longer than a few keys and claims need. */
import type { CustomFetch } from "openid-client"

/** In bytes. Documents of large providers have some 10 KB. */
const longest = 1_048_576

const nullBody = [204, 205, 304]

/** openid-client adds the time limit, as a signal, and `redirect: "manual"`. */
export const boundedFetch: CustomFetch = async (url, { body: sent = null, ...options }) => {
  const { body, headers, status } = await fetch(url, { ...options, body: sent, redirect: "manual" })
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > longest) throw new TypeError(`the provider's answer is longer than ${longest} bytes`)
    chunks.push(chunk)
  }
  return new Response(nullBody.includes(status) ? null : Buffer.concat(chunks), { status, headers })
}
