/** How much is too much, and what may change. */
import { setLimits } from "../../../interview-sets/InterviewSet.ts"
import { maxLevels, maxValues } from "../../../values/Json.ts"

const thousands = (count: number) => count.toLocaleString("en")

export const limits = [
  "## Limits",
  "",
  "| | |",
  "|---|---|",
  "| Body of a request | {max_body} |",
  `| JSON values in a request | ${thousands(maxValues)}, in at most ${maxLevels} levels of lists and objects |`,
  `| Questions, requirements, accesses of a set | ${setLimits.questions}, ${setLimits.requirements}, ${setLimits.accesses} |`,
  `| Options of a question, skills of a requirement | ${setLimits.options}, ${thousands(setLimits.skills)} |`,
  "| Candidates in an invite | 1 to {invite_max_candidates} |",
  "| Requests of a key | {rate_limit} |",
  "| Faults told at once | 100 |",
  "| Records on a page | 100 |",
  "| An Idempotency-Key is known for | 24 hours |",
  "| An invitation can be started for | {invitation_expires} |",
  "| A webhook is answered within | {webhook_timeout} |",
  "",
  "Some of them are settings of the service; these are its own. Lengths of text stand at each field.",
  "",
  "## Versions",
  "",
  "Paths carry the operation's version (`/v1`), events the schema's (`schema_version`). New fields, in answers and in",
  "events, are not a new version: ignore those that you do not know.",
].join("\n")
