import type { INodeProperties, INodePropertyOptions } from "n8n-workflow"

interface Place {
  readonly resource: string
  readonly operations: string[]
}

const shown = ({ operations, resource }: Place): INodeProperties["displayOptions"] => ({
  show: { resource: [resource], operation: operations },
})

/** "Return All" and "Limit" of a list. */
export const pageFields = (resource: string): INodeProperties[] => [
  {
    displayName: "Return All",
    name: "returnAll",
    type: "boolean",
    default: false,
    description: "Whether to return all results or only up to a given limit",
    displayOptions: shown({ resource, operations: ["getAll"] }),
  },
  {
    displayName: "Limit",
    name: "limit",
    type: "number",
    typeOptions: { minValue: 1 },
    default: 50,
    description: "Max number of results to return",
    displayOptions: { show: { resource: [resource], operation: ["getAll"], returnAll: [false] } },
  },
]

/** "Options" with the Idempotency-Key of a POST, after the fields of the operation itself. */
export const optionFields = (place: Place, own: INodeProperties[] = []): INodeProperties => ({
  displayName: "Options",
  name: "options",
  type: "collection",
  placeholder: "Add option",
  default: {},
  displayOptions: shown(place),
  options: [
    {
      displayName: "Idempotency Key",
      name: "idempotencyKey",
      type: "string",
      default: "",
      description:
        "For 24 hours the same key with the same request returns the first response and changes nothing. Without one, the node makes a key for each execution and item, so that retries of a failed node are safe. Give your own, such as the ID of your record, if the workflow itself may run twice for the same record.",
    },
    ...own,
  ],
})

interface Locator {
  readonly displayName: string
  readonly name: string
  readonly description: string
  readonly searchListMethod: string
}

/** A record to choose from a list, or by its ID. */
export const locator = ({ searchListMethod, ...field }: Locator): INodeProperties => ({
  ...field,
  type: "resourceLocator",
  default: { mode: "list", value: "" },
  modes: [
    {
      displayName: "From List",
      name: "list",
      type: "list",
      typeOptions: { searchListMethod, searchable: true },
    },
    {
      displayName: "By ID",
      name: "id",
      type: "string",
      placeholder: "e.g. 01980000-0000-7000-8000-000000000001",
    },
  ],
})

export const interviewSetLocator: INodeProperties = locator({
  displayName: "Interview Set",
  name: "interviewSet",
  description: "The interview that candidates are invited to",
  searchListMethod: "searchInterviewSets",
})

export const projectLocator: INodeProperties = locator({
  displayName: "Project",
  name: "project",
  description: "The project",
  searchListMethod: "searchProjects",
})

export const jobPostLocator: INodeProperties = locator({
  displayName: "Job Post",
  name: "jobPost",
  description: "The job post that candidates apply to; without it the project's newest",
  searchListMethod: "searchJobPosts",
})

/** A filter or body field of a collection that is sent as it is. */
export const sent = (property: string, type: "body" | "query", field: INodeProperties): INodeProperties => ({
  ...field,
  routing: { send: { type, property } },
})

export const choices = (names: Readonly<Record<string, string>>): INodePropertyOptions[] =>
  Object.entries(names).map(([value, name]) => ({ name, value }))

export const metadataField: INodeProperties = {
  displayName: "Metadata",
  name: "metadata",
  type: "fixedCollection",
  typeOptions: { multipleValues: true },
  placeholder: "Add text",
  default: {},
  description: "Your own named texts, which the service gives back",
  options: [
    {
      displayName: "Texts",
      name: "texts",
      values: [
        { displayName: "Name", name: "name", type: "string", default: "" },
        { displayName: "Value", name: "value", type: "string", default: "" },
      ],
    },
  ],
}

/** Filters that lists of invitations and submissions share. */
export const personFilters: INodeProperties[] = [
  sent("ats_candidate_id", "query", {
    displayName: "ATS Candidate ID",
    name: "atsCandidateId",
    type: "string",
    default: "",
    description: "Your system's UUID of the candidate",
  }),
  sent("candidate_id", "query", {
    displayName: "Candidate ID",
    name: "candidateId",
    type: "string",
    default: "",
  }),
  sent("email", "query", {
    displayName: "Email",
    name: "email",
    type: "string",
    placeholder: "name@email.com",
    default: "",
  }),
  sent("external_id", "query", {
    displayName: "External ID",
    name: "externalId",
    type: "string",
    default: "",
    description: "Your own ID, as it was given in the invite",
  }),
  sent("interview_set_id", "query", { ...interviewSetLocator, description: "Only of this interview set" }),
]

export const updatedSince: INodeProperties = sent("updated_since", "query", {
  displayName: "Updated Since",
  name: "updatedSince",
  type: "dateTime",
  default: "",
  description: "Only records that changed at or after this time, in the workflow's time zone",
})
