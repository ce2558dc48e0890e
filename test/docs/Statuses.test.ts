/** Checks the tables of statuses in the guides against the models. */
import { assert, describe, it } from "@effect/vitest"
import { InvitationStatus } from "../../src/submissions/InvitationStatus.ts"
import { SubmissionStatus } from "../../src/submissions/Submission.ts"
import { leadingTypes } from "../../src/submissions/SubmissionDetail.ts"
import { pageAt } from "./pages.ts"

describe("docs", () => {
  it.each([
    ["docs/submissions.md", "Statuses of a submission", SubmissionStatus.literals],
    ["docs/invitations.md", "Statuses of an invitation", InvitationStatus.literals],
  ] as const)(
    "%s explains every status, in the order of the model, and names only such statuses",
    (path, heading, statuses) => {
      const [, section = ""] = pageAt(path).split(`## ${heading}\n`)
      const rows = section
        .slice(0, section.search(/\|\n\n/))
        .split("\n")
        .flatMap((line) => (line.startsWith("| `") ? [line.split("|").map((cell) => cell.trim())] : []))
      assert.deepStrictEqual(
        rows.map(([, status]) => status),
        statuses.map((status) => `\`${status}\``),
      )
      const known: ReadonlyArray<string> = statuses
      for (const [, status = "", , following = "", final] of rows) {
        const next = [...following.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name)
        assert.includeMembers([...known], next, status)
        assert.strictEqual(final, next.length === 0 ? "yes" : "no", status)
      }
    },
  )

  it("names the evaluation of the top score in the order of the model", () => {
    const [, order = ""] =
      /at the top\nof a submission are those of ([^.]*)\./.exec(pageAt("docs/submissions.md")) ?? []
    assert.deepStrictEqual(
      [...order.matchAll(/`(\w+)`/g)].map(([, type]) => type),
      [...leadingTypes],
    )
  })
})
