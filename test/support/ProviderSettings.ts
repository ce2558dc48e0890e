/** All settings of each email provider. */
import { eventsSecret } from "./PostmarkApi.ts"
import { eventsKey } from "./SendGrid.ts"

const EMAIL_FROM = "jobs@acme.example"

export const providerSettings = {
  smtp: { EMAIL: "smtp", EMAIL_FROM, SMTP_URL: "smtp://localhost:25" },
  sendgrid: { EMAIL: "sendgrid", EMAIL_FROM, SENDGRID_API_KEY: "SG.a.b", SENDGRID_EVENTS_KEY: eventsKey },
  postmark: {
    EMAIL: "postmark",
    EMAIL_FROM,
    POSTMARK_TOKEN: "a-token",
    POSTMARK_EVENTS_SECRET: eventsSecret,
  },
} as const satisfies Record<string, Record<string, string>>
