/** Commands to a process under measurement, over HTTP on a separate port. */
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { Effect, Schema } from "effect"
import { BenchFailed } from "./BenchFailed.ts"
import { ready } from "./child.ts"

export interface Command<In, Out> {
  readonly name: string
  readonly input: Schema.Codec<In, unknown>
  readonly output: Schema.Codec<Out, unknown>
}

export interface Handler {
  readonly name: string
  readonly run: (input: unknown) => Promise<unknown>
}

export const on = <In, Out>({ input, name }: Command<In, Out>, run: (input: In) => Promise<Out> | Out): Handler => {
  const decode = Schema.decodeUnknownSync(input)
  return { name, run: async (body) => run(decode(body)) }
}

/** Listens for commands and reports that this process is ready. */
export const handleCommands = (handlers: ReadonlyArray<Handler>): void => {
  const server = createServer(async (request, response) => {
    try {
      const handler = handlers.find(({ name }) => request.url === `/${name}`)
      if (handler === undefined) throw new Error(`${request.url} is not a command`)
      response.end(JSON.stringify(await handler.run(JSON.parse(await text(request)))))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  server.listen(0, "127.0.0.1", () => ready(portOf(server)))
}

export const portOf = (server: ReturnType<typeof createServer>): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

const timeout = "5 minutes"

/** Sends a command and returns its decoded response. Fails with `BenchFailed`. */
export const sendCommand = Effect.fnUntraced(function* <In, Out>(
  origin: string,
  { name, output }: Command<In, Out>,
  input: NoInfer<In>,
) {
  const failed = (why: unknown) => new BenchFailed({ message: `${name}: ${String(why)}` })
  const json = yield* Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(`${origin}/${name}`, { method: "POST", body: JSON.stringify(input), signal })
      const body = await response.text()
      if (!response.ok) throw new Error(body)
      return JSON.parse(body)
    },
    catch: failed,
  }).pipe(
    Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(failed(`no response within ${timeout}`)) }),
  )
  return yield* Effect.mapError(Schema.decodeUnknownEffect(output)(json), failed)
})
