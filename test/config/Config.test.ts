/** The default of every setting, and errors of wrong values. */
import { assert, describe, it } from "@effect/vitest"
import { ByteSize, ConfigProvider, Duration, Effect, Layer, Redacted } from "effect"
import packageJson from "../../package.json" with { type: "json" }
import * as Config from "../../src/config/Config.ts"
import type { ConfigInvalid } from "../../src/config/SettingReaders.ts"
import { table } from "../../src/config/SettingsTable.ts"
import { exchangeOnline, providerSettings } from "../support/ProviderSettings.ts"
import { everySetting } from "../system/everySetting.ts"

const key = (fill: number) => Buffer.alloc(32, fill).toString("base64")
const required = { SECRET_KEY: key(7), EMAIL: "mailbox" }

const read = <A>(setting: Effect.Effect<A, ConfigInvalid>, environment: Record<string, string>) =>
  Effect.provideService(setting, ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment))

const settings = (environment: Record<string, string>) => read(Config.settings, { ...required, ...environment })

describe("the pod with every setting, test/system/everySetting.ts", () => {
  it("has values other than the defaults, except where another value loads less", () => {
    const values: Readonly<Record<string, string>> = everySetting
    const settings = Object.values<Record<string, { readonly default?: string; readonly what: string }>>(table).flatMap(
      Object.entries,
    )
    const asByDefault = settings.filter(([name, { default: usual }]) => usual !== undefined && values[name] === usual)
    assert.sameMembers(
      asByDefault.map(([name]) => name),
      [
        // `serve` has another default
        "LOG_FORMAT",
        "CV_OCR",
        ...["OTEL_TRACES_EXPORTER", "OTEL_LOGS_EXPORTER", "OTEL_TRACES_SAMPLER_ARG", "OTEL_SDK_DISABLED"],
      ],
    )
  })
})

