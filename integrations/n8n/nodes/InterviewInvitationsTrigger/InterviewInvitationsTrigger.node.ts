import {
  type IDataObject,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from "n8n-workflow"
import { followReplacement, isSetUp, remove, setUp, verifyDelivery } from "../../common/endpoints"
import { subscriptions } from "../../common/events"
import { getInterviewSets, getProjects } from "../../common/lists"

const answer = (context: IWebhookFunctions, status: number, text: string): IWebhookResponseData => {
  context.getResponseObject().status(status).send(text)
  return { noWebhookResponse: true }
}

export class InterviewInvitationsTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Interview Invitations Trigger",
    name: "interviewInvitationsTrigger",
    icon: {
      light: "file:../../icons/interviewInvitations.svg",
      dark: "file:../../icons/interviewInvitations.dark.svg",
    },
    group: ["trigger"],
    version: 1,
    subtitle:
      '={{ $parameter["events"].length === 1 ? $parameter["events"][0] : $parameter["events"].length + " events" }}',
    description: "Starts the workflow when an event happens, such as a completed interview or a score",
    defaults: { name: "Interview Invitations Trigger" },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "interviewInvitationsApi", required: true }],
    webhooks: [{ name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook" }],
    properties: [
      {
        displayName: "Events",
        name: "events",
        type: "multiOptions",
        required: true,
        options: subscriptions,
        default: ["interview.evaluation.update.scored"],
        description: "The events that start the workflow",
      },
      {
        displayName: "Interview Set Names or IDs",
        name: "interviewSetIds",
        type: "multiOptions",
        typeOptions: { loadOptionsMethod: "getInterviewSets" },
        default: [],
        description:
          'Only events of these interview sets; none chosen: of all. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
      },
      {
        displayName: "Project Names or IDs",
        name: "projectIds",
        type: "multiOptions",
        typeOptions: { loadOptionsMethod: "getProjects" },
        default: [],
        description:
          'Also events of all interview sets of these projects. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
      },
      {
        displayName: "Options",
        name: "options",
        type: "collection",
        placeholder: "Add option",
        default: {},
        options: [
          {
            displayName: "Include Test Events",
            name: "includeTestEvents",
            type: "boolean",
            default: false,
            description:
              "Whether test events of the service, which have is_test and an invented candidate, start the published workflow. The editor's test receives them always.",
          },
        ],
      },
    ],
  }

  methods = { loadOptions: { getInterviewSets, getProjects } }

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        return isSetUp(this)
      },
      async create(this: IHookFunctions): Promise<boolean> {
        await setUp(this)
        return true
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        await remove(this)
        return true
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { rawBody } = this.getRequestObject()
    const header = this.getHeaderData()["x-webhook-signature"]
    const { url, verdict } = verifyDelivery(this, {
      header: Array.isArray(header) ? header.join(",") : header,
      body: rawBody ?? Buffer.alloc(0),
      now: Math.floor(Date.now() / 1000),
    })
    if (!verdict.isGenuine) return answer(this, 401, verdict.reason)
    const event = JSON.parse(rawBody.toString("utf8")) as IDataObject
    const isTest = event["is_test"] === true
    // a rehearsal sends test events with a second signature of no secret
    if (!isTest && url !== undefined && verdict.secret === 0 && verdict.hasOthers) {
      try {
        // n8n 2.40 does not save static data that changes in a call which starts the workflow, so this call starts nothing
        if (await followReplacement(this, url))
          return answer(this, 503, "the secret was replaced: send the event again")
      } catch (error) {
        // the next delivery tries again, and this one is genuine
        this.logger.warn(`The secret of the webhook endpoint was not replaced: ${(error as Error).message}`)
      }
    }
    const isSkipped =
      isTest &&
      this.getMode() !== "manual" &&
      this.getNodeParameter("options.includeTestEvents", false) !== true
    return isSkipped
      ? answer(this, 200, "a test event; nothing was started")
      : { workflowData: [this.helpers.returnJsonArray(event)] }
  }
}
