/** All settings. `npm run docs` writes docs/settings.md from here. */

interface Described {
  readonly default?: string
  /** Text for docs/settings.md instead of a default. */
  readonly otherwise?: string
  readonly what: string
}

export const table = {
  "What every process needs": {
    DATABASE_URL: {
      otherwise: "required",
      what: "`postgres://user:password@host:5432/database`, Postgres 15 or newer; with several servers, `host:5432,other:5432`, connections go to the one that accepts writes. It has libpq's parameters; [one that is not supported is refused](operate.md#the-address-of-the-database)",
    },
    SECRET_KEY: {
      otherwise: "required",
      what: "base64 of 32 bytes, or several keys separated by commas: the first encrypts and signs, all decrypt and verify",
    },
    EMAIL: {
      otherwise: "required",
      what: "how emails are sent: `smtp`, `sendgrid`, `postmark`, `mailgun`, `ses`, or, for tests, `mailbox`, which stores emails in the database and sends none (only `npm start` has the page `/mailbox` that shows them); ignored by a program with its own `emailSender`",
    },
    API_URL: { otherwise: "`http://localhost:PORT`", what: "the address at which hiring systems reach the API" },
    APP_URL: {
      otherwise: "`http://localhost:PORT`",
      what: "the address at which people reach the pages, without a path; links in emails and events begin with it. `serve` requires it unless `EMAIL` is `mailbox`",
    },
  },
  "The process": {
    PORT: { default: "8080", what: "the HTTP port; `0` takes a free one" },
    HOST: {
      otherwise: "all addresses; `npm start`: 127.0.0.1",
      what: "the IP address on which the process accepts connections. Under `npm start`, the first page and the mailbox need no sign-in: with another address, restrict who can connect",
    },
    ROLES: {
      default: "api,worker",
      what: "what this process does: answer requests (`api`), perform queued jobs (`worker`), or both",
    },
    DRAIN_WAIT: {
      default: "5 seconds",
      what: "how long `serve` keeps answering requests after SIGTERM, while load balancers remove the process; at most 10 minutes",
    },
    KEEP_ALIVE: {
      default: "75 seconds",
      what: "how long a client's connection stays open without a request, 1 second to 1 hour; longer than the idle timeout of the proxy in front",
    },
    DATABASE_DIRECT_URL: {
      otherwise: "`DATABASE_URL`",
      what: "the same database without PgBouncer: set it if `DATABASE_URL` is of a PgBouncer ([Connection poolers](scale.md#connection-poolers)). One connection of each process listens there, and `migrate` uses it",
    },
    DATABASE_REPLICA_URL: {
      otherwise: "none",
      what: "a standby of the database, or several (`host:5432,other:5432`), from which pods read lists, searches and exports ([Read replicas](scale.md#read-replicas)). Each gets up to `DATABASE_POOL` connections from each process",
    },
    DATABASE_SCHEMA: {
      default: "public",
      what: "the schema of the tables, created by `migrate` if it is missing. Installations with different schemas can share a database",
    },
    MOVE_TARGET_URL: {
      otherwise: "required by `organization move`",
      what: "for `organization move`: the address of the database to which it moves an organization, with an administrator's role; not of a PgBouncer",
    },
    MOVE_SOURCE_URL: {
      otherwise: "`DATABASE_DIRECT_URL` or `DATABASE_URL`",
      what: "for `organization move`: the address at which the server of `MOVE_TARGET_URL` reaches the source database",
    },
    DATABASE_POOL: { default: "10", what: "maximum connections of one process to Postgres; 2 or more" },
    TRUSTED_PROXIES: {
      otherwise: "none",
      what: "networks (CIDRs) of the proxies in front; only their `X-Forwarded-For` is trusted",
    },
    OUTBOUND_ALLOW: {
      otherwise: "none",
      what: "non-public networks (CIDRs) that may receive webhooks and serve CV links, with `http`, any port and any name (`http://receiver:9000`); a cloud's metadata address must be listed as a single address",
    },
    OUTBOUND_PROXY: {
      otherwise: "none",
      what: "an HTTP proxy with CONNECT, `http://proxy:3128` or `https://user:password@proxy:3129`, for webhooks, CV links, reports to hiring systems, email providers, model servers, S3, OpenID Connect and OpenTelemetry; private networks are reached without it ([Outbound proxy](operate.md#outbound-proxy))",
    },
    HIRING_SYSTEM_PARTNERS: {
      otherwise: "none",
      what: 'the operator\'s credentials at vendors of hiring systems, for all organizations, as JSON: `{"kombo": {"api_key": "…"}}` ([Partners of hiring systems](hiring-system-partners.md))',
    },
    HIRING_SYSTEM_HOSTS: {
      otherwise: "none",
      what: "for tests: hosts with their ports (`127.0.0.1:9000`) to which reports may be sent, besides the vendors' own hosts; requests to a vendor's API go to the first one",
    },
    MAX_BODY: {
      default: "2 MiB",
      what: "maximum request body; all bodies of a process together may take 32 times as much, at least 8 MiB",
    },
    LOG_LEVEL: { default: "Info", what: "minimum level: `Debug`, `Info`, `Warn`, `Error` …" },
    LOG_FORMAT: { default: "pretty", otherwise: "`json` under `serve`, else `pretty`", what: "`json` or `pretty`" },
  },
  "Requests and candidates": {
    RATE_LIMIT: {
      default: "600",
      what: "maximum requests per minute of an API key, and of a connection of a hiring system, counted in each process; `0`: no limit",
    },
    REQUEST_LOG_DAYS: {
      default: "7",
      what: "days for which [the log of API requests](request-log.md) keeps a request, 1 to 90",
    },
    INVITE_MAX_CANDIDATES: { default: "1000", what: "maximum candidates in one invite request, up to 2500" },
    INVITATION_EXPIRES: { default: "30 days", what: "how long a candidate can start the interview" },
    INVITATION_REMINDER: {
      default: "3 days",
      what: "how long before the deadline a candidate who has not started gets one reminder; 3 days include a working day even over a weekend; `none`: no reminder",
    },
    IMPROVEMENT_WINDOW: {
      default: "24 hours",
      what: "how long a completed interview with retakes left can be submitted again; `0`: never",
    },
    HELD_EVENTS_INTERVAL: {
      default: "10 minutes",
      what: "how often the service sends evaluation events that were held until the end of `IMPROVEMENT_WINDOW`",
    },
  },
  Emails: {
    EMAIL_FROM: {
      otherwise: "required to send",
      what: "`jobs@acme.example` or `Acme <jobs@acme.example>`; without a name, the sender's name is the organization's, for candidates and for members",
    },
    SMTP_URL: {
      otherwise: "required with `smtp`",
      what: "`smtps://user:password@host` or `smtp://…:587`, nothing after the port; in user and password, write @ as `%40` and / as `%2F`; a password is never sent without TLS",
    },
    SMTP_TLS: {
      otherwise: "`required` with a password in `SMTP_URL`, else `opportunistic`",
      what: "for `smtp://`: `required`: STARTTLS with a trusted certificate; `opportunistic`: STARTTLS where the server offers it, with any certificate; `none`: never encrypted. With a password or `smtps://` only `required`",
    },
    SMTP_CA_FILE: {
      otherwise: "not set",
      what: "a file with certificates (PEM) of authorities that may issue the mail server's certificate, beside the usual ones",
    },
    SMTP_OAUTH_TENANT: {
      otherwise: "none",
      what: "with `smtp` and Exchange Online: the Entra tenant whose application signs in for the user of `SMTP_URL` ([Exchange Online](mails.md#exchange-online))",
    },
    SMTP_OAUTH_CLIENT_ID: { otherwise: "required with `SMTP_OAUTH_TENANT`", what: "the application's id" },
    SMTP_OAUTH_CLIENT_SECRET: {
      otherwise: "required with `SMTP_OAUTH_TENANT`",
      what: "the value of one of its client secrets",
    },
    BOUNCE_IMAP_URL: {
      otherwise: "none",
      what: "with `smtp`: a mailbox with bounces that workers read every minute, `imaps://user:password@host/INBOX`, or `imap://…:143` with STARTTLS; without a password, it signs in with the access tokens of `SMTP_OAUTH_TENANT` ([A mailbox over IMAP](mails.md#a-mailbox-over-imap))",
    },
    BOUNCE_IMAP_DONE: {
      otherwise: "reports are marked as read",
      what: "an existing folder to which reports are moved",
    },
    SENDGRID_API_KEY: { otherwise: "required with `sendgrid`", what: "an API key with permission to send" },
    SENDGRID_EVENTS_KEY: {
      otherwise: "required with `sendgrid`",
      what: "the verification key of SendGrid's signed Event Webhook, base64",
    },
    SES_REGION: { otherwise: "required with `ses`", what: "the region of Amazon SES, `eu-central-1`" },
    SES_CONFIGURATION_SET: {
      otherwise: "required with `ses`",
      what: "the configuration set of emails, which publishes their events to the topic",
    },
    SES_TOPIC_ARN: {
      otherwise: "required with `ses`",
      what: "the ARN of the SNS topic whose messages are accepted ([Amazon SES](mails.md#amazon-ses))",
    },
    MAILGUN_API_KEY: { otherwise: "required with `mailgun`", what: "an API key that may send for the domain" },
    MAILGUN_DOMAIN: { otherwise: "required with `mailgun`", what: "the sending domain, `mg.acme.example`" },
    MAILGUN_REGION: { default: "us", what: "the region of the domain: `us` or `eu`" },
    MAILGUN_EVENTS_KEY: {
      otherwise: "required with `mailgun`",
      what: "the HTTP webhook signing key of the account ([Mailgun](mails.md#mailgun))",
    },
    POSTMARK_TOKEN: { otherwise: "required with `postmark`", what: "the API token of a Postmark server" },
    POSTMARK_STREAM: { default: "outbound", what: "the id of the message stream through which emails are sent" },
    POSTMARK_EVENTS_SECRET: {
      otherwise: "required with `postmark`",
      what: "a secret of your own, 16 characters or more, that Postmark's webhooks carry ([Postmark](mails.md#postmark))",
    },
  },
  // the defaults make six attempts within about an hour (docs/webhooks.md)
  Webhooks: {
    WEBHOOK_RETRY_FIRST: {
      default: "2 minutes",
      what: "delay of the first retry; each further delay is doubled. A program with its own schedule ignores this setting and the next two",
    },
    WEBHOOK_RETRY_CAP: { default: "2 hours", what: "maximum delay of a retry" },
    WEBHOOK_RETRY_TIMES: { default: "5", what: "retries after the first attempt" },
    WEBHOOK_TIMEOUT: { default: "10 seconds", what: "maximum duration of one attempt, from DNS to the last byte" },
    WEBHOOK_DEACTIVATE_AFTER: { default: "15", what: "failed attempts in a row that deactivate an endpoint" },
    WEBHOOK_PROBE_FIRST: {
      default: "2 minutes",
      what: "delay after which an endpoint that failures deactivated is tried with one waiting delivery; each further delay is doubled, up to 2 hours; `0` never ([Probes](webhooks.md#deactivation-and-probes))",
    },
    WEBHOOK_PROBE_FOR: { default: "3 days", what: "how long a deactivated endpoint is tried" },
    WEBHOOK_CONCURRENCY: { default: "400", what: "maximum concurrent webhook requests of one process" },
    WEBHOOK_ENDPOINT_CONCURRENCY: { default: "10", what: "maximum concurrent requests of one process to one endpoint" },
    WEBHOOK_SECRET_OVERLAP: { default: "24 hours", what: "how long a replaced secret also signs" },
    WEBHOOK_RETENTION: { default: "30 days", what: "how long events and finished deliveries are kept" },
  },
  Evaluation: {
    EVALUATOR: {
      default: "keyword",
      what: "rates answers and CVs: `keyword` compares words without a network, `model` uses a language model",
    },
    MODEL_URL: {
      otherwise: "required with `model`",
      what: "a server with OpenAI's chat-completions API, `https://api.example.com/v1` or `http://localhost:11434/v1`",
    },
    MODEL_NAME: { otherwise: "required with `model`", what: "the server's name for the model" },
    MODEL_KEY: { otherwise: "none", what: "the server's API key, if it needs one" },
    EMBEDDINGS_URL: {
      otherwise: "none",
      what: "a server with OpenAI's embeddings API, `https://api.example.com/v1` or `http://localhost:11434/v1`; with it, `keyword` also compares meanings and sends requirements and redacted sentences there",
    },
    EMBEDDINGS_NAME: { otherwise: "required with `EMBEDDINGS_URL`", what: "the server's name for the model" },
    EMBEDDINGS_KEY: { otherwise: "none", what: "the server's API key, if it needs one" },
  },
  "Spoken answers": {
    TRANSCRIBE_URL: {
      otherwise: "none",
      what: "a server with OpenAI's transcription API, `https://api.example.com/v1` or `http://localhost:8000/v1`: the sound of recordings is sent there; without it, people listen to recordings and nothing of them is evaluated ([Spoken answers](candidates.md#spoken-answers))",
    },
    TRANSCRIBE_NAME: { otherwise: "required with `TRANSCRIBE_URL`", what: "the server's name for the model" },
    TRANSCRIBE_KEY: { otherwise: "none", what: "the server's API key, if it needs one" },
    RECORDING_MAX_SIZE: {
      default: "256 MiB",
      what: "maximum size of one recording; ten minutes of video take about 50 MB",
    },
    RECORDINGS_WARN_SIZE: {
      default: "20 GiB",
      what: "size of all recordings in Postgres above which the log and `/health/ready` warn ([Files](operate.md#files))",
    },
  },
  CVs: {
    CV_OCR: {
      default: "on",
      what: "text of scans, PNG and JPEG is read by OCR, in the service, without a network; `off`: such CVs are refused ([Scans and pictures](candidates.md#scans-and-pictures))",
    },
  },
  Files: {
    BLOB_STORE: { default: "postgres", what: "where new files are stored: `postgres` or `s3`" },
    S3_BUCKET: {
      otherwise: "required with `s3`",
      what: "the bucket; keep it set while files are stored there",
    },
    S3_REGION: {
      otherwise: "required with `S3_BUCKET`",
      what: "its region, `eu-central-1`; for servers without regions `us-east-1`",
    },
    S3_ENDPOINT: {
      otherwise: "Amazon's",
      what: "a compatible server, `https://minio.acme.example`; the bucket is then part of the path",
    },
    S3_PREFIX: { otherwise: "none", what: "prefix of all keys, `interviews/`, for a shared bucket" },
  },
  "Signing in at a provider": {
    OIDC_ISSUER: {
      otherwise: "none",
      what: "the issuer of an OpenID Connect provider, exactly as in its discovery document; https, or http on `localhost`",
    },
    OIDC_CLIENT_ID: { otherwise: "required with `OIDC_ISSUER`", what: "the client's id at the provider" },
    OIDC_CLIENT_SECRET: { otherwise: "required with `OIDC_ISSUER`", what: "the client's secret" },
    OIDC_NAME: { otherwise: "the issuer's host", what: 'name of the provider on the sign-in page: "Sign in with …"' },
    OIDC_EMAIL: {
      default: "verified",
      what: "which email addresses identify a member at the first sign-in: those with `email_verified`; `trusted`: also those without this claim",
    },
    OIDC_PASSWORDS: {
      default: "on",
      what: "`off`: members cannot sign in by password, and no password can be set or reset",
    },
  },
  "Metrics, traces and logs": {
    METRICS_TOKEN: {
      otherwise: "none",
      what: "the bearer token for `/metrics`, 16 characters or more; without it `/metrics` does not exist",
    },
    OTEL_EXPORTER_OTLP_ENDPOINT: {
      otherwise: "none",
      what: "the collector, `http://collector:4318`; without it nothing is exported",
    },
    OTEL_EXPORTER_OTLP_HEADERS: { otherwise: "none", what: "`name=value,…` for the collector" },
    OTEL_EXPORTER_OTLP_PROTOCOL: { default: "http/protobuf", what: "or `http/json`" },
    OTEL_TRACES_EXPORTER: { default: "otlp", what: "`none` sends no traces" },
    OTEL_LOGS_EXPORTER: { default: "otlp", what: "`none` sends no logs" },
    OTEL_SERVICE_NAME: {
      otherwise: "`interview-invitations`",
      what: "the service's name in traces and logs; else `service.name` of the attributes",
    },
    OTEL_RESOURCE_ATTRIBUTES: { otherwise: "none", what: "`name=value,…` for every trace and log line" },
    OTEL_TRACES_SAMPLER: {
      default: "parentbased_always_on",
      what: "or `parentbased_traceidratio`, which keeps a share of new traces",
    },
    OTEL_TRACES_SAMPLER_ARG: { default: "1", what: "with `parentbased_traceidratio`, that share, from 0 to 1" },
    OTEL_SDK_DISABLED: { default: "false", what: "`true` exports nothing" },
  },
  "`npm start` alone": {
    DATA_DIR: {
      default: ".data",
      what: "the directory of its data: Postgres, the secret key, the demo's data",
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

export const defaultOf = (name: Name): string | undefined => defaults.get(name)
