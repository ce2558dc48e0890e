import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { blobStoreSuite } from "interview-invitations/testing/BlobStore"
import * as Directory from "./Directory.ts"

blobStoreSuite("a directory", Directory.layer(mkdtempSync(join(tmpdir(), "interview-files-"))))
