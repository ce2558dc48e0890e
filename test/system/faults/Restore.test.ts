/** The guide "Restore to a moment" (docs/operate.md), under load: a server is restored to a moment before its last writes. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { codeWith, replaced } from "../../docs/pages.ts"
import { textsOf } from "../../support/databases.ts"
import * as OwnPostgres from "../../support/OwnPostgres.ts"
import { survive } from "./earlierMoment.ts"
import { timeout } from "./stage.ts"

/** The settings of recovery that the guide names, with this moment. */
const recoverySettings = (moment: string): string => {
  const settings = codeWith("docs/operate.md", "recovery_target_time")
  return replaced(settings, /^recovery_target_time = .*$/gm, `recovery_target_time = '${moment}'`)
}

it.live(
  "a server restored to a moment under load: no reader misses an event, no email is sent twice, a request is carried out once",
  () =>
    Effect.gen(function* () {
      const { backUp, stop, url } = yield* OwnPostgres.start
      const { restore } = yield* backUp
      let moment = ""
      yield* survive(
        {
          url,
          podsUrl: url,
          moment: Effect.gen(function* () {
            ;[moment = ""] = yield* textsOf(url, "select clock_timestamp()::text")
          }),
          lose: Effect.gen(function* () {
            yield* stop
            yield* restore(recoverySettings(moment))
            return url
          }),
        },
        { podsStay: false },
      )
    }).pipe(Effect.scoped),
  2 * timeout,
)
