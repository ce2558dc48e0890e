/** All settings of each email provider. */
import * as Mailgun from "./MailgunApi.ts"
import { eventsSecret } from "./PostmarkApi.ts"
import { eventsKey } from "./SendGrid.ts"

const EMAIL_FROM = "jobs@acme.example"

/** Of Exchange Online, with access tokens. */
export const exchangeOnline = {
  EMAIL: "smtp",
  EMAIL_FROM,
  SMTP_URL: "smtp://jobs%40acme.example@smtp.office365.com:587",
  SMTP_OAUTH_TENANT: "acme.onmicrosoft.com",
  SMTP_OAUTH_CLIENT_ID: "a-client",
  SMTP_OAUTH_CLIENT_SECRET: "a-secret",
} as const

export const providerSettings = {
  smtp: { EMAIL: "smtp", EMAIL_FROM, SMTP_URL: "smtp://localhost:25" },
  sendgrid: { EMAIL: "sendgrid", EMAIL_FROM, SENDGRID_API_KEY: "SG.a.b", SENDGRID_EVENTS_KEY: eventsKey },
  ses: {
    EMAIL: "ses",
    EMAIL_FROM,
    SES_REGION: "eu-central-1",
    SES_CONFIGURATION_SET: "interviews",
    SES_TOPIC_ARN: "arn:aws:sns:eu-central-1:123456789012:interviews",
  },
  mailgun: {
    EMAIL: "mailgun",
    EMAIL_FROM,
    MAILGUN_API_KEY: "a-key",
    MAILGUN_DOMAIN: "mg.acme.example",
    MAILGUN_EVENTS_KEY: Mailgun.eventsKey,
  },
  postmark: {
    EMAIL: "postmark",
    EMAIL_FROM,
    POSTMARK_TOKEN: "a-token",
    POSTMARK_EVENTS_SECRET: eventsSecret,
  },
} as const satisfies Record<string, Record<string, string>>
