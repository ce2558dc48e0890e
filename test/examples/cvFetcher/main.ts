import { Layer } from "effect"
import { ours, run } from "interview-invitations"
import * as Share from "./Share.ts"

const share = Share.layer("documents.acme.example", process.env["SHARE"] ?? "share")

run({ cvFetcher: share.pipe(Layer.provide(ours.cvFetcher)) })
