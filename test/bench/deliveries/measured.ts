/** The commands of a worker process under measurement. */
import { sharedMillis } from "../support/clock.ts"
import { handleCommands, on } from "../support/control.ts"
import * as Protocol from "./protocol.ts"

/** Starts sending the `posts` queued POSTs. The returned function stops the worker after the POSTs in flight. */
export type Start = (posts: number) => Promise<() => Promise<unknown>>

export const measured = (begin: Start): void => {
  let end: () => Promise<unknown> = async () => {}
  let before = process.cpuUsage()
  handleCommands([
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
