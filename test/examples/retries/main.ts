import { Schedule } from "effect"
import { run } from "interview-invitations"

/** Retries three times after one second each, then 24 times after one hour each. */
const webhook = Schedule.concat(
  Schedule.upTo(Schedule.spaced("1 second"), { times: 3 }),
  Schedule.upTo(Schedule.spaced("1 hour"), { times: 24 }),
)

run({ retries: { webhook } })
