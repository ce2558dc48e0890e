import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from "n8n-workflow"
import { searchInterviewSets, searchJobPosts, searchProjects } from "../../common/lists"
import { candidate } from "./resources/candidate"
import { interviewSet } from "./resources/interviewSet"
import { invitation } from "./resources/invitation"
import { jobPost, project } from "./resources/project"
import { submission } from "./resources/submission"

export class InterviewInvitations implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Interview Invitations",
    name: "interviewInvitations",
    icon: {
      light: "file:../../icons/interviewInvitations.svg",
      dark: "file:../../icons/interviewInvitations.dark.svg",
    },
    group: ["transform"],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: "Invite candidates to interviews and read their scores",
    defaults: { name: "Interview Invitations" },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "interviewInvitationsApi", required: true }],
    requestDefaults: {
      baseURL: '={{ $credentials.url.replace(/\\/+$/, "") }}',
      headers: { Accept: "application/json" },
      json: true,
      // problems are read by failOnProblem
      ignoreHttpStatusErrors: true,
      // a redirected POST would become a GET
      disableFollowRedirect: true,
    },
    properties: [
      {
        displayName: "Resource",
        name: "resource",
        type: "options",
        noDataExpression: true,
        options: [
          { name: "Candidate", value: "candidate" },
          { name: "Interview Set", value: "interviewSet" },
          { name: "Invitation", value: "invitation" },
          { name: "Job Post", value: "jobPost" },
          { name: "Project", value: "project" },
          { name: "Submission", value: "submission" },
        ],
        default: "candidate",
      },
      ...candidate,
      ...interviewSet,
      ...invitation,
      ...jobPost,
      ...project,
      ...submission,
    ],
  }

  methods = { listSearch: { searchInterviewSets, searchJobPosts, searchProjects } }
}
