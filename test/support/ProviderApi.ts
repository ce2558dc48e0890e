/** The API of an email provider for tests. It refuses requests that the provider's documentation does not describe. */
import type { IncomingHttpHeaders } from "node:http"
import { Effect } from "effect"
import { read, receiver } from "../port/receivers.ts"

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

interface Answered {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body: unknown
}

/** What the test makes the API do. */
export interface Script {
  /** In place of an acceptance; 0 closes the connection. */
  status?: number | undefined
  /** Of the refusal with `status`. */
  body?: unknown
  headers?: Record<string, string>
  silent?: boolean
}

interface Behaviour<Taken> {
  /** The email of a request; throws when the request is not as documented. */
  readonly take: (asked: Asked) => Taken
  /** Undefined: the request has the right key. */
  readonly refuseKey: (asked: Asked) => Answered | undefined
  readonly accept: (count: number) => Answered
  /** The body of a refusal with a status. */
  readonly refusal: (status: number, why: string) => unknown
}

/** Runs until the scope closes. */
export const providerApi = <Taken>({ accept, refusal, refuseKey, take }: Behaviour<Taken>) =>
  Effect.gen(function* () {
    const script: Script = {}
    const taken: Array<Taken> = []
    const asked: Array<Asked> = []
    const faults: Array<string> = []
    const { url } = yield* receiver(async (request, response) => {
      const one: Asked = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body: await read(request),
      }
      asked.push(one)
      const say = ({ body, headers = {}, status }: Answered) =>
        void response
          .writeHead(status, { "content-type": "application/json", ...headers })
          .end(typeof body === "string" ? body : JSON.stringify(body))
      if (script.silent) return
      if (script.status === 0) return void request.socket.destroy()
      const wrongKey = refuseKey(one)
      if (wrongKey !== undefined) return say(wrongKey)
      const complain = (why: string) => {
        faults.push(why)
        say({ status: 400, body: refusal(400, why) })
      }
      if (one.headers["user-agent"] === undefined) return complain("no user agent")
      if (one.headers["traceparent"] !== undefined) return complain("a trace")
      let mail: Taken
      try {
        mail = take(one)
      } catch (error) {
        return complain(String(error))
      }
      if (script.status !== undefined) {
        const { body = refusal(script.status, "as the test\nsays"), headers, status } = script
        return say({ status, body, ...(headers === undefined ? {} : { headers }) })
      }
      taken.push(mail)
      say(accept(taken.length))
    })
    return { baseUrl: new URL(url).origin, script, taken, asked, faults }
  })

/** `"Name" <address>` without the quotes, as the port's suite expects a sender. */
export const unquoted = (mailbox: string): string =>
  mailbox.replace(/^"((?:[^"\\]|\\.)*)" /, (_, name: string) => `${name.replaceAll(/\\(.)/g, "$1")} `)
