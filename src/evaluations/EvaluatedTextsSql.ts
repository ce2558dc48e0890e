/** Reads what is evaluated (EvaluatedTexts.ts). */
import { languagesOf } from "../interview-sets/InterviewSetSql.ts"
import type { Sql } from "../platform/database/Sql.ts"

/**
 * Columns of EvaluatedTexts, of submission `b`, set `s`, candidate `c` and `e`: an evaluation, or a row with its
 * `evaluation_type` and `attempt`.
 */
export const evaluatedTexts = (sql: Sql) => sql`s.title as interview_name, s.position, ${languagesOf(sql)},
    coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'title', r.title, 'content', r.content,
        'hint', r.hint, 'cfg_importance_id', r.cfg_importance_id) order by r.ordinal)
      from requirement r where r.interview_set_id = s.id), '[]') as requirements,
    coalesce((select jsonb_agg(jsonb_build_object('question_id', q.id,
        'question', nullif(concat_ws(' ', q.title, q.content), ''), 'options', q.options,
        'content', nullif(concat_ws(E'\n', a.content, spoken_text(v.correction, v.segments)), ''),
        'option_ids', to_jsonb(a.option_ids),
        'is_unheard', v.id is not null and v.correction is null and v.segments is null,
        'file_type', case when a.blob_id is not null then coalesce(a.file_type, '') end) order by q.ordinal)
      from answer a join question q on q.id = a.question_id left join recording v on v.id = a.recording_id
      where a.submission_id = b.id and a.attempt = e.attempt and e.evaluation_type <> 'cv'), '[]') as answers,
    (select v.text from cv v where v.submission_id = b.id and v.state = 'read' and e.evaluation_type <> 'interview'
     order by v.created_at desc, v.id desc limit 1) as cv_text,
    coalesce((select v.warnings from cv v
     where v.submission_id = b.id and v.state = 'read' and e.evaluation_type <> 'interview'
     order by v.created_at desc, v.id desc limit 1), '[]') as cv_warnings,
    (select v.error from cv v where v.submission_id = b.id and v.state = 'failed' and e.evaluation_type = 'cv'
     order by v.created_at desc, v.id desc limit 1) as cv_error,
    jsonb_build_object('name', c.name, 'firstname', c.firstname, 'lastname', c.lastname, 'phone', c.phone) as person`
