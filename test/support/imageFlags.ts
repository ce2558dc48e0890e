import { readFileSync } from "node:fs"
import { Schema } from "effect"

const Entrypoint = Schema.fromJsonString(Schema.Array(Schema.String))

/** The flags with which the image starts Node: the ENTRYPOINT of the Dockerfile without `node` and the program. */
export const imageFlags: ReadonlyArray<string> = Schema.decodeUnknownSync(Entrypoint)(
  /^ENTRYPOINT (.*)$/m.exec(readFileSync(new URL("../../Dockerfile", import.meta.url), "utf8"))?.[1],
).slice(1, -1)
