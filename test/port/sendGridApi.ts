/** SendGrid's POST /v3/mail/send for tests. It answers 400 to requests that SendGrid's documentation does not describe. */
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { read, receiver } from "./receivers.ts"

const Text = Schema.String.check(Schema.isMinLength(1))
const strict = { onExcessProperty: "error" } as const
const Address = Schema.Struct({
  email: Schema.String.check(Schema.isPattern(/^[^@\s\P{ASCII}]+@[^@\s\P{ASCII}]+$/u)),
  name: Schema.optionalKey(Text),
})
const Setting = Schema.Struct({ enable: Schema.Boolean, enable_text: Schema.optionalKey(Schema.Boolean) })

export const MailSend = Schema.Struct({
  personalizations: Schema.Array(
    Schema.Struct({
      to: Schema.Array(Address).check(Schema.isMinLength(1), Schema.isMaxLength(1000)),
      custom_args: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
    }),
  ).check(Schema.isMinLength(1)),
  from: Address,
  reply_to: Schema.optionalKey(Address),
  subject: Text,
  content: Schema.Array(Schema.Struct({ type: Schema.Literals(["text/plain", "text/html"]), value: Text })),
  headers: Schema.Record(Schema.String, Schema.String),
  tracking_settings: Schema.Struct({ click_tracking: Setting, open_tracking: Setting, subscription_tracking: Setting }),
})
export type MailSend = typeof MailSend.Type

const reserved =
  /^(x-sg-id|x-sg-eid|received|dkim-signature|content-transfer-encoding|content-type|to|from|subject|reply-to|cc|bcc)$/i

const decode = Schema.decodeUnknownSync(MailSend, strict)

const faultOf = (method: string | undefined, path: string | undefined, type: string | undefined, body: string) => {
  try {
    assert.strictEqual(`${method} ${path}`, "POST /v3/mail/send")
    assert.match(type ?? "", /^application\/json/)
    const { content, headers } = decode(JSON.parse(body))
    for (const [name, value] of Object.entries(headers)) assert.notMatch(`${name}\n${value}`, /\n.*[\r\n]/s)
    for (const name of Object.keys(headers)) assert.notMatch(name, reserved)
    assert.deepStrictEqual(
      content.map(({ type }) => type),
      ["text/plain", "text/html"],
    )
    return undefined
  } catch (error) {
    return String(error)
  }
}

export const apiKey = "SG.hunter2.key"

/** Runs until the scope closes. `script.status` replaces 202, 0 closes the connection; `script.field` is that of its error. */
export const sendGridApi = Effect.gen(function* () {
  const script: { status?: number | undefined; field?: string; silent?: boolean } = {}
  const requests: Array<MailSend> = []
  const faults: Array<string> = []
  let count = 0
  const { url } = yield* receiver(async (request, response) => {
    const body = (await read(request)).toString("utf8")
    count++
    const fault = faultOf(request.method, request.url, request.headers["content-type"], body)
    if (fault !== undefined) faults.push(fault)
    const say = (status: number, message: string) =>
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify({ errors: [{ message, field: script.field ?? null, help: null }] }))
    if (script.silent) return
    if (script.status === 0) return void request.socket.destroy()
    if (request.headers["user-agent"] === undefined) return void say(400, "no user agent")
    if (request.headers["traceparent"] !== undefined) return void say(400, "a trace")
    if (request.headers["authorization"] !== `Bearer ${apiKey}`)
      return void say(401, "The provided authorization grant is invalid")
    if (fault !== undefined) return void say(400, fault)
    if (script.status !== undefined) return void say(script.status, "as the test\nsays")
    requests.push(decode(JSON.parse(body)))
    response.writeHead(202, { "x-message-id": `sg${count}abcDEF` }).end()
  })
  return { baseUrl: new URL(url).origin, script, requests, faults }
})
