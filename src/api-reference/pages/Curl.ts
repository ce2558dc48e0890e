/** An operation as a line for the shell. */
import type { Operation } from "../document/Document.ts"

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The id of the record that an operation's example answers with: what stands in its path. */
const exampleId = ({ responses }: Operation): string => {
  const [success] = Object.values(responses)
  const [media] = success !== undefined && "content" in success ? Object.values(success.content ?? {}) : []
  const [example] = Object.values(media?.examples ?? {})
  const { results } = (example?.value ?? {}) as { readonly results?: { readonly id?: unknown } }
  return String(results?.id)
}

/** The operation with the values of its first examples; the key is taken from the environment. */
export const curl = (server: string, method: string, path: string, operation: Operation): string => {
  const [media] = Object.values(operation.requestBody?.content ?? {})
  const [example] = Object.values(media?.examples ?? {})
  const isPost = method === "post"
  return [
    `curl -sS${isPost && example === undefined ? " -X POST" : ""} ${server}${path.replace(/\{\w+\}/, exampleId(operation))}`,
    '-H "X-API-Key: $API_KEY"',
    ...(isPost ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(example === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(example.value, null, 2))}`]),
  ].join(" \\\n  ")
}
