import type { INodeProperties, INodePropertyOptions } from "n8n-workflow"
import { root } from "../../../common/api"
import { choices, optionFields, pageFields, personFilters, sent, updatedSince } from "../../../common/fields"
import { readPages } from "../../../common/lists"
import { failOnProblem } from "../../../common/problem"
import { addIdempotencyKey, addTimeZone, requireId, unwrap } from "../../../common/send"

export const invitationStatuses = {
  cancelled: "Cancelled",
  clicked: "Clicked",
  delivered: "Delivered",
  expired: "Expired",
  failed: "Failed",
  opened: "Opened",
  pending: "Pending",
  sent: "Sent",
}

const one = `=${root}/hiring/invitations/v1/{{ encodeURIComponent($parameter["invitationId"] ?? "") }}`

/** The routing of a change, whose last part of the path is the operation's value. */
const change = (name: string): INodePropertyOptions["routing"] => ({
  request: { method: "POST", url: `${one}/${name}` },
  send: { preSend: [requireId, addTimeZone, addIdempotencyKey] },
  output: { postReceive: [failOnProblem, unwrap] },
})

const changes = ["cancel", "correct", "extend", "resend"]

export const invitation: INodeProperties[] = [
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: ["invitation"] } },
    options: [
      {
        name: "Cancel",
        value: "cancel",
        action: "Cancel an invitation",
        description: "End an invitation: its link no longer starts an interview",
        routing: change("cancel"),
      },
      {
        name: "Correct Address",
        value: "correct",
        action: "Correct the address of an invitation",
        description: "Send a failed invitation to another address",
        routing: change("correct"),
      },
      {
        name: "Extend",
        value: "extend",
        action: "Extend an invitation",
        description: "Give an invitation a later deadline, or the candidate more time",
        routing: change("extend"),
      },
      {
        name: "Get",
        value: "get",
        action: "Get an invitation",
        description: "Get the state of an invitation and its emails",
        routing: {
          request: { method: "GET", url: one },
          send: { preSend: [requireId] },
          output: { postReceive: [failOnProblem, unwrap] },
        },
      },
      {
        name: "Get Many",
        value: "getAll",
        action: "Get many invitations",
        description: "Get many invitations, newest first",
        routing: {
          request: { method: "GET", url: `${root}/hiring/invitations/v1` },
          send: { paginate: true, preSend: [addTimeZone] },
          operations: { pagination: readPages },
          output: { postReceive: [failOnProblem] },
        },
      },
      {
        name: "Resend",
        value: "resend",
        action: "Resend an invitation",
        description: "Send the email of an invitation again",
        routing: change("resend"),
      },
    ],
    default: "getAll",
  },
  {
    displayName: "Invitation ID",
    name: "invitationId",
    type: "string",
    required: true,
    default: "",
    description: "From the result of an invite, or from an event",
    displayOptions: { show: { resource: ["invitation"], operation: ["get", ...changes] } },
  },
  {
    ...sent("email", "body", {
      displayName: "Correct Address",
      name: "correctEmail",
      type: "string",
      placeholder: "name@email.com",
      default: "",
      description: "The candidate is emailed there from now on",
    }),
    required: true,
    displayOptions: { show: { resource: ["invitation"], operation: ["correct"] } },
  },
  {
    displayName: "Changes",
    name: "changes",
    type: "collection",
    placeholder: "Add change",
    default: {},
    displayOptions: { show: { resource: ["invitation"], operation: ["extend"] } },
    options: [
      sent("expires_at", "body", {
        displayName: "Deadline",
        name: "expiresAt",
        type: "dateTime",
        default: "",
        description:
          "Until when the interview can be started, in the workflow's time zone; later than the current deadline",
      }),
      sent("time_factor", "body", {
        displayName: "Time Factor",
        name: "timeFactor",
        type: "number",
        typeOptions: { minValue: 1, maxValue: 10, numberPrecision: 2 },
        default: 1.5,
        description: "Multiplies the interview's duration: 1.5 makes 45 minutes of 30",
      }),
    ],
  },
  optionFields({ resource: "invitation", operations: changes }),
  ...pageFields("invitation"),
  {
    displayName: "Filters",
    name: "filters",
    type: "collection",
    placeholder: "Add filter",
    default: {},
    displayOptions: { show: { resource: ["invitation"], operation: ["getAll"] } },
    options: [
      ...personFilters,
      sent("status", "query", {
        displayName: "Status",
        name: "status",
        type: "options",
        options: choices(invitationStatuses),
        default: "pending",
      }),
      sent("submission_id", "query", {
        displayName: "Submission ID",
        name: "submissionId",
        type: "string",
        default: "",
      }),
      updatedSince,
    ],
  },
]
