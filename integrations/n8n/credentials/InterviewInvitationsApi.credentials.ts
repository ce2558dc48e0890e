import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, Icon, INodeProperties } from "n8n-workflow"

export class InterviewInvitationsApi implements ICredentialType {
  name = "interviewInvitationsApi"

  displayName = "Interview Invitations API"

  icon: Icon = {
    light: "file:../icons/interviewInvitations.svg",
    dark: "file:../icons/interviewInvitations.dark.svg",
  }

  documentationUrl = "https://interviews.example/docs/n8n"

  properties: INodeProperties[] = [
    {
      displayName: "Address of the Service",
      name: "url",
      type: "string",
      required: true,
      default: "",
      placeholder: "e.g. https://interviews.example",
      description: "Without a path. The documentation of the API is at this address, followed by /docs.",
    },
    {
      displayName: "API Key",
      name: "apiKey",
      type: "string",
      typeOptions: { password: true },
      required: true,
      default: "",
      description:
        "From Settings → Integrations → API keys of the workspace. A key with scopes needs create_set, invite_candidates, and manage_webhooks for the trigger.",
    },
  ]

  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { "X-API-Key": "={{$credentials.apiKey}}" } },
  }

  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{$credentials.url.replace(/\\/+$/, "")}}',
      url: "/company/integration/me/v1",
      disableFollowRedirect: true,
    },
  }
}
