/** An OpenTelemetry collector for tests: records exports by OTLP over HTTP. */
import { createServer, type IncomingHttpHeaders } from "node:http"
import { Effect } from "effect"
import { listen } from "./listen.ts"

export interface Exported {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string }
}

/** A span in OTLP's JSON; ids in hex. */
export interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: ReadonlyArray<Attribute>
}

interface Payload {
  readonly resourceSpans?: ReadonlyArray<{
    readonly resource: { readonly attributes: ReadonlyArray<Attribute> }
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<OtlpSpan> }>
  }>
  readonly resourceLogs?: ReadonlyArray<{
    readonly scopeLogs: ReadonlyArray<{
      readonly logRecords: ReadonlyArray<{
        readonly traceId?: string
        readonly body: { readonly stringValue?: string }
      }>
    }>
  }>
}

export const start = Effect.gen(function* () {
  const exported: Array<Exported> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      exported.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks) })
      response.writeHead(200, { "content-type": "application/json" }).end("{}")
    })
  })
  const url = yield* listen(server)
  const payloads = (path: string): ReadonlyArray<Payload> =>
    exported.filter((one) => one.path === path).map(({ body }) => JSON.parse(body.toString()))
  return {
    url,
    exported,
    spans: () =>
      payloads("/v1/traces").flatMap(({ resourceSpans = [] }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    resource: () =>
      Object.fromEntries(
        (payloads("/v1/traces")[0]?.resourceSpans?.[0]?.resource.attributes ?? []).map(({ key, value }) => [
          key,
          value.stringValue,
        ]),
      ),
    logs: () =>
      payloads("/v1/logs").flatMap(({ resourceLogs = [] }) =>
        resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords)),
      ),
  }
})

export const attributesOf = ({ attributes }: OtlpSpan): Record<string, string | number | undefined> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))