describe("Config", () => {
  it.effect("has a default for everything but SECRET_KEY and EMAIL", () =>
    Effect.gen(function* () {
      const { secretKeys, webhookRetry, ...rest } = yield* settings({})
      assert.deepStrictEqual(
        secretKeys.map((one) => Buffer.from(Redacted.value(one)).toString("base64")),
        [key(7)],
      )
      assert.deepStrictEqual(webhookRetry, { first: Duration.minutes(2), cap: Duration.hours(2), times: 5 })
      assert.deepStrictEqual(rest, {
        port: 8080,
        host: undefined,
        apiUrl: "http://localhost:8080",
        appUrl: "http://localhost:8080",
        databasePool: 10,
        maxBody: ByteSize.mebibytes(2),
        rateLimit: 600,
        requestLogDays: 7,
        inviteMaxCandidates: 1000,
        invitationExpires: Duration.days(30),
        invitationReminder: Duration.days(3),
        improvementWindow: Duration.hours(24),
        heldEventsInterval: Duration.minutes(10),
        webhookTimeout: Duration.seconds(10),
        outboundProxy: undefined,
        webhookDeactivateAfter: 15,
        webhookProbeFirst: Duration.minutes(2),
        webhookProbeFor: Duration.days(3),
        webhookConcurrency: 400,
        webhookEndpointConcurrency: 10,
        webhookSecretOverlap: Duration.hours(24),
        webhookRetention: Duration.days(30),
        outboundAllow: [],
        hiringSystemHosts: new Set<string>(),
        hiringSystemPartners: Redacted.make({}),
        trustedProxies: [],
        openId: undefined,
        email: { _tag: "mailbox" },
        bounceMailbox: undefined,
        emailEvents: { sendgrid: undefined, postmark: undefined, mailgun: undefined, ses: undefined },
        metricsToken: undefined,
        telemetry: undefined,
        evaluator: { _tag: "keyword" },
        embeddings: undefined,
        transcriber: undefined,
        recordingMaxSize: ByteSize.mebibytes(256),
        recordingsWarnSize: ByteSize.gibibytes(20),
        cvOcr: true,
        files: { store: "postgres", s3: undefined },
        roles: new Set<Config.Role>(["api", "worker"]),
        drainWait: Duration.seconds(5),
        keepAlive: Duration.seconds(75),
        logLevel: "Info",
        logFormat: "pretty",
      })
      assert.strictEqual(yield* read(Config.dataDir, {}), ".data")
    }),
  )

  it.effect("reads values that are set", () =>
    Effect.gen(function* () {
      const found = yield* settings({
        PORT: "0",
        API_URL: "https://api.example.com/",
        APP_URL: "https://app.example.com/",
        HOST: "[::1]",
        MAX_BODY: "64 KiB",
        WEBHOOK_RETRY_FIRST: "100 millis",
        WEBHOOK_RETRY_TIMES: "0",
        OUTBOUND_ALLOW: "127.0.0.0/8, ::1/128",
        TRUSTED_PROXIES: "10.0.0.0/8",
        IMPROVEMENT_WINDOW: "0 hours",
        DRAIN_WAIT: "0",
        KEEP_ALIVE: "5 minutes",
        INVITATION_REMINDER: " none ",
        LOG_FORMAT: "json",
      })
      assert.deepInclude(found, {
        port: 0,
        host: "::1",
        apiUrl: "https://api.example.com",
        appUrl: "https://app.example.com",
        maxBody: ByteSize.kibibytes(64),
        drainWait: Duration.zero,
        keepAlive: Duration.minutes(5),
        improvementWindow: Duration.zero,
        invitationReminder: undefined,
        logFormat: "json",
      })
      assert.deepInclude(found.webhookRetry, { first: Duration.millis(100), times: 0 })
      assert.lengthOf(found.outboundAllow, 2)
      assert.deepStrictEqual(found.trustedProxies.map(String), ["10.0.0.0/8"])
    }),
  )

  it.effect("reads the standard settings of OpenTelemetry", () =>
    Effect.gen(function* () {
      const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example/otlp/" }
      const { telemetry } = yield* settings({
        ...endpoint,
        OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b, other=c=d",
        OTEL_RESOURCE_ATTRIBUTES: "service.name=hiring,deployment.environment=eu",
        OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
        OTEL_TRACES_SAMPLER_ARG: "0.25",
        OTEL_LOGS_EXPORTER: "none",
      })
      assert(telemetry)
      const { headers, ...rest } = telemetry
      assert.deepStrictEqual(Redacted.value(headers), { "x-key": "a b", other: "c=d" })
      assert.deepStrictEqual(rest, {
        endpoint: "https://collector.example/otlp",
        protocol: "http/protobuf",
        traces: "otlp",
        logs: "none",
        serviceName: "hiring",
        attributes: {
          "service.version": packageJson.version,
          "service.name": "hiring",
          "deployment.environment": "eu",
        },
        share: 0.25,
      })
      assert.isUndefined((yield* settings({ ...endpoint, OTEL_SDK_DISABLED: "true" })).telemetry)
      for (const wrong of [
        { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
        { OTEL_EXPORTER_OTLP_HEADERS: "novalue" },
        { OTEL_RESOURCE_ATTRIBUTES: "a=%zz" },
        { OTEL_TRACES_SAMPLER: "always_off" },
        { OTEL_TRACES_SAMPLER_ARG: "2" },
      ]) {
        const { message } = yield* Effect.flip(settings({ ...endpoint, ...wrong }))
        assert.isTrue(message.startsWith(`${Object.keys(wrong)[0]}: `), message)
      }
    }),
  )

  it.effect("derives the URLs from PORT, and treats an empty value as absent", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* settings({ PORT: "9000", API_URL: "" })).apiUrl, "http://localhost:9000")
      assert.strictEqual((yield* settings({ PORT: "" })).port, 8080)
    }),
  )

  it.effect("reads networks of proxies and receivers, and single addresses", () =>
    Effect.gen(function* () {
      const found = yield* settings({
        TRUSTED_PROXIES: "10.1.2.3,::ffff:10.0.0.0/104",
        OUTBOUND_ALLOW: "fd00::/8 ::1",
      })
      assert.deepStrictEqual(found.trustedProxies.map(String), ["10.1.2.3/32", "10.0.0.0/8"])
      assert.deepStrictEqual(found.outboundAllow.map(String), ["fd00::/8", "::1/128"])
      const { message } = yield* Effect.flip(settings({ TRUSTED_PROXIES: "10.0.0.5/8" }))
      assert.isTrue(message.endsWith("did you mean 10.0.0.0/8?"), message)
    }),
  )

  it.effect("reads a list of secret keys in order", () =>
    Effect.gen(function* () {
      const { secretKeys } = yield* settings({ SECRET_KEY: `${key(1)}, ${key(2)}` })
      assert.deepStrictEqual(
        secretKeys.map((one) => Redacted.value(one)[0]),
        [1, 2],
      )
    }),
  )

  const right = {
    smtp: { EMAIL: "smtp", SMTP_URL: "smtp://localhost:25", EMAIL_FROM: "jobs@acme.example" },
    model: { EVALUATOR: "model", MODEL_URL: "http://localhost:11434/v1", MODEL_NAME: "m", MODEL_KEY: "k" },
    embeddings: { EMBEDDINGS_URL: "http://localhost:11434/v1", EMBEDDINGS_NAME: "m", EMBEDDINGS_KEY: "k" },
  }

  it.effect.each<readonly [name: string, value: string, others?: Record<string, string>]>([
    ["PORT", "eighty"],
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["PORT", "80.5"],
    ["API_URL", "api.example.com"],
    ["API_URL", "ftp://example.com"],
    ["APP_URL", "javascript:alert(1)"],
    ["APP_URL", "https://user@example.com"],
    ["API_URL", "https://:password@example.com"],
    ["API_URL", "https://example.com/?a=b"],
    ["APP_URL", "https://example.com/?"],
    ["APP_URL", "https://example.com/#top"],
    ["DATABASE_POOL", "1"],
    ["SECRET_KEY", "too short"],
    ["SECRET_KEY", `${key(1)},`],
    ["SECRET_KEY", Buffer.alloc(16).toString("base64")],
    ["MAX_BODY", "2 parsecs"],
    ["MAX_BODY", "0 B"],
    ["INVITE_MAX_CANDIDATES", "0"],
    ["INVITATION_EXPIRES", "soon"],
    ["INVITATION_EXPIRES", "Infinity"],
    ["INVITATION_REMINDER", "never"],
    ["INVITATION_REMINDER", "0 days"],
    ["INVITATION_REMINDER", "366 days"],
    ["IMPROVEMENT_WINDOW", "-1 hours"],
    ["HELD_EVENTS_INTERVAL", "0 minutes"],
    ["HELD_EVENTS_INTERVAL", "0"],
    ["WEBHOOK_RETRY_FIRST", "two minutes"],
    ["WEBHOOK_RETRY_CAP", "-1 seconds"],
    ["WEBHOOK_RETRY_TIMES", "-1"],
    ["WEBHOOK_TIMEOUT", "10"],
    ["WEBHOOK_DEACTIVATE_AFTER", "0"],
    ["WEBHOOK_PROBE_FIRST", "2 days"],
    ["WEBHOOK_PROBE_FOR", "0"],
    ["WEBHOOK_CONCURRENCY", "many"],
    ["WEBHOOK_ENDPOINT_CONCURRENCY", "0"],
    ["OUTBOUND_ALLOW", "localhost"],
    ["HIRING_SYSTEM_HOSTS", "https://127.0.0.1"],
    ["HIRING_SYSTEM_PARTNERS", "kombo=hidden"],
    ["HIRING_SYSTEM_PARTNERS", '{"kombo": "hidden"}'],
    ["HIRING_SYSTEM_PARTNERS", '{"kombo": {"api_key": ""}}'],
    ["TRUSTED_PROXIES", "all"],
    ["OUTBOUND_ALLOW", "127.0.0.0/33"],
    ["OUTBOUND_ALLOW", "127.0.0.0/8, 10.0.0.5/8"],
    ["TRUSTED_PROXIES", "fd00::1/8"],
    ["METRICS_TOKEN", "too short"],
    ["METRICS_TOKEN", "long enough, but with blanks"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "https://user:password@collector:4318"],
    ["EMAIL", "pigeon"],
    ["SENDGRID_EVENTS_KEY", "bm8ga2V5"],
    [
      "SENDGRID_EVENTS_KEY", // an RSA key
      "MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAKj34GkxFhD90vcNLYLInFEX6Ppy1tPf9Cnzj4p4WGeKLs1Pt8QuKUpRKfFLfRYC9AIKjbJTWit+CqvjWYzvQwECAwEAAQ==",
    ],
    ["POSTMARK_EVENTS_SECRET", "too short"],
    ["POSTMARK_EVENTS_SECRET", "long enough, but with blanks"],
    ["POSTMARK_TOKEN", "a hidden token", providerSettings.postmark],
    ["SMTP_OAUTH_TENANT", "acme/../evil", exchangeOnline],
    ["SMTP_URL", "smtp://smtp.office365.com:587", exchangeOnline],
    ["SMTP_URL", "smtp://user:hidden@smtp.office365.com:587", exchangeOnline],
    ["SMTP_TLS", "none", exchangeOnline],
    ["SMTP_OAUTH_CLIENT_SECRET", "a hidden secret", exchangeOnline],
    ["BOUNCE_IMAP_URL", "https://user:hidden@mail.acme.example"],
    ["BOUNCE_IMAP_URL", "imaps://mail.acme.example/INBOX"],
    ["BOUNCE_IMAP_URL", "imaps://user@mail.acme.example/INBOX"],
    ["BOUNCE_IMAP_URL", "imaps://user:hidden@mail.acme.example/INBOX?x=1"],
    ["BOUNCE_IMAP_DONE", 'a"folder', { BOUNCE_IMAP_URL: "imaps://user:hidden@mail.acme.example" }],
    ["SES_TOPIC_ARN", "interviews"],
    ["SES_TOPIC_ARN", "arn:aws:sns:eu-central-1.evil.example/:123456789012:interviews"],
    ["SES_REGION", "eu-central-1.evil.example/", providerSettings.ses],
    ["SES_CONFIGURATION_SET", "my set", providerSettings.ses],
    ["MAILGUN_DOMAIN", "acme.example/messages", providerSettings.mailgun],
    ["MAILGUN_REGION", "asia", providerSettings.mailgun],
    ["MAILGUN_API_KEY", "a hidden key", providerSettings.mailgun],
    ["MAILGUN_EVENTS_KEY", "a hidden key"],
    ["POSTMARK_STREAM", "out bound", providerSettings.postmark],
    ["EMAIL_FROM", "Acme", providerSettings.postmark],
    ["EVALUATOR", "magic"],
    ["LOG_LEVEL", "loud"],
    ["LOG_FORMAT", "xml"],
    ["EMAIL_FROM", "Acme", right.smtp],
    ["EMAIL_FROM", "Acme <jobs>", right.smtp],
    ["EMAIL_FROM", "a@b.example\r\nBcc: c@d.example", right.smtp],
    ["SMTP_URL", "mail.acme.example:587", right.smtp],
    ["SMTP_URL", "https://user:hidden@mail.acme.example", right.smtp],
    ["SMTP_URL", "smtp://user:hidden@mail.acme.example?requireTLS=false", right.smtp],
    ["SMTP_URL", "smtp://user:hidden%@mail.acme.example", right.smtp],
    ["SMTP_URL", "smtp://user:hidden@", right.smtp],
    ["SMTP_TLS", "starttls", right.smtp],
    ["SMTP_TLS", "none", { ...right.smtp, SMTP_URL: "smtp://user:hidden@localhost:25" }],
    ["SMTP_TLS", "opportunistic", { ...right.smtp, SMTP_URL: "smtps://localhost:465" }],
    ["SMTP_CA_FILE", import.meta.filename, right.smtp],
    ["MODEL_URL", "localhost:11434/v1", right.model],
    ["MODEL_URL", "ftp://models.example/v1", right.model],
    ["MODEL_URL", "https://user:hidden@models.example/v1", right.model],
    ["MODEL_URL", "https://models.example/v1?key=hidden", right.model],
    ["MODEL_KEY", "hidden\nkey", right.model],
    ["EMBEDDINGS_URL", "localhost:11434/v1", right.embeddings],
    ["EMBEDDINGS_URL", "https://user:hidden@models.example/v1", right.embeddings],
    ["EMBEDDINGS_URL", "https://models.example/v1?key=hidden", right.embeddings],
    ["EMBEDDINGS_KEY", "hidden\nkey", right.embeddings],
  ])("refuses %s=%s in one line that begins with the name", ([name, value, others = {}]) =>
    Effect.gen(function* () {
      yield* settings(others)
      const { message } = yield* Effect.flip(settings({ ...others, [name]: value }))
      assert.match(message, new RegExp(`^${name}: must be [^\\n]+$`))
      assert.notMatch(message, /SchemaError|hidden/)
      if (name === "SECRET_KEY") assert.notInclude(message, value)
    }),
  )

  it.effect("reads the settings of the chosen email sender", () =>
    Effect.gen(function* () {
      const SMTP_URL = "smtps://user:p%40ss@mail.acme.example:465"
      const smtp = yield* settings({ EMAIL: "smtp", SMTP_URL, EMAIL_FROM: '"Acme, Inc." <jobs@acme.example>' })
      assert.deepStrictEqual(smtp.email, {
        _tag: "smtp",
        url: Redacted.make(SMTP_URL),
        from: { name: "Acme, Inc.", address: "jobs@acme.example" },
        tls: "required",
        authorities: null,
        oauth: undefined,
      })
      const exchange = yield* settings(exchangeOnline)
      assert.deepInclude(
        { ...exchange.email },
        {
          tls: "required",
          oauth: {
            url: "https://login.microsoftonline.com/acme.onmicrosoft.com/oauth2/v2.0/token",
            clientId: "a-client",
            clientSecret: Redacted.make("a-secret"),
            scope: "https://outlook.office365.com/.default",
          },
        },
      )
      assert.notInclude(JSON.stringify(exchange.email), "a-secret")
      assert.notInclude(JSON.stringify(smtp.email), "p%40ss")
      const from = { name: null, address: "jobs@acme.example" }
      const sendgrid = yield* settings(providerSettings.sendgrid)
      assert.deepInclude({ ...sendgrid.email }, { _tag: "sendgrid", from })
      assert.strictEqual(sendgrid.emailEvents.sendgrid?.asymmetricKeyType, "ec")
      const postmark = yield* settings(providerSettings.postmark)
      const token = Redacted.make("a-token")
      assert.deepStrictEqual(postmark.email, { _tag: "postmark", token, stream: "outbound", from })
      const mailgun = yield* settings({ ...providerSettings.mailgun, MAILGUN_REGION: "eu" })
      const apiKey = Redacted.make("a-key")
      assert.deepStrictEqual(mailgun.email, { _tag: "mailgun", apiKey, domain: "mg.acme.example", region: "eu", from })
      assert.deepStrictEqual(mailgun.emailEvents.mailgun, Redacted.make(providerSettings.mailgun.MAILGUN_EVENTS_KEY))
      const ses = yield* settings(providerSettings.ses)
      const configurationSet = "interviews"
      assert.deepStrictEqual(ses.email, { _tag: "ses", region: "eu-central-1", configurationSet, from })
      const arn = providerSettings.ses.SES_TOPIC_ARN
      assert.deepStrictEqual(ses.emailEvents.ses, { arn, partition: "aws", region: "eu-central-1" })
      assert.deepStrictEqual(
        postmark.emailEvents.postmark,
        Redacted.make(providerSettings.postmark.POSTMARK_EVENTS_SECRET),
      )
    }),
  )

  it.effect("reads the mailbox of bounces", () =>
    Effect.gen(function* () {
      const { bounceMailbox } = yield* settings({
        BOUNCE_IMAP_URL: "imaps://bounces%40acme.example:p%40ss@mail.acme.example/Archive%2F2026",
        BOUNCE_IMAP_DONE: "Done",
      })
      assert.deepStrictEqual(bounceMailbox, {
        host: "mail.acme.example",
        port: 993,
        tls: "implicit",
        user: "bounces@acme.example",
        password: Redacted.make("p@ss"),
        oauth: undefined,
        folder: "Archive/2026",
        doneFolder: "Done",
        authorities: null,
      })
      const exchange = yield* settings({
        ...exchangeOnline,
        BOUNCE_IMAP_URL: "imap://a%40b.example@outlook.office365.com",
      })
      assert.deepInclude(
        { ...exchange.bounceMailbox },
        { port: 143, tls: "starttls", folder: "INBOX", doneFolder: undefined },
      )
      assert.strictEqual(exchange.bounceMailbox?.oauth?.clientId, "a-client")
    }),
  )

  it.effect.each(Object.values(providerSettings))("requires what EMAIL=$EMAIL needs", (all) =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(settings({ EMAIL: all.EMAIL }))
      const [names = ""] = message.split(":")
      assert.sameMembers(
        names.split(", "),
        Object.keys(all).filter((name) => name !== "EMAIL"),
      )
      assert.include(message, `are required with EMAIL=${all.EMAIL}`)
    }),
  )

  it.effect("reads the settings of the chosen evaluator", () =>
    Effect.gen(function* () {
      const model = { EVALUATOR: "model", MODEL_URL: "http://localhost:11434/v1/", MODEL_NAME: "some-model" }
      assert.deepStrictEqual((yield* settings(model)).evaluator, {
        _tag: "model",
        url: "http://localhost:11434/v1",
        name: "some-model",
        key: undefined,
      })
      const MODEL_URL = "https://models.example/v1/chat/completions"
      const { evaluator } = yield* settings({ ...model, MODEL_URL, MODEL_KEY: "sk-hunter2" })
      assert.deepInclude({ ...evaluator }, { url: "https://models.example/v1", key: Redacted.make("sk-hunter2") })
      assert.notInclude(JSON.stringify(evaluator), "hunter2")
    }),
  )

  it.effect("reads the settings of embeddings", () =>
    Effect.gen(function* () {
      const given = { EMBEDDINGS_URL: "http://localhost:11434/v1/", EMBEDDINGS_NAME: " some-model " }
      assert.deepStrictEqual((yield* settings(given)).embeddings, {
        url: "http://localhost:11434/v1",
        name: "some-model",
        key: undefined,
      })
      const EMBEDDINGS_URL = "https://models.example/v1/embeddings"
      const { embeddings } = yield* settings({ ...given, EMBEDDINGS_URL, EMBEDDINGS_KEY: "sk-hunter2" })
      assert.deepInclude({ ...embeddings }, { url: "https://models.example/v1", key: Redacted.make("sk-hunter2") })
      assert.notInclude(JSON.stringify(embeddings), "hunter2")
    }),
  )

  const openId = {
    OIDC_ISSUER: "https://login.acme.example/realms/acme",
    OIDC_CLIENT_ID: "interviews",
    OIDC_CLIENT_SECRET: "hunter2",
  }

  it.effect("reads the settings of a sign-in provider", () =>
    Effect.gen(function* () {
      const found = (yield* settings(openId)).openId
      assert.deepStrictEqual(found, {
        issuer: openId.OIDC_ISSUER,
        clientId: "interviews",
        clientSecret: Redacted.make("hunter2"),
        name: "login.acme.example",
        trustsAddresses: false,
        passwords: true,
      })
      assert.notInclude(JSON.stringify(found), "hunter2")
      const given = { OIDC_NAME: " Acme ", OIDC_EMAIL: "trusted", OIDC_PASSWORDS: "off" }
      const { openId: other } = yield* settings({ ...openId, ...given, OIDC_ISSUER: "http://localhost:9000" })
      assert.deepInclude({ ...other }, { name: "Acme", trustsAddresses: true, passwords: false })
    }),
  )

  it.effect.each([
    { OIDC_ISSUER: "login.acme.example" },
    { OIDC_ISSUER: "http://login.acme.example" },
    { OIDC_ISSUER: "http://localhost.acme.example" },
    { OIDC_ISSUER: "https://user:hunter2@login.acme.example" },
    { OIDC_ISSUER: "https://login.acme.example?tenant=1" },
    { OIDC_ISSUER: "https://login.microsoftonline.com/common/v2.0" },
    { OIDC_ISSUER: "https://login.microsoftonline.com/Organizations/v2.0" },
    { OIDC_NAME: "x".repeat(61) },
    { OIDC_EMAIL: "any" },
    { OIDC_PASSWORDS: "no" },
    { OIDC_CLIENT_ID: "" },
    { OIDC_CLIENT_SECRET: "" },
  ])("refuses a provider with $OIDC_ISSUER $OIDC_NAME $OIDC_EMAIL $OIDC_PASSWORDS in one line", (given) =>
    Effect.gen(function* () {
      const [name = ""] = Object.keys(given)
      const { message } = yield* Effect.flip(settings({ ...openId, ...given }))
      assert.match(message, new RegExp(`^${name}: (must|is required) [^\\n]+$`))
      assert.notInclude(message, "hunter2")
    }),
  )

  it.effect("refuses settings of a provider without OIDC_ISSUER", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(settings({ OIDC_CLIENT_ID: "interviews", OIDC_PASSWORDS: "off" }))
      assert.strictEqual(message, "OIDC_ISSUER: is required with OIDC_CLIENT_ID, OIDC_PASSWORDS")
    }),
  )

  it.effect.each([
    { given: { EVALUATOR: "model" }, message: "MODEL_URL, MODEL_NAME: are required with EVALUATOR=model" },
    { given: { EVALUATOR: "model", MODEL_URL: "http://a" }, message: "MODEL_NAME: is required with EVALUATOR=model" },
    { given: { EMBEDDINGS_URL: "http://a" }, message: "EMBEDDINGS_NAME: is required with EMBEDDINGS_URL" },
    { given: { TRANSCRIBE_URL: "http://a" }, message: "TRANSCRIBE_NAME: is required with TRANSCRIBE_URL" },
    { given: { TRANSCRIBE_KEY: "b" }, message: "TRANSCRIBE_URL: is required with TRANSCRIBE_KEY" },
    {
      given: { EMBEDDINGS_NAME: "a", EMBEDDINGS_KEY: "b" },
      message: "EMBEDDINGS_URL: is required with EMBEDDINGS_NAME, EMBEDDINGS_KEY",
    },
    {
      given: { EMAIL: "smtp", SMTP_URL: "mail.acme.example", SMTP_TLS: "starttls" },
      message: [
        "EMAIL_FROM: is required with EMAIL=smtp",
        "SMTP_URL: must be an address like smtps://user:password@host or smtp://user:password@host:587: nothing may follow the port; in user and password, write %40 for @, %3A for :, %2F for /, %23 for #, %3F for ?, %25 for %",
        "SMTP_TLS: must be required or opportunistic or none",
      ].join("\n"),
    },
    {
      given: { ...providerSettings.smtp, SMTP_OAUTH_CLIENT_ID: "a" },
      message: "SMTP_OAUTH_TENANT: is required with SMTP_OAUTH_CLIENT_ID",
    },
    {
      given: { ...providerSettings.smtp, SMTP_OAUTH_TENANT: "a" },
      message: "SMTP_OAUTH_CLIENT_ID, SMTP_OAUTH_CLIENT_SECRET: are required with SMTP_OAUTH_TENANT",
    },
    { given: { EMAIL: "smtp" }, message: "SMTP_URL, EMAIL_FROM: are required with EMAIL=smtp" },
    { given: { EMAIL: "smtp", EMAIL_FROM: "a@b.example" }, message: "SMTP_URL: is required with EMAIL=smtp" },
    {
      given: { EMAIL: "sendgrid", EMAIL_FROM: " " },
      message: "SENDGRID_API_KEY, SENDGRID_EVENTS_KEY, EMAIL_FROM: are required with EMAIL=sendgrid",
    },
  ])("reports all missing settings: $message", ({ given, message }) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(settings(given as Record<string, string>))).message, message)
    }),
  )

  it.effect.each(["SECRET_KEY", "EMAIL"] as const)("%s is required", (name) =>
    Effect.gen(function* () {
      for (const value of [{}, { [name]: "" }]) {
        const { [name]: _, ...others } = required
        assert.strictEqual(
          (yield* Effect.flip(read(Config.settings, { ...others, ...value }))).message,
          `${name}: is required: ${name === "EMAIL" ? "mailbox or smtp or sendgrid or postmark or mailgun or ses" : "base64 of 32 bytes, for example from: openssl rand -base64 32"}`,
        )
      }
    }),
  )

  it.effect("reports all missing and wrong settings at once, one line each", () =>
    Effect.gen(function* () {
      const wrong = { PORT: "x", INVITATION_REMINDER: "off", WEBHOOK_RETRY_CAP: "soon", WEBHOOK_RETRY_TIMES: "-1" }
      const mail = { EMAIL: "smtp", SMTP_URL: "mail.acme.example", EMAIL_FROM: "Acme" }
      const { message } = yield* Effect.flip(read(Config.settings, { ...wrong, ...mail }))
      assert.deepStrictEqual(
        message.split("\n").map((line) => line.split(":")[0]),
        [
          "PORT",
          "SECRET_KEY",
          "INVITATION_REMINDER",
          "WEBHOOK_RETRY_CAP",
          "WEBHOOK_RETRY_TIMES",
          "SMTP_URL",
          "EMAIL_FROM",
        ],
      )
      assert.include(message, '\nINVITATION_REMINDER: must be a duration like "2 minutes", or none\n')
      assert.match(message, /\nSMTP_URL: must be an address like [^\n]*smtp:\/\/user:password@host:587[^\n]*%40 for @/)
      const server = Effect.flip(read(Effect.asVoid(Layer.build(Config.Config.layerOfServer)).pipe(Effect.scoped), {}))
      assert.match((yield* server).message, /^DATABASE_URL: is required[^\n]*\nSECRET_KEY: [^\n]*\nEMAIL: [^\n]*$/)
    }),
  )

  it.effect("refuses an APP_URL with a path, and a HOST that is not an address", () =>
    Effect.gen(function* () {
      for (const [name, value, why] of [
        ["APP_URL", "https://example.com/interviews", "must be an address without a path"],
        ["HOST", "my-machine", "must be an IP address such as 127.0.0.1"],
      ] as const) {
        const { message } = yield* Effect.flip(settings({ [name]: value }))
        assert.include(message, `${name}: ${why}`)
      }
    }),
  )

  it.effect.each(Object.values(providerSettings))("serve requires APP_URL with EMAIL=$EMAIL", (email) =>
    Effect.gen(function* () {
      const environment = { ...required, DATABASE_URL: "postgres://a@b/c", ...email }
      const server = (more: Record<string, string>) =>
        read(Effect.asVoid(Layer.build(Config.Config.layerOfServer)).pipe(Effect.scoped), { ...environment, ...more })
      assert.strictEqual(
        (yield* Effect.flip(server({}))).message,
        `APP_URL: is required with EMAIL=${email.EMAIL}: links in emails begin with it`,
      )
      yield* server({ APP_URL: "https://interviews.acme.example" })
    }),
  )

  it.effect("ignores the quotes that Docker's --env-file keeps, and carriage returns of files from Windows", () =>
    Effect.gen(function* () {
      const found = yield* settings({
        PORT: "8081\r",
        APP_URL: '"https://app.example.com"\r',
        EMAIL: "'smtp'",
        SMTP_URL: '"smtps://user:p%40ss@mail.example.com"',
        EMAIL_FROM: "'\"Acme, Inc.\" <jobs@acme.example>'",
        METRICS_TOKEN: '""',
      })
      assert.deepInclude(found, { port: 8081, appUrl: "https://app.example.com", metricsToken: undefined })
      assert(found.email._tag === "smtp")
      assert.strictEqual(Redacted.value(found.email.url), "smtps://user:p%40ss@mail.example.com")
      assert.deepStrictEqual(found.email.from, { name: "Acme, Inc.", address: "jobs@acme.example" })
      const { url } = yield* read(Config.databaseUrls, { DATABASE_URL: "'postgres://a:b@c/d'\r" })
      assert.strictEqual(Redacted.value(url), "postgres://a:b@c/d")
    }),
  )

  it.effect("accepts names that need no quotes as DATABASE_SCHEMA, and takes public by default", () =>
    Effect.gen(function* () {
      const schemaOf = (DATABASE_SCHEMA: string) =>
        Effect.map(
          read(Config.databaseUrls, { DATABASE_URL: "postgres://a@b/c", DATABASE_SCHEMA }),
          ({ schema }) => schema,
        )
      for (const [given, schema] of [
        ["", "public"],
        ["cell_2", "cell_2"],
        ["_".repeat(30), "_".repeat(30)],
      ] as const)
        assert.strictEqual(yield* schemaOf(given), schema)
      for (const wrong of ["Cell", "2nd", "pg_cell", "a-b", 'a"b', "a,b", "a b", "é", "x".repeat(31)]) {
        assert.match(
          (yield* Effect.flip(schemaOf(wrong))).message,
          /^DATABASE_SCHEMA: must be at most 30 of a-z[^\n]+$/,
        )
      }
    }),
  )

  it.effect("accepts Postgres URLs of the database, its server and its replica, and shows them in no message", () =>
    Effect.gen(function* () {
      const urls = (DATABASE_URL: string, DATABASE_DIRECT_URL = "") =>
        read(Config.databaseUrls, { DATABASE_URL, DATABASE_DIRECT_URL })
      const good = "postgresql://a:b@c/d"
      const one = yield* urls(good)
      assert.deepStrictEqual([Redacted.value(one.url), one.directUrl], [good, undefined])
      const { directUrl } = yield* urls("postgres://e:f@g/h", good)
      assert.strictEqual(directUrl && Redacted.value(directUrl), good)
      const replica = (DATABASE_REPLICA_URL: string) => read(Config.replicaUrl, { DATABASE_REPLICA_URL })
      const replicaUrl = yield* replica(good)
      assert.strictEqual(replicaUrl && Redacted.value(replicaUrl), good)
      assert.isUndefined(yield* replica(""))
      assert.strictEqual(
        (yield* Effect.flip(read(Config.databaseUrls, {}))).message,
        "DATABASE_URL: is required: an address like postgres://user:password@host:5432/database",
      )
      const bad = "mysql://me:secret@host/db"
      for (const [name, wrong] of [
        ["DATABASE_URL", Effect.flip(urls(bad))],
        ["DATABASE_DIRECT_URL", Effect.flip(urls(good, bad))],
        ["DATABASE_REPLICA_URL", Effect.flip(replica(bad))],
      ] as const) {
        const { message } = yield* wrong
        assert.match(message, new RegExp(`^${name}: must be an address like [^\\n]+$`))
        assert.notInclude(message, "secret")
      }
    }),
  )

  it.effect("accepts target_session_attrs of a primary for the database, of a standby for its replica", () =>
    Effect.gen(function* () {
      const ofPrimary = "target_session_attrs must be any or read-write or primary"
      const ofStandby = "target_session_attrs must be any or read-only or standby or prefer-standby"
      for (const [target, ofDatabase, ofReplica] of [
        ["any", undefined, undefined],
        ["read-write", undefined, ofStandby],
        ["primary", undefined, ofStandby],
        ["read-only", ofPrimary, undefined],
        ["standby", ofPrimary, undefined],
        ["prefer-standby", ofPrimary, undefined],
      ] as const) {
        const url = `postgres://a:b@c/d?target_session_attrs=${target}`
        const errorOf = (name: string, reader: Effect.Effect<unknown, ConfigInvalid>) =>
          Effect.match(read(reader, { DATABASE_URL: "postgres://a:b@c/d", [name]: url }), {
            onSuccess: () => undefined,
            onFailure: ({ message }) => message,
          })
        const named = (name: string, refusal: string | undefined) => refusal && `${name}: ${refusal}`
        for (const name of ["DATABASE_URL", "DATABASE_DIRECT_URL"]) {
          assert.strictEqual(yield* errorOf(name, Config.databaseUrls), named(name, ofDatabase), target)
        }
        const replica = "DATABASE_REPLICA_URL"
        assert.strictEqual(yield* errorOf(replica, Config.replicaUrl), named(replica, ofReplica), target)
      }
    }),
  )
})
