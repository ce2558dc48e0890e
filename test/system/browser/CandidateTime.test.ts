import { describe, layer } from "@effect/vitest"
import * as attempts from "./attempts.ts"
import { missing } from "./chromium.ts"
import * as clocks from "./clocks.ts"
import * as devices from "./devices.ts"
import * as files from "./files.ts"
import * as late from "./late.ts"
import * as looks from "./looks.ts"
import * as stage from "./stage.ts"

describe.skipIf(missing !== undefined)(
  ["candidate pages in Chromium: devices, time, files, retakes, looks", ...(missing ? [missing] : [])].join(": "),
  () => {
    layer(stage.layer)((it) => {
      devices.suite(it)
      late.suite(it)
      clocks.suite(it)
      files.suite(it)
      attempts.suite(it)
      looks.suite(it)
    })
  },
)
