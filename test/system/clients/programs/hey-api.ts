import { type CreateInterviewSet, createInterviewSet, getSubmission, inviteCandidates } from "./client"
import { client } from "./client/client.gen"

const { API_KEY = "", API_URL = "" } = process.env
client.setConfig({ baseUrl: API_URL, auth: API_KEY })

const interviewSet: CreateInterviewSet = {
  title: "Backend Engineer",
  iai_questions: [{ title: "A service", question_mode: "interview", question_type: "text", attributes: { id: 17 } }],
}

const main = async () => {
  const set = await createInterviewSet({ body: interviewSet, throwOnError: true })
  const invited = await inviteCandidates({
    body: { com_interview_set_id: set.data.results.id, candidates: [{ email: "ada@example.com" }] },
    headers: { "Idempotency-Key": crypto.randomUUID() },
    throwOnError: true,
  })
  const id = invited.data.results[0]?.submission?.id ?? ""
  const submission = await getSubmission({ path: { id }, throwOnError: true })
  process.stdout.write(
    JSON.stringify([set.data.results.iai_questions[0]?.attributes, submission.data.results.status_text]),
  )
}
main()
