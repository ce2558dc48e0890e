/** Parameters as they stand in a request, headers of requests and answers, and which of them an answer has. */
import { idempotencyKey } from "../accounts/IdempotencyApi.ts"
import { pageLimit } from "../values/Page.ts"
import type { Header, Parameter, Reference, SchemaObject } from "./OpenApiDocument.ts"

/** Query parameters that are numbers: their schemas read text, and tell of nothing else. */
export const numbers: Readonly<Record<string, SchemaObject>> = {
  limit: {
    type: "integer",
    description: "Records on a page",
    minimum: pageLimit.min,
    maximum: pageLimit.max,
    default: pageLimit.default,
  },
  set_type: { type: "integer", description: "Only interviews (1) or CV sets (2)", enum: [1, 2] },
}

const requestId = "7d1f0a52-6f0e-4a37-9c2b-8a1e3f5d9b20"

export const parameters: Readonly<Record<string, Parameter>> = {
  "X-Request-Id": {
    name: "X-Request-Id",
    in: "header",
    required: false,
    description:
      "Your own id of the request, 1 to 128 visible ASCII characters. It comes back with the answer and stands in this service's log. Without it, or with one of another form, the service makes one",
    schema: { type: "string" },
    example: requestId,
  },
  "Idempotency-Key": {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "Any text of yours, 1 to 255 visible ASCII characters, such as a UUID. For 24 hours the same key with the same request gives the first answer again and does nothing more",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: idempotencyKey.source },
    example: "0b7f2f0e-6a3c-4c1e-9d52-2f7b6f1c8a90",
  },
}

export const headers: Readonly<Record<string, Header>> = {
  "X-Request-Id": {
    description: "With every answer: the request's id, yours or one made here. Name it when you ask about a request",
    schema: { type: "string" },
    example: requestId,
  },
  RateLimit: {
    description:
      "With every answer to a known key: what is left of the limit (draft-ietf-httpapi-ratelimit-headers), r requests now, and all of them again in t seconds",
    schema: { type: "string" },
    example: '"minute";r=430;t=17',
  },
  "RateLimit-Policy": {
    description: "With every answer to a known key: the limit, q requests in w seconds",
    schema: { type: "string" },
    example: '"minute";q=600;w=60',
  },
  "Retry-After": {
    description: "With 429 and 503: seconds to wait before the request is repeated",
    schema: { type: "integer", minimum: 1 },
    example: 17,
  },
  "WWW-Authenticate": {
    description: "With 401: how to authenticate, that is with an API key",
    schema: { type: "string" },
    example: "ApiKey",
  },
  "Idempotency-Replayed": {
    description:
      "With the answer to a POST that was repeated with its Idempotency-Key: it is the first answer, given again",
    schema: { type: "string", const: "true" },
    example: "true",
  },
}

/** The headers of an answer with this status. */
export const headersOf = (status: number, isReplayable = false): Readonly<Record<string, Reference>> => {
  const has: Readonly<Record<string, boolean>> = {
    "X-Request-Id": true,
    // counted once it is known whose request it is
    RateLimit: status !== 401,
    "RateLimit-Policy": status !== 401,
    "Retry-After": status === 429 || status === 503 || (status === 409 && isReplayable),
    "WWW-Authenticate": status === 401,
    "Idempotency-Replayed": isReplayable,
  }
  const names = Object.keys(headers).filter((name) => has[name] === true)
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
