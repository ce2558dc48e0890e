/** A hiring system without Effect: creates a set and an endpoint, invites, reads, and verifies the webhook that arrives. */
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders } from "node:http"
import { createClient } from "@interview-invitations/sdk"
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from "@interview-invitations/sdk/webhooks"

const { API_KEY: apiKey = "", API_URL: url = "" } = process.env
const client = createClient({ url, apiKey })

interface Delivery {
  readonly body: Buffer
  readonly headers: IncomingHttpHeaders
}

const { promise: delivered, resolve } = Promise.withResolvers<Delivery>()
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  response.writeHead(204).end()
  resolve({ body, headers: request.headers })
})
await once(server.listen(0, "127.0.0.1"), "listening")
const address = server.address()
const port = typeof address === "object" ? address?.port : undefined

const { secret } = await client.createWebhookEndpoint({
  name: "ATS",
  url: `http://127.0.0.1:${port}/hooks`,
  events: ["invitation.status.update"],
})
const set = await client.createInterviewSet({ title: "Backend Engineer" })
const [invited] = await client.inviteCandidates({
  com_interview_set_id: set.id,
  // not an address: its failure is an event at once
  candidates: [{ email: "invalid" }],
})
const detail = await client.getSubmission(invited?.submission?.id ?? "")
const delivery = await delivered
const event: WebhookEvent = await verifyWebhook({ ...delivery, secret })
const isOfInvite =
  event.event_type === "invitation.status.update" && event.data.submission_id === invited?.submission?.id
const reason = await verifyWebhook({ ...delivery, body: `${delivery.body} `, secret }).catch((error: unknown) =>
  error instanceof WebhookVerificationError ? error.reason : String(error),
)
process.stdout.write(JSON.stringify([detail.status_text, event.event_type, isOfInvite, reason]))
server.close()
server.closeAllConnections()
process.exit()
