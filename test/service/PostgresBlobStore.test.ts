import { Layer } from "effect"
import { BlobStore } from "../../src/port/BlobStore.ts"
import { BlobChunks } from "../../src/repository/BlobChunks.ts"
import * as PostgresBlobStore from "../../src/service/PostgresBlobStore.ts"
import { blobStoreSuite } from "../port/BlobStoreSuite.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

blobStoreSuite(
  "Postgres",
  PostgresBlobStore.layer.pipe(Layer.provide(BlobChunks.layer), Layer.provide(TestDatabase.layer)),
)
blobStoreSuite("memory", BlobStore.layerTest)
