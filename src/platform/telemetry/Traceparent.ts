/** The trace that work belongs to, as it is kept with a row and sent to receivers: W3C Trace Context, traceparent. */
import { Option, type Tracer } from "effect"
import { Headers, HttpTraceContext } from "effect/http"

/** Of a span that is recorded; undefined: nobody follows this trace. */
export const traceparentOf = (span: Tracer.AnySpan | undefined): string | undefined =>
  span?.sampled ? `00-${span.traceId.padStart(32, "0")}-${span.spanId}-01` : undefined

/** The span that it names; undefined: it is none. */
export const parseTraceparent = (text: string): Tracer.ExternalSpan | undefined =>
  Option.getOrUndefined(HttpTraceContext.w3c(Headers.fromInput({ traceparent: text })))
