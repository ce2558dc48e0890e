/** The Fastify app of both peers: checks API keys before it reads a body, and returns errors like the service's. */
import { createHash, timingSafeEqual } from "node:crypto"
import Fastify, { type FastifyInstance } from "fastify"
import { ready } from "../support/child.ts"
import { prepared } from "./postgres.ts"

declare module "fastify" {
  interface FastifyRequest {
    organization: number
  }
  interface FastifyContextConfig {
    /** The scope that a restricted key must have; without it every key has access. */
    readonly scope?: string
  }
}

export class Problem extends Error {
  readonly statusCode: number
  readonly body: object

  constructor(statusCode: number, code: string, detail: string, errors?: ReadonlyArray<object>) {
    super(detail)
    this.statusCode = statusCode
    this.body = { type: "about:blank", status: statusCode, code, detail, errors }
  }
}

export const notFound = (record: string) => new Problem(404, "not_found", `no such ${record} in this organization`)

export const invalid = (errors: ReadonlyArray<object>) =>
  new Problem(422, "validation_failed", "the request breaks a rule", errors)

const keyForm = /^(iv_live_[a-z0-9]{8})\.([A-Za-z0-9_-]{43})$/

const findKey = prepared<{
  id: string
  organization_id: number
  secret_hash: Buffer
  scopes: ReadonlyArray<string>
  status: string
  expired: boolean
  needs_touch: boolean
}>(`
  select id, organization_id, secret_hash, scopes, status, coalesce(expires_at <= now(), false) as expired,
    coalesce(last_used_at < now() - interval '1 minute', true) as needs_touch
  from api_key where prefix = $1`)

const recordUse = prepared("update api_key set last_used_at = now() where id = $1")

interface Accepted {
  readonly organization: number
  readonly scopes: ReadonlyArray<string>
}

/** Milliseconds; as long as the service trusts a key (accounts/api-keys/ApiKey.ts). */
const trustedFor = 1000

/** Accepted keys, and until when they are trusted. */
const accepted = new Map<string, Accepted & { readonly until: number }>()

const lookUp = async (presented: string): Promise<Accepted> => {
  const [, prefix, secret] = keyForm.exec(presented) ?? []
  if (prefix === undefined || secret === undefined) throw new Problem(401, "unauthorized", "the API key is malformed")
  const [key] = await findKey([prefix])
  const hash = createHash("sha256").update(Buffer.from(secret, "base64url")).digest()
  if (key === undefined || !timingSafeEqual(hash, key.secret_hash)) {
    throw new Problem(401, "unauthorized", "the API key is not known")
  }
  if (key.status !== "active" || key.expired)
    throw new Problem(401, "unauthorized", "the API key is not valid any more")
  if (key.needs_touch) await recordUse([key.id])
  return { organization: key.organization_id, scopes: key.scopes }
}

const authenticate = async (presented: string, scope: string | undefined): Promise<number> => {
  const begun = performance.now()
  const known = accepted.get(presented)
  const key = known !== undefined && known.until > begun ? known : await lookUp(presented)
  if (key !== known) accepted.set(presented, { ...key, until: begun + trustedFor })
  if (key.scopes.length > 0 && scope !== undefined && !key.scopes.includes(scope)) {
    throw new Problem(403, "missing_scope", `the API key lacks the scope ${scope}`)
  }
  return key.organization
}

export const make = (): FastifyInstance => {
  // reports all validation errors, and does not convert numbers to strings
  const app = Fastify({
    bodyLimit: 2 * 1024 * 1024,
    ajv: { customOptions: { allErrors: true, allowUnionTypes: true, coerceTypes: false, removeAdditional: false } },
  })
  app.decorateRequest("organization", 0)
  app.addHook("onRequest", async (request) => {
    request.organization = await authenticate(String(request.headers["x-api-key"]), request.routeOptions.config.scope)
  })
  app.setErrorHandler<Error & { validation?: ReadonlyArray<{ instancePath: string; message?: string }> }>(
    (error, _request, reply) => {
      const problem =
        error instanceof Problem
          ? error
          : error.validation === undefined
            ? new Problem(500, "internal_error", "this is our fault")
            : invalid(error.validation.map(({ instancePath, message }) => ({ pointer: `#${instancePath}`, message })))
      if (problem.statusCode === 500) process.stderr.write(`${error.stack}\n`)
      return reply.status(problem.statusCode).type("application/problem+json").send(problem.body)
    },
  )
  return app
}

export const serve = async (app: FastifyInstance): Promise<void> => {
  const address = await app.listen({ host: "127.0.0.1", port: 0 })
  ready(Number(new URL(address).port))
}

// JSON schemas; null means absent
const nullable = (type: string, rest: object = {}) => ({ type: [type, "null"], ...rest })
export const text = (maxLength: number) => nullable("string", { maxLength })
export const anyText = nullable("string")
export const integer = nullable("integer", { minimum: -2147483648, maximum: 2147483647 })
export const integerFrom = (minimum: number) => nullable("integer", { minimum, maximum: 2147483647 })
export const metadata = nullable("object")
export const uuidForm = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"
export const uuid = nullable("string", { pattern: uuidForm })
export const list = (items: object) => nullable("array", { items })
