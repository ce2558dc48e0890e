/** Postmark's POST /email (postmarkapp.com/developer/api/email-api), and its webhooks. */
import { assert } from "@effect/vitest"
import { Schema } from "effect"
import * as Api from "./Api.ts"
import { type Asked, providerApi } from "./ProviderApi.ts"

const Text = Schema.String.check(Schema.isMinLength(1))

const Email = Schema.Struct({
  From: Text,
  To: Schema.String.check(Schema.isPattern(/^[^@\s\P{ASCII}]+@[^@\s\P{ASCII}]+$/u)),
  ReplyTo: Schema.optionalKey(Text),
  Subject: Text,
  HtmlBody: Text,
  TextBody: Text,
  MessageStream: Text,
  TrackOpens: Schema.Boolean,
  TrackLinks: Schema.Literals(["None", "HtmlAndText", "HtmlOnly", "TextOnly"]),
  Metadata: Schema.Record(Schema.String.check(Schema.isMaxLength(20)), Schema.String.check(Schema.isMaxLength(80))),
  Headers: Schema.Array(Schema.Struct({ Name: Text, Value: Text })),
})

export const token = "hunter2-server-token"

const decode = Schema.decodeUnknownSync(Email, { onExcessProperty: "error" })

const take = ({ body, headers, method, path }: Asked) => {
  assert.strictEqual(`${method} ${path}`, "POST /email")
  assert.match(headers["content-type"] ?? "", /^application\/json/)
  assert.strictEqual(headers["accept"], "application/json")
  const email = decode(JSON.parse(body.toString("utf8")))
  for (const { Name, Value } of email.Headers) assert.notMatch(`${Name}${Value}`, /[\r\n]/)
  assert.notMatch(email.Subject + email.From, /[\r\n]/)
  return email
}

export const postmarkApi = providerApi({
  take,
  refuseKey: ({ headers }) =>
    headers["x-postmark-server-token"] === token
      ? undefined
      : { status: 401, body: { ErrorCode: 10, Message: "No Account or Server API tokens were supplied" } },
  accept: (count) => ({
    status: 200,
    body: {
      To: "a@b.example",
      SubmittedAt: "2026-01-01T00:00:00Z",
      MessageID: `pm-${count}`,
      ErrorCode: 0,
      Message: "OK",
    },
  }),
  refusal: (status, why) => ({ ErrorCode: status === 422 ? 300 : 0, Message: why }),
})

export const eventsSecret = "hunter2-of-the-webhooks"

/** Basic authentication as in the address of a webhook. */
export const basic = (password = eventsSecret, user = "postmark") => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
})

export const post = (report: unknown, headers: Record<string, string> = basic()) =>
  Api.call("POST", "/providers/postmark/events", {
    raw: typeof report === "string" ? report : JSON.stringify(report),
    headers: { "content-type": "application/json", ...headers },
  })

let count = 0

export const report = (type: string, emailId: string | undefined, more: object = {}) => ({
  RecordType: type,
  MessageStream: "outbound",
  MessageID: "883953f4-6105-42a2-a16a-77a8eac79483",
  ServerID: 23,
  Tag: "",
  Recipient: "ada@example.com",
  // of each report another moment
  ReceivedAt: new Date(Date.UTC(2026, 0, 1) + ++count).toISOString(),
  Metadata: emailId === undefined ? {} : { email_id: emailId },
  ...more,
})
