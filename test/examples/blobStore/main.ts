import { run } from "interview-invitations"
import * as Directory from "./Directory.ts"

run({ blobStore: Directory.layer(process.env["FILES"] ?? "files") })
