import { Layer } from "effect"
import { BlobChunkRepository } from "../../src/files/BlobChunkRepository.ts"
import { BlobStore } from "../../src/files/BlobStore.ts"
import * as PostgresBlobStore from "../../src/files/PostgresBlobStore.ts"
import { blobStoreSuite } from "../port/BlobStoreSuite.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

blobStoreSuite(
  "Postgres",
  PostgresBlobStore.layer.pipe(Layer.provide(BlobChunkRepository.layer), Layer.provide(TestDatabase.layer)),
)
blobStoreSuite("memory", BlobStore.layerTest)
