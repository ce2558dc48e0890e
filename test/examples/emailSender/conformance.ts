import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { emailSenderSuite } from "interview-invitations/testing/EmailSender"
import * as EmlFiles from "./EmlFiles.ts"

const stage = Effect.sync(() => ({
  layer: EmlFiles.layer(mkdtempSync(join(tmpdir(), "interview-mails-")), "jobs@acme.example"),
  answer: () => Effect.void,
  received: Effect.succeed([]),
}))

// there is no mail server that could refuse a mail
emailSenderSuite("files", stage, { hands: false })
