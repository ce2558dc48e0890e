import { assert, describe, it } from "@effect/vitest"
import { CandidateId, InterviewSetId, InvitationId, OrganizationId, SubmissionId } from "../../../src/domain/Ids.ts"
import type { InvitationView } from "../../../src/repository/Invitations.ts"
import { renderInvitation } from "../../../src/service/emails/InvitationEmail.ts"
import { linkAt, rewriteLinks } from "../../../src/service/Mailbox.ts"

const id = "00000000-0000-7000-8000-000000000001"
const url = "https://app.example.com/i/AbC?x=1&y=2"
const links = { interviewUrl: url, unsubscribeUrl: "https://app.example.com/unsubscribe/AbC" }

const invitation = (rest: Partial<InvitationView> = {}): InvitationView => ({
  id: InvitationId.make(id),
  organization_id: OrganizationId.make(1),
  organization_name: "Acme",
  interview_set_id: InterviewSetId.make(id),
  interview_name: "Backend Engineer",
  interview_duration: 30,
  submission_id: SubmissionId.make(id),
  candidate_id: CandidateId.make(id),
  ats_candidate_id: null,
  email: "ada@example.com",
  name: "Ada Lovelace",
  firstname: "Ada",
  lastname: "Lovelace",
  message: null,
  status: "pending",
  expires_at: new Date("2026-12-21T14:05:00Z"),
  ...rest,
})

describe("renderInvitation", () => {
  it("says who invites, to what, how long, until when, and where", () => {
    const { html, subject, text } = renderInvitation(invitation(), links)
    assert.strictEqual(subject, "Interview invitation: Backend Engineer")
    for (const part of [
      "Hello Ada Lovelace",
      "Acme",
      "Backend Engineer",
      "30 minutes",
      "Monday, 21 December 2026, 14:05 UTC",
    ]) {
      assert.include(html, part)
      assert.include(text, part)
    }
    assert.include(text, url)
    assert.include(renderInvitation(invitation({ interview_duration: null }), links).text, "no time limit")
    assert.include(renderInvitation(invitation({ interview_duration: 1 }), links).text, "1 minute,")
  })

  it("fills the message's tokens and keeps its lines", () => {
    const message =
      "Dear {{firstname}} {{lastname}} ({{name}}),\r\n{{interview}} at {{ organization }} until {{deadline}}. {{other}}"
    const { html, text } = renderInvitation(invitation({ message }), links)
    const filled = [
      "Dear Ada Lovelace (Ada Lovelace),",
      "Backend Engineer at Acme until Monday, 21 December 2026. {{other}}",
    ]
    assert.include(text, filled.join("\n"))
    assert.include(html, filled.join("<br>"))
  })

  it("names somebody without a name by the address", () => {
    const nameless = { name: null, firstname: null, lastname: null, message: "Dear {{firstname}}, hello" }
    assert.include(renderInvitation(invitation(nameless), links).text, "Dear ada, hello")
  })

  it("escapes what people wrote in HTML and leaves it alone in text", () => {
    const hostile = `<script>alert("1")</script>'"><img src=x> href="https://evil.example/"`
    const all = invitation({
      organization_name: hostile,
      interview_name: hostile,
      name: hostile,
      message: `{{name}} {{interview}} ${hostile}`,
    })
    const { html, text } = renderInvitation(all, links)
    assert.notInclude(html, "<script")
    assert.notInclude(html, "<img")
    assert.include(html, "&lt;script&gt;")
    assert.notInclude(html, "&amp;lt;")
    assert.include(text, hostile)
    assert.strictEqual(linkAt(html, 0), url)
    assert.strictEqual(linkAt(html, 1), url)
    assert.strictEqual(linkAt(html, 2), links.unsubscribeUrl)
    assert.isUndefined(linkAt(html, 3))
  })

  it("keeps the subject on one line", () => {
    const { subject } = renderInvitation(
      invitation({ interview_name: " Backend\r\nBcc: x@example.com \t Engineer " }),
      links,
    )
    assert.strictEqual(subject, "Interview invitation: Backend Bcc: x@example.com Engineer")
  })

  it("loads nothing from anywhere", () => {
    assert.notMatch(renderInvitation(invitation(), links).html, /<img|<link|src=|url\(|@import/)
  })
})

describe("links of a mail", () => {
  it("are replaced one by one, and lead where they led", () => {
    const { html } = renderInvitation(invitation(), links)
    const rewritten = rewriteLinks(html, (index) => `/mailbox/${id}/links/${index}`)
    assert.include(rewritten, `href="/mailbox/${id}/links/0"`)
    assert.include(rewritten, `href="/mailbox/${id}/links/1"`)
    assert.notMatch(rewritten, /href="http/)
    assert.isUndefined(linkAt(html, Number.NaN))
    assert.isUndefined(linkAt(html, -1))
  })
})
