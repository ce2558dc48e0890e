/** Sends hostile requests over new connections, each from another client address. */
import { Agent } from "undici"
import { appUrl, timeoutMillis } from "./settings.ts"

export interface Hostile {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: Buffer | string
}

export interface Answer {
  /** 0: the connection ended or timed out. */
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

let sent = 0

const nextAddress = (): string => {
  sent++
  return `198.${18 + ((sent >> 16) & 1)}.${(sent >> 8) & 255}.${sent & 255}`
}

export const form = "application/x-www-form-urlencoded"

/** Sends all requests at once, over at most `connections` connections. */
export const send = async (
  origin: string,
  requests: ReadonlyArray<Hostile>,
  connections = 64,
): Promise<ReadonlyArray<Answer>> => {
  const agent = new Agent({ connections, pipelining: 1, headersTimeout: timeoutMillis, bodyTimeout: timeoutMillis })
  try {
    return await Promise.all(
      requests.map(async ({ body, headers, method, path }): Promise<Answer> => {
        try {
          const answer = await agent.request({
            origin,
            method,
            path,
            headers: { "x-forwarded-for": nextAddress(), accept: "text/html", origin: appUrl, ...headers },
            body: body ?? null,
          })
          return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
        } catch {
          return { status: 0, headers: {}, text: "" }
        }
      }),
    )
  } finally {
    await agent.destroy()
  }
}
