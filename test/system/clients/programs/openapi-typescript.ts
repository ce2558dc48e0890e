import createClient from "openapi-fetch"
import type { components, paths } from "./api"

const { API_KEY = "", API_URL = "" } = process.env
const client = createClient<paths>({ baseUrl: API_URL, headers: { "X-API-Key": API_KEY } })

const interviewSet: components["schemas"]["CreateInterviewSet"] = {
  title: "Backend Engineer",
  iai_questions: [{ title: "A service", question_mode: "interview", question_type: "text", attributes: { id: 17 } }],
}

const main = async () => {
  const set = await client.POST("/company/integration/interview/set/v1", { body: interviewSet })
  if (set.error) throw new Error(set.error.code)
  const invited = await client.POST("/company/integration/interview/candidate/invite/v1", {
    body: { com_interview_set_id: set.data.results.id, candidates: [{ email: "ada@example.com" }] },
    headers: { "Idempotency-Key": crypto.randomUUID() },
  })
  const id = invited.data?.results[0]?.submission?.id ?? ""
  const submission = await client.GET("/company/integration/hiring/submissions/{id}/detail/v1", {
    params: { path: { id } },
  })
  const status: components["schemas"]["SubmissionStatus"] | undefined = submission.data?.results.status_text
  process.stdout.write(JSON.stringify([set.data.results.iai_questions[0]?.attributes, status]))
}
main()
