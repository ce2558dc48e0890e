import type {
  IDataObject,
  IHookFunctions,
  IHttpRequestMethods,
  IHttpRequestOptions,
  ILoadOptionsFunctions,
  IN8nHttpFullResponse,
  IWebhookFunctions,
} from "n8n-workflow"
import { apiError, isProblem, isSuccess } from "./problem"

export const credentialName = "interviewInvitationsApi"

/** Before the path of every operation. */
export const root = "/company/integration"

export type Context = IHookFunctions | ILoadOptionsFunctions | IWebhookFunctions

export interface Call {
  readonly query?: IDataObject
  readonly body?: IDataObject
  readonly idempotencyKey?: string
}

const request = async (
  context: Context,
  method: IHttpRequestMethods,
  path: string,
  { body, idempotencyKey, query }: Call,
): Promise<IN8nHttpFullResponse> => {
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
  return context.helpers.httpRequestWithAuthentication.call(context, credentialName, options)
}

const bodyOf = (context: Context, response: IN8nHttpFullResponse): IDataObject => {
  if (!isSuccess(response)) throw apiError(context.getNode(), response)
  return response.body as IDataObject
}

/** Sends one request with the node's credential. Fails with the problem of an error. */
export const send = async (
  context: Context,
  method: IHttpRequestMethods,
  path: string,
  call: Call = {},
): Promise<IDataObject> => bodyOf(context, await request(context, method, path, call))

/** As `send`, about one record. Undefined: the service says that there is no such record; a 404 of a proxy is an error. */
export const sendAbout = async (
  context: Context,
  method: IHttpRequestMethods,
  path: string,
  call: Call = {},
): Promise<IDataObject | undefined> => {
  const response = await request(context, method, path, call)
  return response.statusCode === 404 && isProblem(response) ? undefined : bodyOf(context, response)
}
