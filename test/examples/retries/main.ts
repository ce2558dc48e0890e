import { Schedule } from "effect"
import { run } from "interview-invitations"

/** Receivers that are away for long are asked rarely: three times at once, then every hour of a day. */
const webhook = Schedule.concat(
  Schedule.upTo(Schedule.spaced("1 second"), { times: 3 }),
  Schedule.upTo(Schedule.spaced("1 hour"), { times: 24 }),
)

run({ retries: { webhook } })
