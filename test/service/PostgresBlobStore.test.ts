import { Layer } from "effect"
import { BlobStore } from "../../src/port/BlobStore.ts"
import { BlobChunkRepository } from "../../src/repository/BlobChunkRepository.ts"
import * as PostgresBlobStore from "../../src/service/PostgresBlobStore.ts"
import { blobStoreSuite } from "../port/BlobStoreSuite.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

blobStoreSuite(
  "Postgres",
  PostgresBlobStore.layer.pipe(Layer.provide(BlobChunkRepository.layer), Layer.provide(TestDatabase.layer)),
)
blobStoreSuite("memory", BlobStore.layerTest)
