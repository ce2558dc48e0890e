/** Uses the SDK with web globals only, and returns what the test compares. Bundled for browsers, imported by Node 20. */
import { ApiError, createClient, paginate } from "interview-invitations/sdk"
import { verifyWebhook } from "interview-invitations/sdk/webhooks"

export const journey = async ({ apiKey, url, webhook }) => {
  const client = createClient({ url, apiKey })
  const set = await client.createInterviewSet({ title: "Backend Engineer" })
  const [invited] = await client.inviteCandidates({
    com_interview_set_id: set.id,
    candidates: [{ email: "ada@example.com" }],
  })
  const detail = await client.getSubmission(invited.submission.id)
  const emails = []
  for await (const { email } of paginate(client.listInvitations, { interview_set_id: set.id })) emails.push(email)
  const refused = await client.createInterviewSet({ title: "" }).catch((error) => error)
  const body = new TextEncoder().encode(webhook.body)
  const { event_type } = await verifyWebhook({ body, headers: new Headers(webhook.headers), secret: webhook.secret })
  const wrong = { body: `${webhook.body} `, headers: webhook.headers, secret: webhook.secret }
  const { reason } = await verifyWebhook(wrong).catch((error) => error)
  return [detail.status_text, emails, refused instanceof ApiError, refused.code, event_type, reason]
}
