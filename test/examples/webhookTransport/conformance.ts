import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Layer } from "effect"
import { UndiciWebhookTransport } from "interview-invitations"
import { webhookTransportSuite } from "interview-invitations/testing/WebhookTransport"
import * as Journal from "./Journal.ts"

const journal = Journal.layer(join(mkdtempSync(join(tmpdir(), "interview-journal-")), "webhooks.jsonl"))

webhookTransportSuite("a journal around the default", (options) =>
  journal.pipe(Layer.provide(UndiciWebhookTransport.layer({ ...options, connectionsPerOrigin: 4 }))),
)
