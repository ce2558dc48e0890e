/** The version of this package. */
import { createRequire } from "node:module"
import { Schema } from "effect"

/** By the package's name, so that src/ and dist/src/ read the same file. */
const manifest: unknown = createRequire(import.meta.url)("interview-invitations/package.json")

export const { version } = Schema.decodeUnknownSync(Schema.Struct({ version: Schema.String }))(manifest)
