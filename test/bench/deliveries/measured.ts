/** A worker under measurement, in a process of its own. */
import { sharedMillis } from "../support/clock.ts"
import { answer, on } from "../support/control.ts"
import * as Protocol from "./protocol.ts"

/** Begins to work on what is queued, so many POSTs; what it returns ends that, after what is under way. */
export type Start = (posts: number) => Promise<() => Promise<unknown>>

/** Answers `start` and `stop`. */
export const measured = (begin: Start): void => {
  let end: () => Promise<unknown> = async () => {}
  let before = process.cpuUsage()
  answer([
    on(Protocol.start, async ({ posts }) => {
      before = process.cpuUsage()
      const at = sharedMillis()
      end = await begin(posts)
      return { at }
    }),
    on(Protocol.stop, async () => {
      await end()
      const { system, user } = process.cpuUsage(before)
      return { cpuMillis: (system + user) / 1000 }
    }),
  ])
}
