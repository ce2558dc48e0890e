/** W3C Trace Context's traceparent, stored with queued rows and sent to receivers. */
import { Option, type Tracer } from "effect"
import { Headers, HttpTraceContext } from "effect/http"

export const traceparentOf = (span: Tracer.AnySpan | undefined): string | undefined =>
  span?.sampled ? `00-${span.traceId.padStart(32, "0")}-${span.spanId}-01` : undefined

export const parseTraceparent = (text: string): Tracer.ExternalSpan | undefined =>
  Option.getOrUndefined(HttpTraceContext.w3c(Headers.fromInput({ traceparent: text })))
