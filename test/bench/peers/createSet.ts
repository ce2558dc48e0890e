/** Creates an interview set with one statement. */
import { randomUUIDv7 } from "node:crypto"
import { isEmailAddress } from "../../../src/values/EmailAddress.ts"
import { anyText, integer, integerFrom, invalid, list, metadata, text, uuid } from "./app.ts"
import { prepared } from "./postgres.ts"

type Item = Readonly<Record<string, unknown>>

export interface SetBody extends Item {
  readonly title: string
  readonly project_id?: string | null
  readonly iai_questions?: ReadonlyArray<
    Item & {
      readonly question_mode: keyof typeof modes
      readonly question_type: keyof typeof types
      readonly options?: ReadonlyArray<Item> | null
    }
  > | null
  readonly iai_requirements?: ReadonlyArray<Item> | null
  readonly com_accesses?: ReadonlyArray<Item & { readonly email: string }> | null
}

const modes = { pre_screening: 247, interview: 248 }
const types = { text: 250, checkbox: 251, radio: 252, file: 253 }
const importances: ReadonlyArray<unknown> = [244, 245, 272, 273]

const object = (required: ReadonlyArray<string>, properties: object) => ({ type: "object", required, properties })

export const setBody = object(["title"], {
  title: { type: "string", maxLength: 1024, pattern: "\\S" },
  position: text(1024),
  set_type: { enum: [1, 2, null] },
  description: anyText,
  interview_duration: integerFrom(1),
  cfg_lingual_ids: list(integer),
  number_of_retakes: integerFrom(0),
  priority: integer,
  project_id: uuid,
  iai_questions: list(
    object(["question_mode", "question_type"], {
      title: text(5000),
      content: text(5000),
      hint: text(2000),
      details: text(10000),
      question_mode: { enum: Object.keys(modes) },
      question_type: { enum: Object.keys(types) },
      priority: integer,
      options: list(
        object([], {
          id: { type: ["string", "integer", "null"] },
          title: anyText,
          content: anyText,
          priority: integer,
        }),
      ),
      allowed_file_types: list(anyText),
      attributes: metadata,
    }),
  ),
  iai_requirements: list(
    object([], {
      title: text(5000),
      content: text(5000),
      hint: text(2000),
      tal_skill_ids: list(integer),
      priority: integer,
      attributes: metadata,
    }),
  ),
  com_accesses: list(
    object(["email"], {
      email: { type: "string", maxLength: 250 },
      fullname: text(500),
      firstname: text(250),
      lastname: text(250),
      priority: integer,
      attributes: metadata,
    }),
  ),
})

const findProject = prepared("select id from project where id = $1 and organization_id = $2 and deleted_at is null")

const insertSet = prepared(`
  with stored as (
    insert into interview_set (id, organization_id, project_id, title, position, set_type, description,
      interview_duration, cfg_lingual_ids, number_of_retakes, priority, external_id, metadata, created_at)
    select r.id, $1, r.com_project_id, r.title, r.position, r.set_type, r.description, r.interview_duration,
      r.cfg_lingual_ids, r.number_of_retakes, r.priority, r.external_id, r.metadata, now()
    from jsonb_to_record($3::text::jsonb) as r(id uuid, com_project_id uuid, title text, position text, set_type int,
      description text, interview_duration int, cfg_lingual_ids int[], number_of_retakes int, priority int,
      external_id text, metadata jsonb)
    returning created_at, updated_at
  ), questions as (
    insert into question (id, organization_id, interview_set_id, ordinal, title, content, hint, details,
      cfg_question_mode_id, cfg_question_type_id, priority, options, allowed_file_types, attributes)
    select r.id, $1, $2, r.ordinal, r.title, r.content, r.hint, r.details, r.cfg_question_mode_id,
      r.cfg_question_type_id, r.priority, r.options, r.allowed_file_types, r.attributes
    from jsonb_to_recordset($4::text::jsonb) as r(id uuid, ordinal int, title text, content text, hint text,
      details text, cfg_question_mode_id int, cfg_question_type_id int, priority int, options jsonb,
      allowed_file_types text[], attributes jsonb)
  ), requirements as (
    insert into requirement (id, organization_id, interview_set_id, ordinal, title, content, hint, cfg_importance_id,
      tal_skill_ids, priority, attributes)
    select r.id, $1, $2, r.ordinal, r.title, r.content, r.hint, r.cfg_importance_id, r.tal_skill_ids, r.priority,
      r.attributes
    from jsonb_to_recordset($5::text::jsonb) as r(id uuid, ordinal int, title text, content text, hint text,
      cfg_importance_id int, tal_skill_ids int[], priority int, attributes jsonb)
  ), accesses as (
    insert into set_access (id, organization_id, interview_set_id, ordinal, email, fullname, firstname, lastname, priority,
    attributes)
  select r.id, $1, $2, r.ordinal, r.email, r.fullname, r.firstname, r.lastname, r.priority, r.attributes
  from jsonb_to_recordset($6::text::jsonb) as r(id uuid, ordinal int, email text, fullname text, firstname text,
    lastname text, priority int, attributes jsonb)
  )
  select extract(epoch from updated_at)::text as version,
    to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
    to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as updated_at from stored`)

