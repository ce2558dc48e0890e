import { Layer } from "effect"
import { defaults, run } from "interview-invitations"
import * as Journal from "./Journal.ts"

const journal = Journal.layer(process.env["JOURNAL"] ?? "webhooks.jsonl")

run({ webhookTransport: journal.pipe(Layer.provide(defaults.webhookTransport)) })
