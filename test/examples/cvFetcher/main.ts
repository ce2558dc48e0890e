import { Layer } from "effect"
import { defaults, run } from "interview-invitations"
import * as Share from "./Share.ts"

const share = Share.layer("documents.acme.example", process.env["SHARE"] ?? "share")

run({ cvFetcher: share.pipe(Layer.provide(defaults.cvFetcher)) })
