import {
  type IDataObject,
  type IExecuteSingleFunctions,
  type IHttpRequestOptions,
  type INodeExecutionData,
  type INodeProperties,
  NodeOperationError,
} from "n8n-workflow"
import { root } from "../../../common/api"
import {
  interviewSetLocator,
  jobPostLocator,
  metadataField,
  optionFields,
  projectLocator,
  sent,
} from "../../../common/fields"
import { failOnProblem } from "../../../common/problem"
import { addIdempotencyKey, metadataOf, unwrap } from "../../../common/send"

const fieldNames = {
  atsCandidateId: "ats_candidate_id",
  cvLink: "cv_link",
  externalId: "external_id",
  firstName: "firstname",
  lastName: "lastname",
} as const

/** preSend: the candidate as the only entry of `candidates`. */
async function addCandidate(this: IExecuteSingleFunctions, request: IHttpRequestOptions): Promise<IHttpRequestOptions> {
  const fields = this.getNodeParameter("candidateFields", {}) as IDataObject
  const texts = (fields["metadata"] as IDataObject | undefined)?.["texts"]
  const entry: IDataObject = {
    email: this.getNodeParameter("email", "") as string,
    name: this.getNodeParameter("name", "") as string,
    ...Object.fromEntries(Object.entries(fieldNames).map(([name, property]) => [property, fields[name]])),
    ...(texts === undefined ? {} : { metadata: metadataOf(texts) }),
  }
  const given = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined && value !== ""))
  return { ...request, body: { ...(request.body as IDataObject), candidates: [given] } }
}

/**
 * postReceive: the API reports what is wrong with a candidate, such as an invalid address, in the candidate's result of a
 * successful response. The node fails then, so that it is noticed and the workflow's error handling applies.
 */
async function failOnCandidateError(
  this: IExecuteSingleFunctions,
  items: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
  const isReturned = this.getNodeParameter("options.returnCandidateErrors", false) === true
  const failed = items.find(({ json }) => typeof json["error_message"] === "string")
  if (failed === undefined || isReturned) return items
  const submission = failed.json["submission"] as IDataObject | null
  const made = submission === null ? "" : ` Submission ${submission["id"]} exists.`
  throw new NodeOperationError(this.getNode(), String(failed.json["error_message"]), {
    itemIndex: this.getItemIndex(),
    description: `The candidate was not invited as asked.${made} Correct the candidate; the same request again gives the same result. With the option "Return Candidate Errors" the node returns the result instead of failing.`,
  })
}

const invite = { resource: ["candidate"], operation: ["invite"] }

export const candidate: INodeProperties[] = [
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: ["candidate"] } },
    options: [
      {
        name: "Invite",
        value: "invite",
        action: "Invite a candidate",
        description: "Invite a candidate to an interview, or have a CV rated",
        routing: {
          request: { method: "POST", url: `${root}/interview/candidate/invite/v1` },
          send: { preSend: [addCandidate, addIdempotencyKey] },
          output: { postReceive: [failOnProblem, unwrap, failOnCandidateError] },
        },
      },
    ],
    default: "invite",
  },
  {
    displayName: "Invite To",
    name: "target",
    type: "options",
    displayOptions: { show: invite },
    options: [
      { name: "Interview Set", value: "interviewSet", description: "The candidate answers the questions of the set" },
      { name: "Project", value: "project", description: "The candidate also applies to a job post of the project" },
    ],
    default: "interviewSet",
  },
  {
    ...sent("com_interview_set_id", "body", interviewSetLocator),
    required: true,
    displayOptions: { show: { ...invite, target: ["interviewSet"] } },
  },
  {
    ...sent("com_project_id", "body", { ...projectLocator, description: "Its interview set is used" }),
    required: true,
    displayOptions: { show: { ...invite, target: ["project"] } },
  },
  {
    displayName: "Email",
    name: "email",
    type: "string",
    placeholder: "name@email.com",
    default: "",
    description: "The candidate is invited at this address. It may be empty if there is a CV link.",
    displayOptions: { show: invite },
  },
  {
    displayName: "Name",
    name: "name",
    type: "string",
    default: "",
    description: "As the candidate is greeted; it may be empty",
    displayOptions: { show: invite },
  },
  {
    displayName: "Candidate Fields",
    name: "candidateFields",
    type: "collection",
    placeholder: "Add field",
    default: {},
    displayOptions: { show: invite },
    options: [
      {
        displayName: "ATS Candidate ID",
        name: "atsCandidateId",
        type: "string",
        default: "",
        description: "Your system's UUID of the candidate, by which the same person is recognized",
      },
      {
        displayName: "CV Link",
        name: "cvLink",
        type: "string",
        default: "",
        description: "Https address of the CV. Without an email, the CV is rated and nothing is sent.",
      },
      {
        displayName: "External ID",
        name: "externalId",
        type: "string",
        default: "",
        description: "Your own ID, which all events and lists give back",
      },
      { displayName: "First Name", name: "firstName", type: "string", default: "" },
      { displayName: "Last Name", name: "lastName", type: "string", default: "" },
      metadataField,
    ],
  },
  optionFields({ resource: "candidate", operations: ["invite"] }, [
    sent("invitation_message", "body", {
      displayName: "Invitation Message",
      name: "invitationMessage",
      type: "string",
      typeOptions: { rows: 4 },
      noDataExpression: true,
      default: "",
      description:
        "Text in the email, of at least 10 characters. The service replaces {{name}}, {{firstname}}, {{lastname}}, {{interview}}, {{organization}} and {{deadline}}.",
    }),
    {
      ...sent("com_job_post_id", "body", jobPostLocator),
      displayOptions: { show: { "/target": ["project"] } },
    },
    {
      displayName: "Return Candidate Errors",
      name: "returnCandidateErrors",
      type: "boolean",
      default: false,
      description:
        "Whether to return the result with its error_message, instead of failing, when something is wrong with the candidate, such as an invalid address",
    },
    sent("send_invite", "body", {
      displayName: "Send the Email",
      name: "sendInvite",
      type: "boolean",
      default: true,
      description:
        "Whether the service emails the invitation. If not, hand over submission.interview_url of the result yourself.",
    }),
  ]),
]
