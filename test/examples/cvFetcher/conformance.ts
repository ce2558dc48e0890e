import { Layer } from "effect"
import { GuardedCvFetcher } from "interview-invitations"
import { cvFetcherSuite } from "interview-invitations/testing/CvFetcher"
import * as Share from "./Share.ts"

cvFetcherSuite("a directory around the default", (options) =>
  Share.layer("documents.acme.example", "share").pipe(
    Layer.provide(GuardedCvFetcher.layer({ ...options, concurrency: 4 })),
  ),
)
