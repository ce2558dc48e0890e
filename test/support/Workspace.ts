/** Requests to the workspace's pages as a browser without scripts sends them. */
import { assert } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { Role } from "../../src/accounts/members/Member.ts"
import { Organizations } from "../../src/accounts/Organizations.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"
import { Server } from "./Api.ts"
import * as LogWatch from "./LogWatch.ts"

export const password = "a long password, with spaces"

export const member = Effect.fnUntraced(function* (
  organization: OrganizationId,
  email = "grace@example.com",
  role: Role = "owner",
) {
  const id = yield* (yield* Organizations).addMember(organization, { email, role, password: Redacted.make(password) })
  return { id, email }
}, Effect.orDie)

export interface RequestOptions {
  readonly cookie?: string | undefined
  readonly fields?: Record<string, string> | URLSearchParams
  /** Undefined removes a header that a browser would send. */
  readonly headers?: Readonly<Record<string, string | undefined>>
}

/** Does not follow redirects. */
export const request = Effect.fnUntraced(function* (
  method: string,
  path: string,
  { cookie, fields, headers }: RequestOptions = {},
) {
  const { url } = yield* Server
  for (const pair of cookie?.split("; ") ?? []) LogWatch.secret(pair.slice(pair.indexOf("=") + 1))
  const posted = new URLSearchParams(fields)
  for (const name of ["password", "current_password", "new_password"]) LogWatch.secret(posted.get(name) ?? "")
  return yield* Effect.promise(async () => {
    const response = await fetch(url + path, {
      method,
      redirect: "manual",
      headers: Object.entries({
        accept: "text/html",
        origin: method === "POST" ? "http://localhost:8080" : undefined,
        cookie,
        ...headers,
      }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]])),
      ...(fields === undefined ? {} : { body: new URLSearchParams(fields) }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    return {
      status: response.status,
      headers: response.headers,
      location: response.headers.get("location"),
      cookies: response.headers.getSetCookie(),
      bytes,
      text: bytes.toString("utf8"),
    }
  })
})

/** Returns cookies as `name=value`. */
export const signIn = Effect.fnUntraced(function* (email: string, options: RequestOptions = {}) {
  const fields = { email, password, ...Object.fromEntries(new URLSearchParams(options.fields)) }
  const answer = yield* request("POST", "/sign-in", { ...options, fields })
  assert.strictEqual(answer.status, 303, answer.text)
  const cookies = answer.cookies.map((one) => one.split(";")[0] ?? "")
  const cookie = cookies.find((one) => /^(__Host-)?session=[\w-]{43}$/.test(one))
  const device = cookies.find((one) => /^(__Host-)?device=[\w-]{22}$/.test(one))
  assert(cookie !== undefined && device !== undefined, String(cookies))
  return { cookie, device, answer }
})
