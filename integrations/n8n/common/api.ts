import type {
  IDataObject,
  IHookFunctions,
  IHttpRequestMethods,
  IHttpRequestOptions,
  ILoadOptionsFunctions,
  IN8nHttpFullResponse,
  IWebhookFunctions,
} from "n8n-workflow"
import { apiError, isSuccess } from "./problem"

export const credentialName = "interviewInvitationsApi"

/** Before the path of every operation. */
export const root = "/company/integration"

export type Context = IHookFunctions | ILoadOptionsFunctions | IWebhookFunctions

export interface Call {
  readonly query?: IDataObject
  readonly body?: IDataObject
  readonly idempotencyKey?: string
}

/** Sends one request with the node's credential. Returns undefined for 404; fails with the problem of any other error. */
export const send = async (
  context: Context,
  method: IHttpRequestMethods,
  path: string,
  { body, idempotencyKey, query }: Call = {},
): Promise<IDataObject | undefined> => {
  const { url } = await context.getCredentials<{ readonly url: string }>(credentialName)
  const options: IHttpRequestOptions = {
    method,
    baseURL: url.replace(/\/+$/, ""),
    url: `${root}${path}`,
    headers: {
      Accept: "application/json",
      ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
    },
    json: true,
    ...(query === undefined ? {} : { qs: query }),
    ...(body === undefined ? {} : { body }),
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
    disableFollowRedirect: true,
  }
  const response: IN8nHttpFullResponse = await context.helpers.httpRequestWithAuthentication.call(
    context,
    credentialName,
    options,
  )
  if (response.statusCode === 404) return undefined
  if (!isSuccess(response)) throw apiError(context.getNode(), response)
  return response.body as IDataObject
}
