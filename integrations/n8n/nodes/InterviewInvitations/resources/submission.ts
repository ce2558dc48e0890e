import type { IDataObject, IExecuteSingleFunctions, INodeExecutionData, INodeProperties } from "n8n-workflow"
import { root } from "../../../common/api"
import { choices, pageFields, personFilters, sent, updatedSince } from "../../../common/fields"
import { readPages } from "../../../common/lists"
import { failOnProblem } from "../../../common/problem"
import { addTimeZone, requireId, unwrap } from "../../../common/send"

export const submissionStatuses = {
  completed: "Completed",
  cv_processing: "CV Is Read",
  evaluated: "Evaluated",
  expired: "Expired",
  initiated: "Opened",
  need_interview: "Not Started",
  started: "Started",
  withdrawn: "Withdrawn",
}

export const decisions = { advance: "Advance", hold: "Hold", reject: "Reject", none: "Undecided" }

/** postReceive: the fields that most workflows need, in one level. */
async function simplify(this: IExecuteSingleFunctions, items: INodeExecutionData[]): Promise<INodeExecutionData[]> {
  if (this.getNodeParameter("simplify", true) !== true) return items
  return items.map(({ json, ...item }) => {
    const part = (name: string) => json[name] as IDataObject | null
    return {
      ...item,
      json: {
        id: json["id"],
        status_text: json["status_text"],
        score: json["score"],
        score_status: json["score_status"],
        ...(json["warnings"] === undefined ? {} : { warnings: json["warnings"] }),
        decision: part("decision")?.["decision"] ?? null,
        stage: part("stage")?.["name"] ?? null,
        has_knock_out: json["has_knock_out"],
        summary: json["summary"],
        strengths: json["strengths"],
        gaps: json["gaps"],
        candidate_id: part("candidate")?.["id"],
        candidate_name: part("candidate")?.["name"],
        candidate_email: part("candidate")?.["email"],
        external_id: part("candidate")?.["external_id"],
        interview_set_id: part("interview_set")?.["id"],
        interview_set_title: part("interview_set")?.["title"],
        completed_at: json["completed_at"],
        submission_url: json["submission_url"],
      },
    }
  })
}

export const submission: INodeProperties[] = [
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: ["submission"] } },
    options: [
      {
        name: "Get",
        value: "get",
        action: "Get a submission",
        description: "Get a submission with its score, evaluations and answers",
        routing: {
          request: {
            method: "GET",
            url: `=${root}/hiring/submissions/{{ encodeURIComponent($parameter["submissionId"] ?? "") }}/detail/v1`,
          },
          send: { preSend: [requireId] },
          output: { postReceive: [failOnProblem, unwrap, simplify] },
        },
      },
      {
        name: "Get Many",
        value: "getAll",
        action: "Get many submissions",
        description: "Get many submissions with their scores, newest first",
        routing: {
          request: { method: "GET", url: `${root}/hiring/submissions/v1` },
          send: { paginate: true, preSend: [addTimeZone] },
          operations: { pagination: readPages },
          output: { postReceive: [failOnProblem] },
        },
      },
    ],
    default: "getAll",
  },
  {
    displayName: "Submission ID",
    name: "submissionId",
    type: "string",
    required: true,
    default: "",
    description: "From the result of an invite, or from an event",
    displayOptions: { show: { resource: ["submission"], operation: ["get"] } },
  },
  {
    displayName: "Simplify",
    name: "simplify",
    type: "boolean",
    default: true,
    description: "Whether to return a simplified version of the response instead of the raw data",
    displayOptions: { show: { resource: ["submission"], operation: ["get"] } },
  },
  ...pageFields("submission"),
  {
    displayName: "Filters",
    name: "filters",
    type: "collection",
    placeholder: "Add filter",
    default: {},
    displayOptions: { show: { resource: ["submission"], operation: ["getAll"] } },
    options: [
      ...personFilters,
      sent("decision", "query", {
        displayName: "Decision",
        name: "decision",
        type: "options",
        options: choices(decisions),
        default: "advance",
      }),
      sent("stage", "query", {
        displayName: "Stage ID",
        name: "stage",
        type: "string",
        default: "",
        description: "ID of the stage of a submission; none: those without a stage",
      }),
      sent("status", "query", {
        displayName: "Status",
        name: "status",
        type: "options",
        options: choices(submissionStatuses),
        default: "evaluated",
      }),
      sent("tag", "query", {
        displayName: "Tag ID",
        name: "tag",
        type: "string",
        default: "",
        description: "ID of one of the tags of a submission",
      }),
      updatedSince,
    ],
  },
]
