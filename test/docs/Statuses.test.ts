/** Checks the tables of statuses in docs/api.md against the models. */
import { assert, describe, it } from "@effect/vitest"
import { InvitationStatus } from "../../src/submissions/InvitationStatus.ts"
import { SubmissionStatus } from "../../src/submissions/Submission.ts"
import { leadingTypes } from "../../src/submissions/SubmissionDetail.ts"
import { pageAt } from "./pages.ts"

const [, section = ""] = /^## Statuses\n([\s\S]*?)\n## /m.exec(pageAt("docs/api.md")) ?? []

describe("docs/api.md", () => {
  it.each([
    ["a submission", SubmissionStatus.literals],
    ["an invitation", InvitationStatus.literals],
  ] as const)(
    "explains every status of %s, in the order of the model, and names only such statuses",
    (of, statuses) => {
      const [, table = ""] = new RegExp(`^\`status_text\` of ${of}[^|]*((?:\\|.*\\n)+)`, "m").exec(section) ?? []
      const rows = table
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
    const [, order = ""] = /at the top\nof a submission are those of ([^.]*)\./.exec(section) ?? []
    assert.deepStrictEqual(
      [...order.matchAll(/`(\w+)`/g)].map(([, type]) => type),
      [...leadingTypes],
    )
  })
})