const numbered = (items: ReadonlyArray<object>) => JSON.stringify(items.map((item, ordinal) => ({ ...item, ordinal })))

/** Options without an id get the lowest number that no other option of the question has. */
const optionsOf = (options: ReadonlyArray<Item>) => {
  const taken = new Set(options.flatMap(({ id }) => (id == null ? [] : [String(id)])))
  let next = 1
  return options.map(({ content, contents, id, priority, title, titles }) => {
    while (id == null && taken.has(String(next))) next++
    return {
      id: id ?? String(next++),
      title: title ?? null,
      titles: titles ?? null,
      content: content ?? null,
      contents: contents ?? null,
      priority: priority ?? null,
    }
  })
}

export const createSet = async (organization: number, body: SetBody) => {
  const project = body.project_id?.toLowerCase() ?? null
  if (project !== null && (await findProject([project, organization])).length === 0) {
    throw invalid([{ pointer: "#/project_id", code: "not_found", message: "is not a project of this organization" }])
  }
  const accesses = new Map<string, Item & { readonly email: string }>()
  for (const [i, access] of (body.com_accesses ?? []).entries()) {
    if (!isEmailAddress(access.email)) {
      throw invalid([
        { pointer: `#/com_accesses/${i}/email`, code: "invalid", message: "must be a valid email address" },
      ])
    }
    const key = access.email.toLowerCase()
    if (!accesses.has(key)) accesses.set(key, access)
  }
  const set = {
    id: randomUUIDv7(),
    title: body.title,
    position: body["position"] ?? null,
    set_type: body["set_type"] ?? 1,
    description: body["description"] ?? null,
    interview_duration: body["interview_duration"] ?? null,
    cfg_lingual_ids: body["cfg_lingual_ids"] ?? [],
    number_of_retakes: body["number_of_retakes"] ?? null,
    priority: body["priority"] ?? null,
    job_locations: [],
    com_project_id: project,
    external_id: body["external_id"] ?? null,
    metadata: body["metadata"] ?? {},
    iai_questions: (body.iai_questions ?? []).map((question) => ({
      id: randomUUIDv7(),
      title: question["title"] ?? null,
      content: question["content"] ?? null,
      hint: question["hint"] ?? null,
      details: question["details"] ?? null,
      cfg_question_mode_id: modes[question.question_mode],
      cfg_question_type_id: types[question.question_type],
      priority: question["priority"] ?? null,
      options: optionsOf(question.options ?? []),
      allowed_file_types: question["allowed_file_types"] ?? null,
      attributes: question["attributes"] ?? null,
    })),
    iai_requirements: (body.iai_requirements ?? []).map((requirement) => ({
      id: randomUUIDv7(),
      title: requirement["title"] ?? null,
      content: requirement["content"] ?? null,
      hint: requirement["hint"] ?? null,
      cfg_importance_id: importances.includes(requirement["cfg_importance_id"])
        ? requirement["cfg_importance_id"]
        : 244,
      tal_skill_ids: requirement["tal_skill_ids"] ?? [],
      priority: requirement["priority"] ?? null,
      attributes: requirement["attributes"] ?? null,
    })),
    com_accesses: [...accesses.values()].map((access) => ({
      id: randomUUIDv7(),
      email: access.email,
      fullname: access["fullname"] ?? null,
      firstname: access["firstname"] ?? null,
      lastname: access["lastname"] ?? null,
      priority: access["priority"] ?? null,
      attributes: access["attributes"] ?? null,
    })),
  }
  const { com_accesses, iai_questions, iai_requirements, ...row } = set
  const items = [iai_questions, iai_requirements, com_accesses].map(numbered)
  const [made] = await insertSet([organization, set.id, JSON.stringify(row), ...items])
  return { ...set, ...made, is_fixed: false, archived_at: null }
}
