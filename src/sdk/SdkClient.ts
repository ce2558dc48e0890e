/** The client without Effect (docs/sdk.md): one method for each operation of /openapi.json, with the same name. */
import { type EventReader, type EventsOptions, readEvents } from "./Pagination.ts"
import {
  type BodyOf,
  type ClientOptions,
  type Environment,
  makeSend,
  type OperationName,
  type PostOptions,
  type QueryOf,
  type RequestOptions,
  realEnvironment,
  type SuccessOf,
} from "./Requests.ts"

type ResultsOf<Name extends OperationName> =
  SuccessOf<Name> extends { readonly results: infer Results } ? Promise<Results> : never

const resultsOf = async <Results>(response: Promise<{ readonly results: Results }>): Promise<Results> =>
  (await response).results

/** `createClient` with a replaceable clock and randomness, for tests. */
export const makeClient = (client: ClientOptions, environment: Environment) => {
  const send = makeSend(client, environment)

  const listEvents = (query: QueryOf<"listEvents"> = {}, options?: RequestOptions) =>
    send("listEvents", { query, options })

  return {
    /** The organization and the API key of this client. */
    getAccount: (options?: RequestOptions): ResultsOf<"getAccount"> => resultsOf(send("getAccount", { options })),

    /** Requests to the API with keys of the organization, newest first. */
    listRequests: (query: QueryOf<"listRequests"> = {}, options?: RequestOptions) =>
      send("listRequests", { query, options }),

    /** By the X-Request-Id of its response, `requestId` of an ApiError. */
    getRequest: (requestId: string, options?: RequestOptions): ResultsOf<"getRequest"> =>
      resultsOf(send("getRequest", { path: { request_id: requestId }, options })),

    /** Creates an interview or a CV set, with its questions and requirements. */
    createInterviewSet: (body: BodyOf<"createInterviewSet">, options?: PostOptions): ResultsOf<"createInterviewSet"> =>
      resultsOf(send("createInterviewSet", { body, options })),

    getInterviewSet: (id: string, options?: RequestOptions): ResultsOf<"getInterviewSet"> =>
      resultsOf(send("getInterviewSet", { path: { id }, options })),

    /** Changes the given fields of the set that has the `version`. null removes a value; a list replaces the stored one. */
    updateInterviewSet: (
      id: string,
      body: BodyOf<"updateInterviewSet">,
      options?: RequestOptions,
    ): ResultsOf<"updateInterviewSet"> => resultsOf(send("updateInterviewSet", { path: { id }, body, options })),

    /** Hides the set in the workspace and from invites to its project. */
    archiveInterviewSet: (id: string, options?: PostOptions): ResultsOf<"archiveInterviewSet"> =>
      resultsOf(send("archiveInterviewSet", { path: { id }, options })),

    unarchiveInterviewSet: (id: string, options?: PostOptions): ResultsOf<"unarchiveInterviewSet"> =>
      resultsOf(send("unarchiveInterviewSet", { path: { id }, options })),

    listInterviewSets: (query: QueryOf<"listInterviewSets"> = {}, options?: RequestOptions) =>
      send("listInterviewSets", { query, options }),

    /**
     * Invites candidates. Returns one result per candidate, in the order of the request. Does not throw when one candidate
     * fails: that candidate's result has `error_message`.
     */
    inviteCandidates: (body: BodyOf<"inviteCandidates">, options?: PostOptions): ResultsOf<"inviteCandidates"> =>
      resultsOf(send("inviteCandidates", { body, options })),

    getInvitation: (id: string, options?: RequestOptions): ResultsOf<"getInvitation"> =>
      resultsOf(send("getInvitation", { path: { id }, options })),

    listInvitations: (query: QueryOf<"listInvitations"> = {}, options?: RequestOptions) =>
      send("listInvitations", { query, options }),

    /** Sends the invitation email again. */
    resendInvitation: (id: string, options?: PostOptions): ResultsOf<"resendInvitation"> =>
      resultsOf(send("resendInvitation", { path: { id }, options })),

    /** Sends a failed invitation to another address: the candidate keeps the submission, the link and its deadline. */
    correctInvitation: (
      id: string,
      body: BodyOf<"correctInvitation">,
      options?: PostOptions,
    ): ResultsOf<"correctInvitation"> => resultsOf(send("correctInvitation", { path: { id }, body, options })),

    /** Changes the deadline. */
    extendInvitation: (
      id: string,
      body: BodyOf<"extendInvitation">,
      options?: PostOptions,
    ): ResultsOf<"extendInvitation"> => resultsOf(send("extendInvitation", { path: { id }, body, options })),

    cancelInvitation: (id: string, options?: PostOptions): ResultsOf<"cancelInvitation"> =>
      resultsOf(send("cancelInvitation", { path: { id }, options })),

    /** With a test key: the scripted candidate opens the link, answers every question and submits. */
    completeTestInterview: (
      id: string,
      body: BodyOf<"completeTestInterview"> = {},
      options?: PostOptions,
    ): ResultsOf<"completeTestInterview"> => resultsOf(send("completeTestInterview", { path: { id }, body, options })),

    /** With a test key: the scripted candidate reads the email and opens its link. */
    openTestInvitation: (id: string, options?: PostOptions): ResultsOf<"openTestInvitation"> =>
      resultsOf(send("openTestInvitation", { path: { id }, options })),

    declineTestInterview: (
      id: string,
      body: BodyOf<"declineTestInterview"> = {},
      options?: PostOptions,
    ): ResultsOf<"declineTestInterview"> => resultsOf(send("declineTestInterview", { path: { id }, body, options })),

    expireTestInvitation: (id: string, options?: PostOptions): ResultsOf<"expireTestInvitation"> =>
      resultsOf(send("expireTestInvitation", { path: { id }, options })),

    bounceTestInvitation: (id: string, options?: PostOptions): ResultsOf<"bounceTestInvitation"> =>
      resultsOf(send("bounceTestInvitation", { path: { id }, options })),

    complainAboutTestInvitation: (id: string, options?: PostOptions): ResultsOf<"complainAboutTestInvitation"> =>
      resultsOf(send("complainAboutTestInvitation", { path: { id }, options })),

    /** With a test key: deletes all data of the test space. `is_empty` false: the service deletes the rest within minutes. */
    emptyTestMode: (options?: RequestOptions): ResultsOf<"emptyTestMode"> =>
      resultsOf(send("emptyTestMode", { options })),

    /** The submission with its answers and evaluations. */
    getSubmission: (id: string, options?: RequestOptions): ResultsOf<"getSubmission"> =>
      resultsOf(send("getSubmission", { path: { id }, options })),

    /** The recording of a spoken answer, `recording` of the answers of a submission. */
    getRecording: (id: string, question: string, query: QueryOf<"getRecording"> = {}, options?: RequestOptions) =>
      send("getRecording", { path: { id, question }, query, options }),

    /** The file of an answer, `file` of the answers of a submission. */
    getAnswerFile: (id: string, question: string, query: QueryOf<"getAnswerFile"> = {}, options?: RequestOptions) =>
      send("getAnswerFile", { path: { id, question }, query, options }),

    /** The CV, `cv_file` of a submission. */
    getCv: (id: string, options?: RequestOptions) => send("getCv", { path: { id }, options }),

    listCandidates: (query: QueryOf<"listCandidates"> = {}, options?: RequestOptions) =>
      send("listCandidates", { query, options }),

    /** The candidate, and how much is stored. */
    getCandidate: (id: string, options?: RequestOptions): ResultsOf<"getCandidate"> =>
      resultsOf(send("getCandidate", { path: { id }, options })),

    /** All stored data of the candidate, with files as base64. */
    exportCandidate: (id: string, options?: RequestOptions): ResultsOf<"exportCandidate"> =>
      resultsOf(send("exportCandidate", { path: { id }, options })),

    /** Erases all data that identifies the candidate, for good. Not retried: after an error, call it again, with the id as `confirm`. */
    eraseCandidate: (
      id: string,
      body: BodyOf<"eraseCandidate">,
      options?: RequestOptions,
    ): ResultsOf<"eraseCandidate"> => resultsOf(send("eraseCandidate", { path: { id }, body, options })),

    listSubmissions: (query: QueryOf<"listSubmissions"> = {}, options?: RequestOptions) =>
      send("listSubmissions", { query, options }),

    listProjects: (query: QueryOf<"listProjects"> = {}, options?: RequestOptions) =>
      send("listProjects", { query, options }),

    /** Advances, holds or rejects, or clears the decision with null. `version`: the submission's `decision_version`. */
    decideSubmission: (
      id: string,
      body: BodyOf<"decideSubmission">,
      options?: PostOptions,
    ): ResultsOf<"decideSubmission"> => resultsOf(send("decideSubmission", { path: { id }, body, options })),

    /** Restores the decision before the last one. */
    undoDecision: (id: string, body: BodyOf<"undoDecision">, options?: PostOptions): ResultsOf<"undoDecision"> =>
      resultsOf(send("undoDecision", { path: { id }, body, options })),

    /** Moves the candidate to a stage of `listStages`, or out of the stages with null. */
    moveSubmission: (id: string, body: BodyOf<"moveSubmission">, options?: PostOptions): ResultsOf<"moveSubmission"> =>
      resultsOf(send("moveSubmission", { path: { id }, body, options })),

    /** What members wrote about the submission, newest first. */
    listComments: (id: string, query: QueryOf<"listComments"> = {}, options?: RequestOptions) =>
      send("listComments", { path: { id }, query, options }),

    /** All stages of the organization. */
    listStages: (options?: RequestOptions): ResultsOf<"listStages"> => resultsOf(send("listStages", { options })),

    /** All tags of the organization. */
    listTags: (options?: RequestOptions): ResultsOf<"listTags"> => resultsOf(send("listTags", { options })),

    createProject: (body: BodyOf<"createProject">, options?: PostOptions): ResultsOf<"createProject"> =>
      resultsOf(send("createProject", { body, options })),

    getProject: (id: string, options?: RequestOptions): ResultsOf<"getProject"> =>
      resultsOf(send("getProject", { path: { id }, options })),

    renameProject: (id: string, body: BodyOf<"renameProject">, options?: RequestOptions): ResultsOf<"renameProject"> =>
      resultsOf(send("renameProject", { path: { id }, body, options })),

    getJobPost: (id: string, options?: RequestOptions): ResultsOf<"getJobPost"> =>
      resultsOf(send("getJobPost", { path: { id }, options })),

    createJobPost: (body: BodyOf<"createJobPost">, options?: PostOptions): ResultsOf<"createJobPost"> =>
      resultsOf(send("createJobPost", { body, options })),

    /** Changes the title, or closes or reopens the job post. */
    updateJobPost: (id: string, body: BodyOf<"updateJobPost">, options?: RequestOptions): ResultsOf<"updateJobPost"> =>
      resultsOf(send("updateJobPost", { path: { id }, body, options })),

    listJobPosts: (query: QueryOf<"listJobPosts"> = {}, options?: RequestOptions) =>
      send("listJobPosts", { query, options }),

    /** One page of events, oldest first. `readEvents` reads all pages. */
    listEvents,

    /**
     * Reads events in order, from a stored `cursor`, otherwise from `since` or `from: "now"`, otherwise from the oldest. Takes
     * the same filters as `listEvents`.
     */
    readEvents: (query: QueryOf<"listEvents"> = {}, options: EventsOptions = {}): EventReader =>
      readEvents(listEvents, environment.sleep, query, options),

    /** Creates a webhook endpoint. Only this method and `rotateWebhookSecret` return the secret. */
    createWebhookEndpoint: (
      body: BodyOf<"createWebhookEndpoint">,
      options?: PostOptions,
    ): ResultsOf<"createWebhookEndpoint"> => resultsOf(send("createWebhookEndpoint", { body, options })),

    getWebhookEndpoint: (id: string, options?: RequestOptions): ResultsOf<"getWebhookEndpoint"> =>
      resultsOf(send("getWebhookEndpoint", { path: { id }, options })),

    listWebhookEndpoints: (query: QueryOf<"listWebhookEndpoints"> = {}, options?: RequestOptions) =>
      send("listWebhookEndpoints", { query, options }),

    /** Changes the given fields. */
    updateWebhookEndpoint: (
      id: string,
      body: BodyOf<"updateWebhookEndpoint">,
      options?: RequestOptions,
    ): ResultsOf<"updateWebhookEndpoint"> => resultsOf(send("updateWebhookEndpoint", { path: { id }, body, options })),

    /** Deletes the endpoint. Throws an ApiError 404 when a retry finds it already deleted. */
    deleteWebhookEndpoint: (id: string, options?: RequestOptions): ResultsOf<"deleteWebhookEndpoint"> =>
      resultsOf(send("deleteWebhookEndpoint", { path: { id }, options })),

    /** Creates a new secret. The old one also signs for 24 hours, unless `end_old_secret` is true. */
    rotateWebhookSecret: (
      id: string,
      body: BodyOf<"rotateWebhookSecret"> = {},
      options?: PostOptions,
    ): ResultsOf<"rotateWebhookSecret"> => resultsOf(send("rotateWebhookSecret", { path: { id }, body, options })),

    /** Sends a sample event and returns the receiver's response. Not retried: each request sends an event. */
    testWebhookEndpoint: (
      id: string,
      body: BodyOf<"testWebhookEndpoint"> = {},
      options?: RequestOptions,
    ): ResultsOf<"testWebhookEndpoint"> => resultsOf(send("testWebhookEndpoint", { path: { id }, body, options })),

    /** Begins to send samples to the endpoint. Read it with `getWebhookRehearsal` until its state is not "running". */
    rehearseWebhookEndpoint: (id: string, options?: PostOptions): ResultsOf<"rehearseWebhookEndpoint"> =>
      resultsOf(send("rehearseWebhookEndpoint", { path: { id }, options })),

    /** The last rehearsals, newest first. */
    listWebhookRehearsals: (id: string, query: QueryOf<"listWebhookRehearsals"> = {}, options?: RequestOptions) =>
      send("listWebhookRehearsals", { path: { id }, query, options }),

    getWebhookRehearsal: (id: string, rehearsal: string, options?: RequestOptions): ResultsOf<"getWebhookRehearsal"> =>
      resultsOf(send("getWebhookRehearsal", { path: { id, rehearsal }, options })),

    listWebhookDeliveries: (id: string, query: QueryOf<"listWebhookDeliveries"> = {}, options?: RequestOptions) =>
      send("listWebhookDeliveries", { path: { id }, query, options }),

    /** Sends the event of a delivery again, as a new delivery. */
    resendWebhookDelivery: (id: string, delivery: string, options?: PostOptions): ResultsOf<"resendWebhookDelivery"> =>
      resultsOf(send("resendWebhookDelivery", { path: { id, delivery }, options })),

    /** Sends failed deliveries again, oldest first: at most 5,000 of a call. `has_more`: call again with the same body. */
    resendFailedWebhookDeliveries: (
      id: string,
      body: BodyOf<"resendFailedWebhookDeliveries">,
      options?: PostOptions,
    ): ResultsOf<"resendFailedWebhookDeliveries"> =>
      resultsOf(send("resendFailedWebhookDeliveries", { path: { id }, body, options })),

    listSuppressions: (query: QueryOf<"listSuppressions"> = {}, options?: RequestOptions) =>
      send("listSuppressions", { query, options }),

    /** No more emails go to the address. */
    suppressAddress: (body: BodyOf<"suppressAddress">, options?: PostOptions): ResultsOf<"suppressAddress"> =>
      resultsOf(send("suppressAddress", { body, options })),

    /** Allows emails again. Throws an ApiError 404 when a retry finds it already released. */
    releaseSuppression: (id: string, options?: RequestOptions): ResultsOf<"releaseSuppression"> =>
      resultsOf(send("releaseSuppression", { path: { id }, options })),

    listMembers: (query: QueryOf<"listMembers"> = {}, options?: RequestOptions) =>
      send("listMembers", { query, options }),

    getMember: (id: string, options?: RequestOptions): ResultsOf<"getMember"> =>
      resultsOf(send("getMember", { path: { id }, options })),
  }
}

export type SdkClient = ReturnType<typeof makeClient>

/**
 * A client of one organization. Methods return `results`; lists return a page. They throw ApiError, ConnectionError or
 * TimeoutError, and a TypeError before sending when an option or an id is invalid.
 *
 * Temporary errors are retried (`isTransient`). Each POST sends an Idempotency-Key, which retries reuse, so the service
 * performs it once.
 */
export const createClient = (options: ClientOptions): SdkClient => makeClient(options, realEnvironment)
