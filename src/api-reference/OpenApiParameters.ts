/** Named parameters and headers of the document, and the headers of each response. */
import { idempotencyKey } from "../accounts/api-keys/IdempotencyApi.ts"
import { pageLimit } from "../values/Cursor.ts"
import type { Header, Parameter, Reference, SchemaObject } from "./OpenApiDocument.ts"

/** Query parameters that the generated document declares as strings. */
export const numericQueryParameters: Readonly<Record<string, SchemaObject>> = {
  limit: {
    type: "integer",
    description: "Records on a page",
    minimum: pageLimit.min,
    maximum: pageLimit.max,
    default: pageLimit.default,
  },
  attempt: {
    type: "integer",
    description: "The `attempt` of the answer; by default the last one with the recording or the file",
    minimum: 1,
    maximum: 999_999_999,
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
      "Your id of the request, 1 to 128 visible ASCII characters. The response returns it, and the service logs it. If it is missing or malformed, the service generates one",
    schema: { type: "string", examples: [requestId] },
  },
  "Idempotency-Key": {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "1 to 255 visible ASCII characters, such as a UUID. For 24 hours the same key with the same request returns the first response again and changes nothing",
    schema: {
      type: "string",
      minLength: 1,
      maxLength: 255,
      pattern: idempotencyKey.source,
      // not the parameter's example, which Scalar does not fill into requests
      examples: ["0b7f2f0e-6a3c-4c1e-9d52-2f7b6f1c8a90"],
    },
  },
}

export const headers: Readonly<Record<string, Header>> = {
  "X-Request-Id": {
    description: "In every response: the request's id, yours or a generated one. Quote it when you ask about a request",
    schema: { type: "string" },
    example: requestId,
  },
  RateLimit: {
    description:
      "In every response to a valid key: the remaining requests (draft-ietf-httpapi-ratelimit-headers), r now, and all of them again in t seconds",
    schema: { type: "string" },
    example: '"minute";r=430;t=17',
  },
  "RateLimit-Policy": {
    description: "In every response to a valid key: the limit, q requests in w seconds",
    schema: { type: "string" },
    example: '"minute";q=600;w=60',
  },
  "Retry-After": {
    description: "With 429 and 503: seconds to wait before retrying",
    schema: { type: "integer", minimum: 1, maximum: 86_400 },
    example: 17,
  },
  "WWW-Authenticate": {
    description: "With 401: the authentication scheme, an API key",
    schema: { type: "string" },
    example: "ApiKey",
  },
  "Idempotency-Replayed": {
    description:
      "In the response to a repeated POST with the same Idempotency-Key: the response is a copy of the first one",
    schema: { type: "string", const: "true" },
    example: "true",
  },
}

export const headersOf = (status: number, isReplayable = false): Readonly<Record<string, Reference>> => {
  const has: Readonly<Record<string, boolean>> = {
    "X-Request-Id": true,
    // without a valid key, requests are not counted per key
    RateLimit: status !== 401,
    "RateLimit-Policy": status !== 401,
    "Retry-After": status === 429 || status === 503 || (status === 409 && isReplayable),
    "WWW-Authenticate": status === 401,
    "Idempotency-Replayed": isReplayable,
  }
  const names = Object.keys(headers).filter((name) => has[name] === true)
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
