import type { IDataObject, IExecuteSingleFunctions, IHttpRequestOptions, INodeProperties } from "n8n-workflow"
import { root } from "../../../common/api"
import {
  choices,
  interviewSetLocator,
  metadataField,
  optionFields,
  pageFields,
  projectLocator,
  sent,
  updatedSince,
} from "../../../common/fields"
import { readPages } from "../../../common/lists"
import { failOnProblem } from "../../../common/problem"
import { addIdempotencyKey, addOtherFields, addTimeZone, metadataOf, requireId, unwrap } from "../../../common/send"

const linesOf = (text: unknown): string[] =>
  String(text ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

/** A question without the fields that its type does not have. */
const questionOf = (field: IDataObject): IDataObject => {
  const type = field["question_type"]
  return {
    question_mode: field["question_mode"],
    question_type: type,
    content: field["content"],
    ...(field["title"] ? { title: field["title"] } : {}),
    ...(type === "checkbox" || type === "radio"
      ? { options: linesOf(field["options"]).map((title) => ({ title })) }
      : {}),
    ...(type === "file" && Array.isArray(field["allowed_file_types"]) && field["allowed_file_types"].length > 0
      ? { allowed_file_types: field["allowed_file_types"] }
      : {}),
    ...(field["required"] === true ? { attributes: { required: true } } : {}),
  }
}

const requirementOf = (field: IDataObject): IDataObject => ({
  title: field["title"],
  cfg_importance_id: field["cfg_importance_id"],
  ...(field["content"] ? { content: field["content"] } : {}),
})

/** preSend: questions, requirements and metadata, whose forms in the editor differ from those of the API. */
async function addParts(this: IExecuteSingleFunctions, request: IHttpRequestOptions): Promise<IHttpRequestOptions> {
  const entries = (name: string) => (this.getNodeParameter(name, []) ?? []) as IDataObject[]
  const questions = entries("questions.question").map(questionOf)
  const requirements = entries("requirements.requirement").map(requirementOf)
  const texts = entries("additionalFields.metadata.texts")
  return {
    ...request,
    body: {
      ...(request.body as IDataObject),
      ...(questions.length === 0 ? {} : { iai_questions: questions }),
      ...(requirements.length === 0 ? {} : { iai_requirements: requirements }),
      ...(texts.length === 0 ? {} : { metadata: metadataOf(texts) }),
    },
  }
}

const create = { resource: ["interviewSet"], operation: ["create"] }

export const importances = { 244: "Good to Have", 245: "Important", 273: "Must Have", 272: "Very Important" }
export const questionTypes = { checkbox: "Choice of Several", radio: "Choice of One", file: "File", text: "Text" }

/** In the order in which a question is written. */
const questionFields: INodeProperties[] = [
  {
    displayName: "Question",
    name: "content",
    type: "string",
    typeOptions: { rows: 2 },
    default: "",
    description: "What the candidate is asked",
  },
  {
    displayName: "Short Form",
    name: "title",
    type: "string",
    default: "",
    description: "Shown in answers and evaluations",
  },
  {
    displayName: "Part",
    name: "question_mode",
    type: "options",
    options: choices({ interview: "Interview", pre_screening: "Pre-Screening" }),
    default: "interview",
  },
  {
    displayName: "Answer",
    name: "question_type",
    type: "options",
    options: choices(questionTypes),
    default: "text",
  },
  {
    displayName: "Choices",
    name: "options",
    type: "string",
    typeOptions: { rows: 3 },
    default: "",
    description: "One choice in each line",
    displayOptions: { show: { question_type: ["checkbox", "radio"] } },
  },
  {
    displayName: "File Types",
    name: "allowed_file_types",
    type: "multiOptions",
    options: choices({
      ...{ image: "Image", pdf: "PDF", presentation: "Presentation" },
      ...{ spreadsheet: "Spreadsheet", text: "Text", word: "Word" },
    }),
    default: [],
    description: "None chosen: all of them",
    displayOptions: { show: { question_type: ["file"] } },
  },
  {
    displayName: "Required",
    name: "required",
    type: "boolean",
    default: false,
    description: "Whether the candidate must answer before submitting",
  },
]

export const interviewSet: INodeProperties[] = [
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: ["interviewSet"] } },
    options: [
      {
        name: "Create",
        value: "create",
        action: "Create an interview set",
        description: "Create an interview with its questions and requirements",
        routing: {
          request: { method: "POST", url: `${root}/interview/set/v1` },
          send: { preSend: [addParts, addOtherFields, addIdempotencyKey] },
          output: { postReceive: [failOnProblem, unwrap] },
        },
      },
      {
        name: "Get",
        value: "get",
        action: "Get an interview set",
        description: "Get an interview set with its questions and requirements",
        routing: {
          request: {
            method: "GET",
            url: `=${root}/hiring/interview-sets/v1/{{ encodeURIComponent($parameter["interviewSet"] ?? "") }}`,
          },
          send: { preSend: [requireId] },
          output: { postReceive: [failOnProblem, unwrap] },
        },
      },
      {
        name: "Get Many",
        value: "getAll",
        action: "Get many interview sets",
        description: "Get many interview sets, newest first",
        routing: {
          request: { method: "GET", url: `${root}/hiring/interview-sets/v1` },
          send: { paginate: true, preSend: [addTimeZone] },
          operations: { pagination: readPages },
          output: { postReceive: [failOnProblem] },
        },
      },
    ],
    default: "getAll",
  },
  {
    ...interviewSetLocator,
    description: "The interview set to read",
    required: true,
    displayOptions: { show: { resource: ["interviewSet"], operation: ["get"] } },
  },
  {
    ...sent("title", "body", {
      displayName: "Title",
      name: "title",
      type: "string",
      default: "",
      description: "What candidates see as the interview's name",
    }),
    required: true,
    displayOptions: { show: create },
  },
  {
    displayName: "Questions",
    name: "questions",
    type: "fixedCollection",
    typeOptions: { multipleValues: true, sortable: true },
    placeholder: "Add question",
    default: {},
    displayOptions: { show: create },
    options: [
      {
        displayName: "Question",
        name: "question",
        values: questionFields,
      },
    ],
  },
  {
    displayName: "Requirements",
    name: "requirements",
    type: "fixedCollection",
    typeOptions: { multipleValues: true, sortable: true },
    placeholder: "Add requirement",
    default: {},
    description: "What answers and CVs are rated against; without any there is no score",
    displayOptions: { show: create },
    options: [
      {
        displayName: "Requirement",
        name: "requirement",
        values: [
          { displayName: "Title", name: "title", type: "string", default: "", placeholder: "e.g. PostgreSQL" },
          {
            displayName: "Details",
            name: "content",
            type: "string",
            typeOptions: { rows: 2 },
            default: "",
            description: "What is required",
          },
          {
            displayName: "Importance",
            name: "cfg_importance_id",
            type: "options",
            options: Object.entries(importances)
              .map(([value, name]) => ({ name, value: Number(value) }))
              .sort((one, other) => one.name.localeCompare(other.name)),
            default: 245,
            description: "Its weight in the score",
          },
        ],
      },
    ],
  },
  {
    displayName: "Additional Fields",
    name: "additionalFields",
    type: "collection",
    placeholder: "Add field",
    default: {},
    displayOptions: { show: create },
    options: [
      sent("description", "body", {
        displayName: "Description",
        name: "description",
        type: "string",
        typeOptions: { rows: 3 },
        default: "",
        description: "Shown to candidates before they start",
      }),
      sent("interview_duration", "body", {
        displayName: "Duration",
        name: "duration",
        type: "number",
        typeOptions: { minValue: 1 },
        default: 30,
        description: "Minutes that a candidate has",
      }),
      sent("external_id", "body", {
        displayName: "External ID",
        name: "externalId",
        type: "string",
        default: "",
        description: "Your own ID of the set",
      }),
      metadataField,
      {
        displayName: "Other Fields (JSON)",
        name: "otherFields",
        type: "json",
        default: "{}",
        description:
          "Fields of the API that this node has no field for, such as com_accesses, job_locations and cfg_lingual_ids. They replace fields with the same name.",
      },
      sent("position", "body", {
        displayName: "Position",
        name: "position",
        type: "string",
        default: "",
        description: "The role hired for",
      }),
      sent("project_id", "body", { ...projectLocator, description: "The project that the set belongs to" }),
      sent("number_of_retakes", "body", {
        displayName: "Retakes",
        name: "retakes",
        type: "number",
        typeOptions: { minValue: 0 },
        default: 0,
        description: "How often a completed interview may be submitted again",
      }),
      sent("set_type", "body", {
        displayName: "Type",
        name: "setType",
        type: "options",
        options: [
          { name: "CV Set", value: 2 },
          { name: "Interview", value: 1 },
        ],
        default: 1,
      }),
    ],
  },
  optionFields({ resource: "interviewSet", operations: ["create"] }),
  ...pageFields("interviewSet"),
  {
    displayName: "Filters",
    name: "filters",
    type: "collection",
    placeholder: "Add filter",
    default: {},
    displayOptions: { show: { resource: ["interviewSet"], operation: ["getAll"] } },
    options: [
      sent("external_id", "query", {
        displayName: "External ID",
        name: "externalId",
        type: "string",
        default: "",
        description: "Your own ID of the set",
      }),
      sent("project_id", "query", { ...projectLocator, description: "Only sets of this project" }),
      sent("set_type", "query", {
        displayName: "Type",
        name: "setType",
        type: "options",
        options: [
          { name: "CV Set", value: 2 },
          { name: "Interview", value: 1 },
        ],
        default: 1,
      }),
      updatedSince,
    ],
  },
]
