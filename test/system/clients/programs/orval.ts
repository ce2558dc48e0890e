import { type CreateInterviewSet, createInterviewSet, getSubmission, inviteCandidates } from "./api"

const headers = { "X-API-Key": process.env["API_KEY"] ?? "" }

const interviewSet: CreateInterviewSet = {
  title: "Backend Engineer",
  iai_questions: [{ title: "A service", question_mode: "interview", question_type: "text", attributes: { id: 17 } }],
}

const main = async () => {
  const set = await createInterviewSet(interviewSet, { headers })
  if (set.status !== 201) throw new Error(set.data.code)
  const invited = await inviteCandidates(
    { com_interview_set_id: set.data.results.id, candidates: [{ email: "ada@example.com" }] },
    { headers: { ...headers, "Idempotency-Key": crypto.randomUUID() } },
  )
  if (invited.status !== 200) throw new Error(invited.data.code)
  const submission = await getSubmission(invited.data.results[0]?.submission?.id ?? "", { headers })
  if (submission.status !== 200) throw new Error(submission.data.code)
  process.stdout.write(
    JSON.stringify([set.data.results.iai_questions[0]?.attributes, submission.data.results.status_text]),
  )
}
main()
