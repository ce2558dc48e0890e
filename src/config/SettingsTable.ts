/**
 * All settings with name, default and a description. Readers take names and defaults from here, and `npm run docs`
 * writes docs/settings.md from here.
 */

interface Described {
  /** The default, as it would be set. */
  readonly default?: string
  /** The documentation's text in place of a default: when there is none, or it depends. */
  readonly otherwise?: string
  /** The description, in Markdown. */
  readonly what: string
}

/** By subject, in the order of the documentation. */
export const table = {
  "What every process needs": {
    DATABASE_URL: {
      otherwise: "required",
      what: "`postgres://user:password@host:5432/database`, Postgres 15 or newer",
    },
    SECRET_KEY: {
      otherwise: "required",
      what: "base64 of 32 bytes; several, separated by commas: the first encrypts and signs, all are accepted",
    },
    EMAIL: {
      otherwise: "required",
      what: "`smtp`, `sendgrid`, or `mailbox`, which keeps every mail in the database and sends none: for trials; not read by a program with an `emailSender` of its own",
    },
    API_URL: { otherwise: "`http://localhost:PORT`", what: "where hiring systems reach the API" },
    APP_URL: {
      otherwise: "`http://localhost:PORT`",
      what: "where people reach the pages; links in mails and events begin with it",
    },
  },
  "The process": {
    PORT: { default: "8080", what: "the HTTP port; `0` takes a free one" },
    ROLES: {
      default: "api,worker",
      what: "what this process does: answer requests (`api`), perform what waits in the queues (`worker`), or both",
    },
    DRAIN_WAIT: {
      default: "5 seconds",
      what: "how long a process under `serve` goes on answering after it was asked to stop, for whoever routes requests to learn of it; at most 10 minutes",
    },
    KEEP_ALIVE: {
      default: "75 seconds",
      what: "how long a client's connection stays open without a request, 1 second to 1 hour; longer than the idle timeout of the proxy in front",
    },
    DATABASE_POOL: { default: "10", what: "most connections to Postgres of one process; 2 or more" },
    TRUSTED_PROXIES: {
      otherwise: "none",
      what: "networks (CIDRs) of the proxies in front; a client's address is taken from their `X-Forwarded-For` alone",
    },
    OUTBOUND_ALLOW: {
      otherwise: "none",
      what: "networks (CIDRs) that webhooks and CV links may reach although they are not public, there with `http` and any port, also by name (`http://receiver:9000`); a cloud's metadata address only when it is named by itself",
    },
    MAX_BODY: {
      default: "2 MiB",
      what: "the largest request body; all bodies of a process together take 32 times as much, at least 8 MiB",
    },
    LOG_LEVEL: { default: "Info", what: "the least that is logged: `Debug`, `Info`, `Warn`, `Error` …" },
    LOG_FORMAT: { default: "pretty", otherwise: "`json` under `serve`, else `pretty`", what: "`json` or `pretty`" },
  },
  "Requests and candidates": {
    RATE_LIMIT: {
      default: "600",
      what: "most requests of one API key in a minute, counted by each process for itself; `0`: no limit",
    },
    INVITE_MAX_CANDIDATES: { default: "1000", what: "most candidates in one invite request, up to 2500" },
    INVITATION_EXPIRES: { default: "30 days", what: "how long a candidate can start the interview" },
    INVITATION_REMINDER: {
      default: "3 days",
      what: "how long before the deadline who has not started is reminded, once: with a weekend in between, a working day is left; `none`: not at all",
    },
    IMPROVEMENT_WINDOW: {
      default: "24 hours",
      what: "how long a completed interview with retakes left can be submitted again; `0`: not at all",
    },
    HELD_EVENTS_INTERVAL: {
      default: "10 minutes",
      what: "how often evaluation events that waited for the end of that window are sent",
    },
  },
  Mails: {
    EMAIL_FROM: {
      otherwise: "required to send",
      what: "`jobs@acme.example` or `Acme <jobs@acme.example>`; without a name, mails carry the inviting organization's",
    },
    SMTP_URL: {
      otherwise: "required with `smtp`",
      what: "`smtps://user:password@host` or `smtp://…:587`, nothing behind the port; in user and password `%40` stands for @, `%2F` for /; a password is never sent without TLS",
    },
    SENDGRID_API_KEY: { otherwise: "required with `sendgrid`", what: "the key that may send" },
    SENDGRID_EVENTS_KEY: {
      otherwise: "required with `sendgrid`",
      what: "the verification key of SendGrid's signed Event Webhook, base64",
    },
  },
  // six attempts within about an hour (docs/webhooks.md)
  Webhooks: {
    WEBHOOK_RETRY_FIRST: {
      default: "2 minutes",
      what: "how long until the first retry; each wait is twice the one before. This and the next two are without effect where a program has a schedule of its own",
    },
    WEBHOOK_RETRY_CAP: { default: "2 hours", what: "the longest wait" },
    WEBHOOK_RETRY_TIMES: { default: "5", what: "retries after the first attempt" },
    WEBHOOK_TIMEOUT: { default: "10 seconds", what: "for one attempt, from DNS to the last byte" },
    WEBHOOK_DEACTIVATE_AFTER: { default: "15", what: "failed attempts in a row that deactivate an endpoint" },
    WEBHOOK_CONCURRENCY: { default: "400", what: "most webhook requests of one process that are open at once" },
    WEBHOOK_ENDPOINT_CONCURRENCY: { default: "10", what: "most of them to one endpoint" },
    WEBHOOK_SECRET_OVERLAP: { default: "24 hours", what: "how long a replaced secret signs beside the new one" },
    WEBHOOK_RETENTION: { default: "30 days", what: "how long events and finished deliveries are kept" },
  },
  Evaluation: {
    EVALUATOR: {
      default: "keyword",
      what: "who rates answers and CVs: `keyword` compares words on this machine, `model` asks a language model",
    },
    MODEL_URL: {
      otherwise: "required with `model`",
      what: "a server with OpenAI's chat-completions API, `https://api.example.com/v1` or `http://localhost:11434/v1`",
    },
    MODEL_NAME: { otherwise: "required with `model`", what: "the server's name for the model" },
    MODEL_KEY: { otherwise: "none", what: "the key that the server asks for, if it does" },
  },
  Files: {
    BLOB_STORE: { default: "postgres", what: "where the content of new files goes: `postgres` or `s3`" },
    S3_BUCKET: {
      otherwise: "required with `s3`",
      what: "the bucket; keep it set for as long as files lie there",
    },
    S3_REGION: {
      otherwise: "required with `S3_BUCKET`",
      what: "its region, `eu-central-1`; servers that know none take `us-east-1`",
    },
    S3_ENDPOINT: {
      otherwise: "Amazon's",
      what: "a compatible server, `https://minio.acme.example`; the bucket is then part of the path",
    },
    S3_PREFIX: { otherwise: "none", what: "what keys begin with, `interviews/`, where a bucket is shared" },
  },
  "Signing in at a provider": {
    OIDC_ISSUER: {
      otherwise: "none",
      what: "a provider of OpenID Connect, exactly as it calls itself; https, or http on `localhost` alone",
    },
    OIDC_CLIENT_ID: { otherwise: "required with `OIDC_ISSUER`", what: "what the provider knows this service by" },
    OIDC_CLIENT_SECRET: { otherwise: "required with `OIDC_ISSUER`", what: "the client's secret" },
    OIDC_NAME: { otherwise: "the issuer's host", what: 'what the sign-in page calls it: "Sign in with …"' },
    OIDC_EMAIL: {
      default: "verified",
      what: "which addresses recognise a member at their first sign-in: those with `email_verified`; `trusted`: also those of which the provider does not say",
    },
    OIDC_PASSWORDS: {
      default: "on",
      what: "`off`: nobody signs in by password any more, and none is set or mailed",
    },
  },
  "Metrics, traces and logs": {
    METRICS_TOKEN: {
      otherwise: "none",
      what: "what Prometheus sends to read `/metrics`, 16 characters or more; without it there is no such page",
    },
    OTEL_EXPORTER_OTLP_ENDPOINT: {
      otherwise: "none",
      what: "the collector, `http://collector:4318`; without it neither traces nor logs are sent",
    },
    OTEL_EXPORTER_OTLP_HEADERS: { otherwise: "none", what: "`name=value,…` for the collector" },
    OTEL_EXPORTER_OTLP_PROTOCOL: { default: "http/protobuf", what: "or `http/json`" },
    OTEL_TRACES_EXPORTER: { default: "otlp", what: "`none` sends no traces" },
    OTEL_LOGS_EXPORTER: { default: "otlp", what: "`none` sends no logs" },
    OTEL_SERVICE_NAME: {
      otherwise: "`interview-invitations`",
      what: "how traces and logs name the service; else `service.name` of the attributes",
    },
    OTEL_RESOURCE_ATTRIBUTES: { otherwise: "none", what: "`name=value,…` for every trace and log line" },
    OTEL_TRACES_SAMPLER: {
      default: "parentbased_always_on",
      what: "or `parentbased_traceidratio`, which keeps a share of the traces that begin here",
    },
    OTEL_TRACES_SAMPLER_ARG: { default: "1", what: "with `parentbased_traceidratio`, that share, from 0 to 1" },
    OTEL_SDK_DISABLED: { default: "false", what: "`true` sends nothing" },
  },
  "`npm start` alone": {
    DATA_DIR: {
      default: ".data",
      what: "where it keeps what is on this machine: Postgres, the secret key, the demo's data",
    },
  },
} as const satisfies Record<string, Record<string, Described>>

type Sections = (typeof table)[keyof typeof table]

export type Name = Sections extends infer S ? (S extends unknown ? Extract<keyof S, string> : never) : never

const defaults = new Map<string, string | undefined>(
  Object.values<Record<string, Described>>(table).flatMap((section) =>
    Object.entries(section).map(([name, described]) => [name, described.default] as const),
  ),
)

/** The default of a setting; undefined when there is none. */
export const defaultOf = (name: Name): string | undefined => defaults.get(name)
