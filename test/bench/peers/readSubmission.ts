/** Reads a submission's detail with one statement. */
import type { StoredOption } from "../../../src/interview-sets/InterviewSet.ts"
import { chosenOptions, optionText } from "../../../src/interview-sets/OptionText.ts"
import { notFound, uuidForm } from "./app.ts"
import { prepared } from "./postgres.ts"

interface Evaluation {
  readonly evaluation_type: "holistic" | "interview" | "cv"
  readonly [field: string]: unknown
}

interface Answer {
  readonly options: ReadonlyArray<StoredOption>
  readonly option_ids: ReadonlyArray<string>
  readonly spoken: {
    readonly is_deleted: boolean
    readonly transcript: string | null
    readonly [field: string]: unknown
  } | null
  readonly question_id: string
  readonly attempt: number
  readonly [field: string]: unknown
}

interface Row {
  readonly candidate: Readonly<
    Record<"id" | "ats_candidate_id" | "external_id" | "email" | "name" | "firstname" | "lastname", string | null>
  > & { readonly metadata: object }
  readonly evaluations: ReadonlyArray<Evaluation>
  readonly answers: ReadonlyArray<Answer>
  readonly languages: ReadonlyArray<string>
  readonly cv: {
    readonly notes: ReadonlyArray<string>
    readonly error: string | null
    readonly file: object | null
  } | null
  readonly [field: string]: unknown
}

const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const find = prepared<Row>(`
  select b.status as status_text, jsonb_build_object('id', s.id, 'title', s.title, 'external_id', s.external_id) as interview_set,
    jsonb_build_object('id', c.id, 'ats_candidate_id', c.ats_candidate_id,
      'external_id', b.external_id, 'metadata', b.metadata, 'email', coalesce(c.email, c.cv_email), 'name', c.name,
      'firstname', c.firstname, 'lastname', c.lastname) as candidate,
    (select jsonb_build_object('id', i.id, 'status_text', i.status) from invitation i
     where i.submission_id = b.id order by i.created_at desc, i.id desc limit 1) as invitation,
    jsonb_build_object('decision', b.decision, 'reason', b.decision_reason, 'decided_by', b.decided_by,
      'decided_at', ${iso("b.decided_at")}) as decision,
    (select jsonb_build_object('id', h.id, 'name', h.name) from hiring_stage h where h.id = b.stage_id) as stage,
    b.decision_changes as decision_version, b.stage_changes as stage_version, b.has_knock_out,
    coalesce((select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name) order by t.key)
      from submission_tag x join tag t on t.id = x.tag_id where x.submission_id = b.id), '[]') as tags,
    coalesce((select array_agg(l.tag order by array_position(s.cfg_lingual_ids, l.id)) from language l
      where l.id = any(s.cfg_lingual_ids)), '{}') as languages,
    coalesce((select jsonb_agg(v.detail order by v.evaluation_type) from (
      select distinct on (e.evaluation_type) e.evaluation_type, e.result || jsonb_build_object(
        'evaluation_type', e.evaluation_type, 'evaluator', e.evaluator, 'evaluated_at', ${iso("e.evaluated_at")},
        'held_until', ${iso("e.held_until")}, 'override', e.override) as detail
      from evaluation e where e.submission_id = b.id and e.state = 'done'
      order by e.evaluation_type, e.created_at desc, e.id desc) v), '[]') as evaluations,
    coalesce((select jsonb_agg(jsonb_build_object('question_id', q.id, 'title', coalesce(q.title, q.content),
        'attempt', a.attempt, 'content', a.content,
        'options', q.options, 'option_ids', to_jsonb(a.option_ids),
        'file', (select jsonb_build_object('name', a.file_name, 'type', a.file_type, 'size', f.size)
          from blob f where f.id = a.blob_id),
        'spoken', (select jsonb_build_object('duration_seconds', round(r.seconds), 'content_type', r.content_type,
          'is_deleted', r.deleted_at is not null,
          'transcript', spoken_text(r.correction, r.segments)) from recording r where r.id = a.recording_id))
        order by a.attempt, q.ordinal)
      from answer a join question q on q.id = a.question_id where a.submission_id = b.id
        and (a.attempt < b.attempt or b.status in ('completed', 'evaluated'))), '[]') as answers,
    (select jsonb_build_object('notes', v.notes, 'error', case when v.state = 'failed' then v.error end,
        'file', (select jsonb_build_object('type', v.file_type, 'size', f.size) from blob f where f.id = v.blob_id))
      from cv v where v.submission_id = b.id order by v.created_at desc, v.id desc limit 1) as cv,
    ${iso("b.initiated_at")} as initiated_at, ${iso("b.started_at")} as started_at,
    ${iso("b.completed_at")} as completed_at, ${iso("b.declined_at")} as declined_at,
    b.decline_reason
  from submission b join interview_set s on s.id = b.interview_set_id join candidate c on c.id = b.candidate_id
  where b.id = $1 and b.organization_id = $2`)

