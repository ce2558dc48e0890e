/** Amazon SES's POST /v2/email/outbound-emails with Signature Version 4, and an SNS topic that posts its events. */
import { createHash, createHmac, generateKeyPairSync, randomUUID, sign } from "node:crypto"
import { assert } from "@effect/vitest"
import { Clock, Effect, Layer, Schema } from "effect"
import { type ParsedMail, simpleParser } from "mailparser"
import { SnsAddress } from "../../src/emails/SnsMessage.ts"
import { issue } from "../port/certificates.ts"
import { receiver } from "../port/receivers.ts"
import * as Api from "./Api.ts"
import { type Asked, providerApi } from "./ProviderApi.ts"

export const region = "eu-central-1"
export const credentials = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "hunter2/secret", sessionToken: "a-session" }

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex")
const hmac = (key: string | Buffer, data: string) => createHmac("sha256", key).update(data).digest()

/** docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
const isSigned = ({ body, headers, method, path }: Asked): boolean => {
  const [, scope = "", names = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(
      headers["authorization"] ?? "",
    ) ?? []
  const date = String(headers["x-amz-date"])
  if (scope !== `${date.slice(0, 8)}/${region}/ses/aws4_request`) return false
  if (!["host", "x-amz-date", "x-amz-security-token"].every((name) => names.split(";").includes(name))) return false
  if (headers["x-amz-security-token"] !== credentials.sessionToken) return false
  const signedHeaders = names.split(";").map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = [method, path, "", signedHeaders.join(""), names, sha256(body)].join("\n")
  const text = ["AWS4-HMAC-SHA256", date, scope, sha256(canonical)].join("\n")
  const key = scope.split("/").reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`)
  return hmac(key, text).toString("hex") === signature
}

const Text = Schema.String.check(Schema.isMinLength(1))
const TagText = Schema.String.check(Schema.isPattern(/^[\w-]{1,256}$/))

const SendEmail = Schema.Struct({
  FromEmailAddress: Text,
  Destination: Schema.Struct({ ToAddresses: Schema.Array(Text).check(Schema.isMinLength(1), Schema.isMaxLength(50)) }),
  Content: Schema.Struct({ Raw: Schema.Struct({ Data: Text }) }),
  EmailTags: Schema.Array(Schema.Struct({ Name: TagText, Value: TagText })),
  ConfigurationSetName: Text,
})

const decode = Schema.decodeUnknownSync(SendEmail, { onExcessProperty: "error" })

const take = ({ body, headers, method, path }: Asked) => {
  assert.strictEqual(`${method} ${path}`, "POST /v2/email/outbound-emails")
  assert.match(headers["content-type"] ?? "", /^application\/json/)
  return decode(JSON.parse(body.toString("utf8")))
}

export const sesApi = providerApi({
  take,
  refuseKey: (asked) =>
    isSigned(asked)
      ? undefined
      : {
          status: 403,
          headers: { "x-amzn-errortype": "SignatureDoesNotMatch" },
          body: { message: "The request signature we calculated does not match" },
        },
  accept: (count) => ({ status: 200, body: { MessageId: `ses-${count}-000000` } }),
  refusal: (_, message) => ({ message }),
})

export const parsed = (data: string): Promise<ParsedMail> => simpleParser(Buffer.from(data, "base64"))

export const topic = `arn:aws:sns:${region}:123456789012:interviews`
export const realAddress = `https://sns.${region}.amazonaws.com`
const certificate = "/SimpleNotificationService-0123456789abcdef.pem"

/** SNS does not answer a request for it. */
export const unanswered = "/SimpleNotificationService-0d.pem"

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 })
const issued = issue({ name: "sns.amazonaws.com", hosts: ["sns.amazonaws.com"], keys: pair })
const expired = issue({ name: "sns.amazonaws.com", hosts: ["sns.amazonaws.com"], keys: pair, years: [2020, 2021] })

/** SNS in the region of the topic, and its requests. */
export const sns = Effect.gen(function* () {
  const asked: Array<string> = []
  const script: { status?: number | undefined } = {}
  const files = new Map([
    [certificate, issued.cert],
    ["/SimpleNotificationService-0a.pem", expired.cert],
    ["/SimpleNotificationService-0b.pem", "no certificate"],
  ])
  const { url } = yield* receiver((request, response) => {
    const path = request.url ?? ""
    asked.push(path)
    if (script.status === 0) return void request.socket.destroy()
    if (script.status !== undefined) return void response.writeHead(script.status).end()
    if (path === unanswered) return
    if (path.startsWith("/?")) return void response.writeHead(200).end("<ConfirmSubscriptionResponse/>")
    const file = files.get(path)
    response.writeHead(file === undefined ? 403 : 200).end(file)
  })
  return { asked, script, address: new URL(url).origin, layer: Layer.succeed(SnsAddress, () => new URL(url).origin) }
})

export interface Posted {
  /** Of the message, in seconds. */
  readonly age?: number
  readonly version?: "1" | "2" | "3"
  /** Applied after the signature. */
  readonly changes?: object
  readonly id?: string
}

const order = ["Message", "MessageId", "Subject", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"] as const

/** A message as SNS signs it. */
export const message = Effect.fnUntraced(function* (
  fields: { readonly [name in (typeof order)[number]]?: string },
  { age = 0, changes, id = randomUUID(), version = "1" }: Posted = {},
) {
  const now = yield* Clock.currentTimeMillis
  const all = {
    Type: "Notification",
    MessageId: id,
    TopicArn: topic,
    Timestamp: new Date(now - age * 1000).toISOString(),
    ...fields,
  } as Record<string, string>
  const text = order.flatMap((name) => (all[name] === undefined ? [] : [`${name}\n${all[name]}\n`])).join("")
  return {
    ...all,
    SignatureVersion: version,
    Signature: sign(version === "1" ? "sha1" : "sha256", Buffer.from(text), pair.privateKey).toString("base64"),
    SigningCertURL: realAddress + certificate,
    UnsubscribeURL: `${realAddress}/?Action=Unsubscribe`,
    ...changes,
  }
})

export const postRaw = (body: unknown) =>
  Api.call("POST", "/providers/ses/events", {
    raw: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": "text/plain; charset=UTF-8", "x-amz-sns-message-type": "Notification" },
  })

export const post = (event: unknown, options?: Posted) =>
  Effect.flatMap(
    message({ Message: typeof event === "string" ? event : JSON.stringify(event), Subject: "Amazon SES" }, options),
    postRaw,
  )

export const report = (eventType: string, emailId: string | undefined, more: object = {}) => ({
  eventType,
  mail: {
    timestamp: "2026-01-01T00:00:00.000Z",
    messageId: "EXAMPLE7c191be45-e9aedb9a-02f9-4d12-a87d-dd0099a07f8a-000000",
    destination: ["ada@example.com"],
    tags: { "ses:configuration-set": ["interviews"], ...(emailId === undefined ? {} : { email_id: [emailId] }) },
  },
  ...more,
})
