/** Creates an interview set, invites a candidate and receives a webhook, with fetch. */
import { randomUUID } from "node:crypto"
import { startReceiver } from "./receiver.ts"

const { API_KEY = "", API_URL = "http://localhost:8080", RECEIVER_PORT = "9000" } = process.env

const call = async (method: string, path: string, body?: object) => {
  const response = await fetch(`${API_URL}/company/integration${path}`, {
    method,
    redirect: "error", // another server would get the API key
    headers: {
      "X-API-Key": API_KEY,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(method === "POST" ? { "Idempotency-Key": randomUUID() } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  // docs/errors.md lists the codes
  if (!response.ok) throw new Error(`${response.status} ${answer.code}: ${JSON.stringify(answer)}`)
  return answer.results
}

const { organization } = await call("GET", "/me/v1")
console.log("organization:", organization.name)

const receiver = await startReceiver(Number(RECEIVER_PORT))
const endpoint = await call("POST", "/webhooks/v1", { name: "Quickstart", url: receiver.url })
receiver.setSecret(endpoint.secret)
try {
  const set = await call("POST", "/interview/set/v1", {
    title: "Platform Engineer",
    iai_questions: [{ title: "A service you built", question_mode: "interview", question_type: "text" }],
    iai_requirements: [{ title: "PostgreSQL", cfg_importance_id: 273 }],
  })
  const [result] = await call("POST", "/interview/candidate/invite/v1", {
    com_interview_set_id: set.id,
    candidates: [{ email: "ada@example.com", name: "Ada Lovelace" }],
  })
  if (result.error_message !== undefined) throw new Error(result.error_message)
  console.log("interview:", result.submission.interview_url)

  const detail = await call("GET", `/hiring/submissions/${result.submission.id}/detail/v1`)
  console.log("submission:", detail.status_text, "score:", detail.score)

  const { data, event_type } = await receiver.eventOf(result.submission.id)
  console.log("verified:", event_type, data.status ?? data.score_status)
} finally {
  await call("DELETE", `/webhooks/v1/${endpoint.id}`)
  receiver.close()
}