const rank = ["holistic", "interview", "cv"]

const nameOf = ({ email, firstname, lastname, name }: Row["candidate"]) =>
  name?.trim() || [firstname, lastname].filter((part) => part?.trim()).join(" ") || email?.split("@")[0] || null

const spokenOf = (
  { is_deleted, transcript, ...recording }: NonNullable<Answer["spoken"]>,
  id: string,
  { attempt, question_id }: Pick<Answer, "attempt" | "question_id">,
) => ({
  ...(is_deleted
    ? {}
    : {
        recording: {
          ...recording,
          url: `${process.env["APP_URL"]}/company/integration/hiring/submissions/${id}/answers/${question_id}/recording/v1?attempt=${attempt}`,
        },
      }),
  transcript,
})

const isUuid = new RegExp(uuidForm)

export const readSubmission = async (organization: number, id: string) => {
  const [row] = isUuid.test(id) ? await find([id, organization]) : []
  if (row === undefined) throw notFound("submission")
  const {
    answers,
    candidate,
    completed_at,
    cv,
    evaluations,
    initiated_at,
    interview_set,
    invitation,
    languages,
    started_at,
  } = row
  const [leading] = evaluations.toSorted((a, b) => rank.indexOf(a.evaluation_type) - rank.indexOf(b.evaluation_type))
  return {
    id,
    submission_url: `${process.env["APP_URL"]}/submissions/${id}`,
    status_text: row["status_text"],
    interview_set,
    candidate: {
      id: candidate.id,
      ats_candidate_id: candidate.ats_candidate_id,
      external_id: candidate.external_id,
      metadata: candidate.metadata,
      email: candidate.email,
      name: nameOf(candidate),
    },
    invitation,
    score: leading?.["score"] ?? null,
    score_status: leading?.["score_status"] ?? "not_scored",
    decision: row["decision"],
    decision_version: row["decision_version"],
    stage: row["stage"],
    stage_version: row["stage_version"],
    has_knock_out: row["has_knock_out"],
    tags: row["tags"],
    summary: leading?.["summary"] || null,
    strengths: leading?.["strengths"] ?? [],
    gaps: leading?.["gaps"] ?? [],
    recommendations: leading?.["recommendations"] ?? [],
    criteria: leading?.["criteria"] ?? [],
    evaluations,
    answers: answers.map(({ option_ids, options, spoken, ...answer }) => ({
      ...answer,
      ...(spoken === null ? {} : spokenOf(spoken, id, answer)),
      options: chosenOptions(options, option_ids).map((option) => ({
        id: option.id,
        title: optionText(option, languages).title,
      })),
    })),
    cv_notes: cv?.notes ?? [],
    cv_file:
      cv?.file == null
        ? null
        : { ...cv.file, url: `${process.env["APP_URL"]}/company/integration/hiring/submissions/${id}/cv/v1` },
    initiated_at,
    started_at,
    completed_at,
    declined_at: row["declined_at"],
    decline_reason: row["decline_reason"],
    ...(cv?.error == null ? {} : { candidate_entry_error_message: cv.error }),
  }
}
