/** Mailgun's POST /v3/<domain>/messages (documentation.mailgun.com), and its webhooks. */
import { createHmac, randomBytes } from "node:crypto"
import { assert } from "@effect/vitest"
import { Clock, Effect } from "effect"
import * as Api from "./Api.ts"
import { type Asked, providerApi } from "./ProviderApi.ts"

export const apiKey = "hunter2-key"
export const domain = "mg.acme.example"

const known =
  /^(from|to|subject|text|html|h:(Auto-Submitted|List-Unsubscribe|List-Unsubscribe-Post|Reply-To|Message-Id)|v:email_id|o:tracking-(opens|clicks))$/

/** The fields of a multipart body; the API answers after it has read them. */
const fieldsOf = ({ body, headers }: Asked): ReadonlyMap<string, string> => {
  const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(headers["content-type"] ?? "")?.[1]
  assert.isDefined(boundary)
  const fields = new Map<string, string>()
  for (const part of body.toString("utf8").split(`--${boundary}`).slice(1, -1)) {
    const [, name, value] = /^\r\nContent-Disposition: form-data; name="([^"]+)"\r\n\r\n([\s\S]*)\r\n$/.exec(part) ?? []
    assert.isDefined(name)
    assert.isFalse(fields.has(name ?? ""))
    // a form's line breaks are CRLF, as those of an email
    fields.set(name ?? "", (value ?? "").replaceAll("\r\n", "\n"))
  }
  return fields
}

const take = (asked: Asked) => {
  assert.strictEqual(`${asked.method} ${asked.path}`, `POST /v3/${domain}/messages`)
  const fields = fieldsOf(asked)
  for (const [name, value] of fields) {
    assert.match(name, known)
    if (name !== "text" && name !== "html") assert.notMatch(value, /[\r\n]/)
  }
  for (const name of ["from", "to", "subject", "text", "html"]) assert.isNotEmpty(fields.get(name))
  assert.match(fields.get("to") ?? "", /^[^@\s\P{ASCII}]+@[^@\s\P{ASCII}]+$/u)
  return fields
}

export const mailgunApi = providerApi({
  take,
  refuseKey: ({ headers }) =>
    headers["authorization"] === `Basic ${Buffer.from(`api:${apiKey}`).toString("base64")}`
      ? undefined
      : { status: 401, body: "Forbidden", headers: { "content-type": "text/plain" } },
  accept: (count) => ({ status: 200, body: { id: `<mg-${count}@${domain}>`, message: "Queued. Thank you." } }),
  refusal: (_, message) => ({ message }),
})

export const eventsKey = "hunter2-signing-key"

export interface Signed {
  /** Of the signature, in seconds. */
  readonly age?: number
  readonly token?: string
  readonly key?: string
}

export const signature = (timestamp: string, token: string, key = eventsKey) => ({
  timestamp,
  token,
  signature: createHmac("sha256", key)
    .update(timestamp + token)
    .digest("hex"),
})

export const signed = Effect.fnUntraced(function* (event: unknown, { age = 0, key, token }: Signed = {}) {
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  return {
    signature: signature(String(now - age), token ?? randomBytes(25).toString("hex"), key),
    "event-data": event,
  }
})

export const postRaw = (body: unknown) =>
  Api.call("POST", "/providers/mailgun/events", {
    raw: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": "application/json" },
  })

export const post = (event: unknown, options?: Signed) => Effect.flatMap(signed(event, options), postRaw)

export const report = (event: string, emailId: string | undefined, more: object = {}) => ({
  event,
  id: "CPgfbmQMTCKtHW6uIWtuVe",
  timestamp: 1_521_472_262.908181,
  "log-level": "info",
  recipient: "ada@example.com",
  message: { headers: { "message-id": "20260203192638.000be97f99f8cea1@mg.acme.example" }, size: 341 },
  "user-variables": emailId === undefined ? {} : { email_id: emailId },
  ...more,
})
