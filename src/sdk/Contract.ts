/** Written by npm run docs from /openapi.json: types of the schemas and operations, and the route of each operation. */
export interface components {
    schemas: {
        readonly Access: {
            /** Format: uuid */
            readonly id: string;
            readonly email: string;
            readonly fullname: string | null;
            readonly firstname: string | null;
            readonly lastname: string | null;
            readonly priority: number | null;
            readonly attributes: {
                readonly [key: string]: unknown;
            } | null;
        };
        readonly Account: {
            /**
             * @description `live`: the key sees candidates and their data. `test`: it is a test key, which sees the test space only
             * @enum {string}
             */
            readonly mode: "live" | "test";
            readonly organization: {
                readonly id: number;
                readonly name: string;
            };
            readonly api_key: components["schemas"]["ApiKey"];
        };
        readonly AccountResponse: {
            readonly results: components["schemas"]["Account"];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        readonly Answer: {
            /** Format: uuid */
            readonly question_id: string;
            readonly title: string | null;
            /** @description 1 is the first; the last one is evaluated */
            readonly attempt: number;
            /** @description What the candidate wrote */
            readonly content: string | null;
            /** @description What the candidate chose */
            readonly options: readonly {
                /** Format: int64 */
                readonly id: string | number;
                readonly title: string | null;
                /** @description Whether the question's attributes name it in knock_out; nothing follows from it by itself */
                readonly is_knock_out: boolean;
            }[];
            /** @description What the candidate uploaded */
            readonly file: {
                readonly name: string | null;
                readonly type: string | null;
                /** @description Bytes */
                readonly size: number;
                /**
                 * Format: uri
                 * @description Where getAnswerFile sends it; needs an API key
                 */
                readonly url: string;
            } | null;
            /** @description The candidate's spoken answer; absent without one, and once it was deleted because of its age */
            readonly recording?: {
                /** @description Rounded; null: it is not measured yet */
                readonly duration_seconds: number | null;
                /** @description Media type, such as audio/webm or video/mp4 */
                readonly content_type: string | null;
                /**
                 * Format: uri
                 * @description Where getRecording sends it; needs an API key
                 */
                readonly url: string;
            };
            /** @description What the candidate said in the recording, as transcribed or as the candidate corrected it; null: it is not transcribed; absent without a recording */
            readonly transcript?: string | null;
        };
        readonly ApiKey: {
            /** Format: uuid */
            readonly id: string;
            readonly name: string | null;
            readonly description: string | null;
            /** @description The public prefix; the secret is not kept */
            readonly value: string;
            /** @description Empty: unrestricted. More scopes may be added */
            readonly scopes: readonly ("invite_candidates" | "create_set" | "manage_sets" | "review_submissions" | "manage_webhooks" | "manage_emails" | "manage_privacy" | "read" | (string & {}))[];
            /** @enum {string} */
            readonly status: "active" | "inactive";
            /** @description expires_at has passed */
            readonly expired: boolean;
            /**
             * Format: date-time
             * @description null: never
             */
            readonly expires_at: string | null;
            /**
             * Format: date-time
             * @description Noted at most once a minute
             */
            readonly last_used_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly created_at: string;
        };
        readonly Candidate: {
            /**
             * Format: uuid
             * @description `candidate.id` of submissions and events
             */
            readonly id: string;
            /** Format: uuid */
            readonly ats_candidate_id: string | null;
            readonly name: string | null;
            readonly firstname: string | null;
            readonly lastname: string | null;
            /** @description Or the address in the CV, of a candidate who was added without one */
            readonly email: string | null;
            /** @description Their number */
            readonly submissions: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description When the candidate's data was erased; an erasure that is repeated changes it only if it removes what was stored since
             */
            readonly erased_at: string | null;
        };
        readonly CandidateDetail: {
            /**
             * Format: uuid
             * @description `candidate.id` of submissions and events
             */
            readonly id: string;
            /** Format: uuid */
            readonly ats_candidate_id: string | null;
            readonly name: string | null;
            readonly firstname: string | null;
            readonly lastname: string | null;
            /** @description Or the address in the CV, of a candidate who was added without one */
            readonly email: string | null;
            /** @description Their number */
            readonly submissions: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description When the candidate's data was erased; an erasure that is repeated changes it only if it removes what was stored since
             */
            readonly erased_at: string | null;
            /** @description true: a legal hold of the candidate or of one of the candidate's sets keeps the data from erasure */
            readonly is_on_legal_hold: boolean;
            /** @description How much is stored about the candidate */
            readonly stored: components["schemas"]["StoredCandidateData"];
        };
        readonly CandidateDetailResponse: {
            readonly results: components["schemas"]["CandidateDetail"];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        readonly CandidateEntry: {
            /**
             * Format: uuid
             * @description Your own id of the candidate, unique within the request
             */
            readonly ats_candidate_id?: string | null;
            /** @description Your own id, any text of at most 250 characters; need not be unique */
            readonly external_id?: string | null;
            /** @description Your own named texts: at most 20, with names of at most 40 letters, digits, "_", "-" and "." and texts of at most 250 characters */
            readonly metadata?: {
                readonly [key: string]: string;
            } | null;
            /** @description The candidate is invited at this address; an invalid one is reported in the candidate's result */
            readonly email?: string | null;
            /** @description Display name */
            readonly name?: string | null;
            /** @description With lastname the display name where name is absent */
            readonly firstname?: string | null;
            readonly lastname?: string | null;
            /** @description https address of the CV. Without an email, the CV is processed instead of an invitation */
            readonly cv_link?: string | null;
        };
        readonly CandidateExport: {
            readonly [key: string]: unknown;
        };
        readonly CandidateExportResponse: {
            readonly results: components["schemas"]["CandidateExport"];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        readonly CandidatePage: {
            readonly results: readonly components["schemas"]["Candidate"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        readonly CandidateRef: {
            /** Format: uuid */
            readonly id: string;
            /**
             * Format: uuid
             * @description Your own system's id of the candidate
             */
            readonly ats_candidate_id: string | null;
            /** @description Your own id; null: not given */
            readonly external_id: string | null;
            /** @description Your own named texts; {}: not given */
            readonly metadata: {
                readonly [key: string]: string;
            };
            readonly email: string | null;
            /** @description The given name, else first and last name, else the part of the address before the @, which is no name to store */
            readonly name: string | null;
        };
        readonly CompleteTestInterview: {
            /**
             * @description How well they meet the requirements: good (default), medium or poor. Where a question has knock-out options, poor chooses one
             * @enum {string|null}
             */
            readonly answers?: "good" | "medium" | "poor" | null;
        };
        readonly CorrectInvitation: {
            /** @description The address that the candidate is mailed at from now on; cleaned as in an invite */
            readonly email: string;
            /** @description The address that failed, as you know it: 409 when the invitation has another one meanwhile */
            readonly previous_email?: string | null;
        };
        readonly CreateAccess: {
            /**
             * Format: email
             * @description Identifies the recruiter; a second access with the same address is left out
             */
            readonly email: string;
            readonly fullname?: string | null;
            readonly firstname?: string | null;
            readonly lastname?: string | null;
            /** @description Sorts ascending, null last; the order of the request breaks ties */
            readonly priority?: number | null;
            /** @description Your own metadata, kept and given back as it came */
            readonly attributes?: {
                readonly [key: string]: unknown;
            } | null;
        };
        readonly CreateInterviewSet: {
            /** @description What candidates see as the interview's name; not blank */
            readonly title: string;
            /** @description The role hired for */
            readonly position?: string | null;
            /**
             * @description 1 interview (default), 2 CV set
             * @enum {integer|null}
             */
            readonly set_type?: 1 | 2 | null;
            /** @description Shown to candidates before they start */
            readonly description?: string | null;
            /** @description Minutes that a candidate has; null: no limit */
            readonly interview_duration?: number | null;
            /** @description Languages the interview is conducted in, the page's language first; an unknown id is kept and has no effect */
            readonly cfg_lingual_ids?: readonly number[] | null;
            /** @description How often a completed interview may be submitted again */
            readonly number_of_retakes?: number | null;
            /** @description Weight when sets are sorted */
            readonly priority?: number | null;
            /** @description Where the job is; decides which notices about the rating by software its candidates get */
            readonly job_locations?: readonly components["schemas"]["JobLocation"][] | null;
            /**
             * Format: uuid
             * @description Attaches the set to this project of yours
             */
            readonly project_id?: string | null;
            /** @description Your own id, any text of at most 250 characters; need not be unique */
            readonly external_id?: string | null;
            /** @description Your own named texts: at most 20, with names of at most 40 letters, digits, "_", "-" and "." and texts of at most 250 characters */
            readonly metadata?: {
                readonly [key: string]: string;
            } | null;
            /** @description What candidates are asked */
            readonly iai_questions?: readonly components["schemas"]["CreateQuestion"][] | null;
            /** @description What answers and CVs are rated against */
            readonly iai_requirements?: readonly components["schemas"]["CreateRequirement"][] | null;
            /** @description Recruiters who see the set */
            readonly com_accesses?: readonly components["schemas"]["CreateAccess"][] | null;
        };
        readonly CreateJobPost: {
            /**
             * Format: uuid
             * @description The project that the job post belongs to
             */
            readonly project_id: string;
            /** @description Not blank; people see it */
            readonly title: string;
        };
        readonly CreateOption: {
            /**
             * Format: int64
             * @description Kept as it is, unique within the question; an option without one, or with a blank one, gets the next free number
             */
            readonly id?: string | number | null;
            readonly title?: string | null;
            /** @description Titles by BCP 47 language, as {"de": "Ja"}; any JSON is kept and given back as it came */
            readonly titles?: unknown;
            readonly content?: string | null;
            /** @description The same for content */
            readonly contents?: unknown;
            readonly priority?: number | null;
        };
        readonly CreateProject: {
            /** @description Not blank; people see it */
            readonly name: string;
        };
        readonly CreateQuestion: {
            /** @description Short form of the question, shown in answers and evaluations */
            readonly title?: string | null;
            /** @description The question's prompt */
            readonly content?: string | null;
            /** @description Help for the candidate */
            readonly hint?: string | null;
            /** @description Long context or instructions */
            readonly details?: string | null;
            /**
             * @description Stored as cfg_question_mode_id: pre_screening 247, interview 248
             * @enum {string}
             */
            readonly question_mode: "pre_screening" | "interview";
            /**
             * @description Stored as cfg_question_type_id: text 250, checkbox (several options) 251, radio (one option) 252, file 253
             * @enum {string}
             */
            readonly question_type: "text" | "checkbox" | "radio" | "file";
            /** @description Sorts ascending, null last; the order of the request breaks ties */
            readonly priority?: number | null;
            /** @description Choices; a choice question without any is shown as text */
            readonly options?: readonly components["schemas"]["CreateOption"][] | null;
            /** @description Files that candidates may upload, for questions of type file: pdf; word (.docx, .odt, .doc, .rtf); spreadsheet (.xlsx, .ods, .xls, .csv); presentation (.pptx, .odp, .ppt); image (.png, .jpg, .jpeg, .jfif, .webp, .gif, .heic, .heif); text (.txt, .md, .csv). null: all of them */
            readonly allowed_file_types?: readonly ("pdf" | "word" | "spreadsheet" | "presentation" | "image" | "text")[] | null;
            /** @description Your own metadata, kept and given back as it came. The service reads these names: required (true: the candidate cannot submit without an answer while there is time), suggested_minutes (1 to 600, shown to the candidate; not a limit), knock_out (ids of options that mark a submission in which one was chosen); other values of them have no effect. For spoken answers to a question of type text: answer_with (any of text, audio, video; default ["text"]), speaking_only (true: typing is not offered, unless it is granted to a candidate who asks; needs an answer_with without text), max_seconds (10 to 600, default 180), takes (1 to 5 recordings, of which the last counts; default 0: any number) and preparation_seconds (0 to 600 before a recording begins, default 0); other values of these are refused */
            readonly attributes?: {
                readonly [key: string]: unknown;
            } | null;
        };
        readonly CreateRequirement: {
            /** @description Short form of the requirement, shown in evaluations */
            readonly title?: string | null;
            /** @description What is required */
            readonly content?: string | null;
            /** @description Help for evaluators */
            readonly hint?: string | null;
            /** @description Weight in the score: 244 Good To Have 1x, 245 Important 2x, 272 Very Important 3x, 273 Must Have 4x. Anything else is stored as 244 */
            readonly cfg_importance_id?: number | null;
            /** @description Skills linked to the requirement */
            readonly tal_skill_ids?: readonly number[] | null;
            /** @description Sorts ascending, null last; the order of the request breaks ties */
            readonly priority?: number | null;
            /** @description Your own metadata, kept and given back as it came */
            readonly attributes?: {
                readonly [key: string]: unknown;
            } | null;
        };
        readonly CreateWebhookEndpoint: {
            /** @description The system that receives the events, for people */
            readonly name: string;
            /** @description An https URL at a public address, on port 443 or any port from 1024; the operator may allow other networks */
            readonly url: string;
            /** @description For people; an empty text removes it */
            readonly description?: string | null;
            /** @description Events, and sub-events as `<event>.<sub-event>`, such as `interview.status.update.completed`; at least one. If missing: all except submission.decision.update, submission.stage.update and submission.review */
            readonly events?: readonly string[] | null;
            /** @description Headers added to each delivery, for example for a gateway. The list replaces the stored one: headers that it omits are removed */
            readonly headers?: readonly components["schemas"]["WebhookHeaderInput"][] | null;
            /** @description The maximum of attempts that start in any 60 seconds; 0: no limit */
            readonly max_per_minute?: number | null;
            /** @description With project_ids: the endpoint receives only events of these interview sets, and of sets in these projects. Both empty: all */
            readonly interview_set_ids?: readonly string[] | null;
            /** @description See interview_set_ids */
            readonly project_ids?: readonly string[] | null;
        };
        readonly Criterion: {
            /** Format: uuid */
            readonly requirement_id: string;
            readonly title: string;
            readonly cfg_importance_id: number;
            /** @description 1 to 4, by importance */
            readonly weight: number;
            /** @description Out of 10; null unless score_status is scored */
            readonly score: number | null;
            /** @enum {string} */
            readonly score_status: "scored" | "cannot_evaluate" | "not_scored";
            /** @description Why this score */
            readonly rationale: string;
            /** @description Quotes that support the score */
            readonly evidence: readonly components["schemas"]["Evidence"][];
        };
        readonly DecideSubmission: {
            /** @description null clears the decision */
            readonly decision: components["schemas"]["Decision"] | null;
            /** @description Members see it; it is not sent to the candidate. Ignored when cleared */
            readonly reason?: string | null;
            /** @description The submission's decision_version that you have read; 0: there never was one. 409 when it has changed since */
            readonly version: number;
            /** @description true: you have read the `warnings` of the score. Without it, advancing or rejecting a candidate whose score has warnings gets 409 */
            readonly confirm_warnings?: boolean | null;
        };
        /** @enum {string} */
        readonly Decision: "advance" | "hold" | "reject";
        /** @description A recruiter decided about a candidate */
        readonly DecisionEvent: {
            /** @description Version of the payload schema, MAJOR.MINOR.PATCH */
            readonly schema_version: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly event_type: "submission.decision.update";
            /**
             * Format: uuid
             * @description Unique per event; the same in every delivery
             */
            readonly event_id: string;
            /**
             * Format: date-time
             * @description When the event happened: ISO 8601, UTC, with milliseconds
             */
            readonly timestamp: string;
            readonly organization_id: number;
            readonly data: {
                /** Format: uuid */
                readonly interview_set_id: string;
                /** @description The set's title */
                readonly interview_name: string;
                /** Format: uuid */
                readonly candidate_id: string;
                /** @description Empty when the candidate has no address */
                readonly candidate_email: string;
                /**
                 * @description advance: the candidate advances; hold: the decision is postponed; reject: the candidate is rejected; cleared: the decision was removed
                 * @enum {string}
                 */
                readonly decision: "advance" | "hold" | "reject" | "cleared";
                /** @description The reason of who decided; null: none was given */
                readonly reason: string | null;
                /** @description The member, or the API key, that made or cleared the decision */
                readonly decided_by: {
                    /**
                     * Format: uuid
                     * @description Of the member or the API key
                     */
                    readonly id: string;
                    /** @description The member's name, else the address they sign in with */
                    readonly name: string;
                    /**
                     * @description Present when an API key did it; absent for a member
                     * @constant
                     */
                    readonly type?: "api_key";
                };
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, with milliseconds
                 */
                readonly decided_at: string;
                /** Format: uuid */
                readonly submission_id: string;
                /**
                 * Format: uri
                 * @description The submission's page for recruiters
                 */
                readonly submission_url: string;
                /**
                 * Format: uuid
                 * @description null when there is no invitation
                 */
                readonly invitation_id: string | null;
                /**
                 * Format: uuid
                 * @description Your id of the candidate
                 */
                readonly ats_candidate_id: string | null;
                /** @description Your own id; null: not given */
                readonly external_id: string | null;
                /** @description Your own named texts; {}: not given */
                readonly metadata: {
                    readonly [key: string]: string;
                };
                /**
                 * Format: date-time
                 * @description Only in test deliveries: do not depend on it
                 */
                readonly timestamp?: string;
            };
            /** @description true in test deliveries, absent otherwise */
            readonly is_test?: boolean;
        };
        readonly DeclineTestInterview: {
            /** @description What the candidate writes; null: nothing */
            readonly reason?: string | null;
        };
        readonly DeletedWebhookEndpoint: {
            /** Format: uuid */
            readonly id: string;
            /** @constant */
            readonly deleted: true;
        };
        readonly DeletedWebhookEndpointResponse: {
            readonly results: components["schemas"]["DeletedWebhookEndpoint"];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        readonly EmptiedTestMode: {
            /** @description All data is deleted; false: the service deletes the rest within minutes. Repeat the request to learn whether it is done */
            readonly is_empty: boolean;
        };
        readonly EmptiedTestModeResponse: {
            readonly results: components["schemas"]["EmptiedTestMode"];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        readonly EraseCandidate: {
            /** @description The candidate's id or email address, as a protection against mistakes. With the id, the request can be repeated: an erased candidate has no address to compare */
            readonly confirm: string;
        };
        readonly ErasedCandidate: {
            /** Format: uuid */
            readonly id: string;
            /** @constant */
            readonly erased: true;
            /**
             * Format: date-time
             * @description When the data was erased: the time of an earlier erasure, if this request removed nothing
             */
            readonly erased_at: string;
            /**
             * Format: date-time
             * @description When the candidate was erased before this request; null: this request was the first
             */
            readonly previously_erased_at: string | null;
            /** @description What was stored about the candidate; after an earlier erasure, only what was added since */
            readonly removed: components["schemas"]["StoredCandidateData"];
        };
        readonly ErasedCandidateResponse: {
            readonly results: components["schemas"]["ErasedCandidate"];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        readonly Evaluation: {
            /** @enum {string} */
            readonly evaluation_type: "cv" | "interview" | "holistic";
            /** @description Out of 10; null unless score_status is scored */
            readonly score: number | null;
            /** @enum {string} */
            readonly score_status: "scored" | "cannot_evaluate" | "not_scored";
            readonly summary: string;
            readonly strengths: readonly string[];
            readonly gaps: readonly string[];
            readonly recommendations: readonly string[];
            readonly criteria: readonly components["schemas"]["Criterion"][];
            /** @description Why the rating may be unreliable; absent without a reason */
            readonly warnings?: readonly components["schemas"]["EvaluationWarning"][];
            /** @description The evaluator with its version; null: none was asked, or none answered */
            readonly evaluator: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly evaluated_at: string | null;
            /**
             * Format: date-time
             * @description The event is held until the candidate can no longer improve the answers; null: it was not held
             */
            readonly held_until: string | null;
            /** @description A recruiter's score with its reason, which replaces the evaluator's; null: there is none */
            readonly override: components["schemas"]["Override"] | null;
        };
        /** @description A CV, an interview, or both together were evaluated */
        readonly EvaluationEvent: {
            /** @description Version of the payload schema, MAJOR.MINOR.PATCH */
            readonly schema_version: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly event_type: "interview.evaluation.update";
            /**
             * Format: uuid
             * @description Unique per event; the same in every delivery
             */
            readonly event_id: string;
            /**
             * Format: date-time
             * @description When the event happened: ISO 8601, UTC, with milliseconds
             */
            readonly timestamp: string;
            readonly organization_id: number;
            readonly data: {
                /** Format: uuid */
                readonly interview_set_id: string;
                /** @description The set's title */
                readonly interview_name: string;
                /** Format: uuid */
                readonly candidate_id: string;
                /** @description Empty when the candidate has no address */
                readonly candidate_email: string;
                /**
                 * @description cv, interview, or holistic: both together
                 * @enum {string}
                 */
                readonly evaluation_type: "cv" | "interview" | "holistic";
                /** @description Out of 10 with one decimal; null unless score_status is scored */
                readonly evaluation_score: number | null;
                /**
                 * @description scored: there is a score; cannot_evaluate: the evaluator found nothing that it could rate, which is not a score of zero; not_scored: there are no requirements to score against, the evaluator was unavailable, or the candidate asked for a person
                 * @enum {string}
                 */
                readonly score_status: "scored" | "cannot_evaluate" | "not_scored";
                /**
                 * Format: uuid
                 * @description Id of the submission, to read its evaluation
                 */
                readonly submission_id: string;
                /**
                 * Format: uri
                 * @description The submission's page for recruiters
                 */
                readonly submission_url: string;
                /**
                 * Format: uuid
                 * @description null when there is no invitation
                 */
                readonly invitation_id: string | null;
                /**
                 * Format: uuid
                 * @description Your id of the candidate
                 */
                readonly ats_candidate_id: string | null;
                /** @description Your own id; null: not given */
                readonly external_id: string | null;
                /** @description Your own named texts; {}: not given */
                readonly metadata: {
                    readonly [key: string]: string;
                };
                /** @description Why the rating may be unreliable; absent without a reason */
                readonly warnings?: readonly components["schemas"]["EvaluationWarning"][];
                /**
                 * Format: date-time
                 * @description Only in test deliveries: do not depend on it
                 */
                readonly timestamp?: string;
            };
            /** @description true in test deliveries, absent otherwise */
            readonly is_test?: boolean;
        };
        readonly EvaluationWarning: {
            /** @description The kind of warning, for programs. More codes may be added */
            readonly code: "short_answer" | "short_cv" | "language_not_supported" | "other_language" | "part_not_read" | "read_by_ocr" | "few_rated" | "one_part_scored" | "readings_disagree" | (string & {});
            /** @description The reason, for people */
            readonly message: string;
        };
        readonly Evidence: {
            /** @description The candidate's own words, at most 300 characters */
            readonly quote: string;
            /** @enum {string} */
            readonly source: "cv" | "answer";
            /**
             * Format: uuid
             * @description The answered question; null for a quote from the CV
             */
            readonly question_id: string | null;
        };
        readonly ExtendInvitation: {
            /**
             * Format: date-time
             * @description The new deadline: ISO 8601 with a time zone, later than the current one, at most a year from now
             */
            readonly expires_at?: string | null;
            /** @description Multiplies the interview's duration, from 1 to 10, not lower than now: 1.5 makes 45 minutes of 30. Only where the interview has a duration */
            readonly time_factor?: number | null;
        };
        readonly FieldError: {
            /** @description Where: a JSON pointer as a URI fragment (RFC 6901); of a query parameter or a header its name */
            readonly pointer: string;
            /** @description What is wrong, for programs. More codes may be added: treat an unknown one as `invalid` */
            readonly code: "required" | "wrong_type" | "not_one_of" | "out_of_range" | "too_long" | "too_short" | "too_few" | "too_many" | "blank" | "duplicate" | "not_found" | "fixed" | "refused_url" | "unknown_event" | "wrong_project" | "invalid_email" | "invalid_uuid" | "invalid_date" | "invalid_cursor" | "invalid_key" | "invalid" | "unknown_parameter" | "unknown_token" | "unstorable_text" | "unsafe_number" | "too_large" | (string & {});
            /** @description What is wrong, for people */
            readonly message: string;
        };
        readonly HiringStage: {
            /** Format: uuid */
            readonly id: string;
            /** @description As the organization calls the stage */
            readonly name: string;
            /** @description Made when a candidate is moved to the stage; null: none */
            readonly decision: components["schemas"]["Decision"] | null;
        };
        readonly HiringStageRef: {
            /** Format: uuid */
            readonly id: string;
            /** @description As the organization calls the stage */
            readonly name: string;
        };
        readonly HiringStagesResponse: {
            readonly results: readonly components["schemas"]["HiringStage"][];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        readonly InterviewSet: {
            /** Format: uuid */
            readonly id: string;
            readonly title: string;
            /** @description The role hired for */
            readonly position: string | null;
            /**
             * @description 1 interview, 2 CV set
             * @enum {integer}
             */
            readonly set_type: 1 | 2;
            readonly description: string | null;
            /** @description Minutes; null: no limit */
            readonly interview_duration: number | null;
            readonly cfg_lingual_ids: readonly number[];
            readonly number_of_retakes: number | null;
            readonly priority: number | null;
            /** @description Where the job is */
            readonly job_locations: readonly components["schemas"]["StoredJobLocation"][];
            /**
             * Format: uuid
             * @description The request's project_id
             */
            readonly com_project_id: string | null;
            /** @description Your own id; null: not given */
            readonly external_id: string | null;
            /** @description Your own named texts; {}: not given */
            readonly metadata: {
                readonly [key: string]: string;
            };
            readonly iai_questions: readonly components["schemas"]["Question"][];
            readonly iai_requirements: readonly components["schemas"]["Requirement"][];
            readonly com_accesses: readonly components["schemas"]["Access"][];
            /** @description Changes with the set; a change names the version that it is based on */
            readonly version: string;
            /** @description A candidate has started, or a CV was sent: questions, requirements, languages, interview_duration and number_of_retakes can no longer change */
            readonly is_fixed: boolean;
            /**
             * Format: date-time
             * @description null: in use
             */
            readonly archived_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly updated_at: string;
        };
        readonly InterviewSetPage: {
            readonly results: readonly components["schemas"]["InterviewSetSummary"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        readonly InterviewSetRef: {
            /** Format: uuid */
            readonly id: string;
            readonly title: string;
            /** @description Your own id; null: not given */
            readonly external_id: string | null;
        };
        readonly InterviewSetResponse: {
            readonly results: components["schemas"]["InterviewSet"];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        readonly InterviewSetSummary: {
            /** Format: uuid */
            readonly id: string;
            readonly title: string;
            /** @description The role hired for */
            readonly position: string | null;
            /**
             * @description 1 interview, 2 CV set
             * @enum {integer}
             */
            readonly set_type: 1 | 2;
            readonly description: string | null;
            /** @description Minutes; null: no limit */
            readonly interview_duration: number | null;
            readonly cfg_lingual_ids: readonly number[];
            readonly number_of_retakes: number | null;
            readonly priority: number | null;
            /** @description Where the job is */
            readonly job_locations: readonly components["schemas"]["StoredJobLocation"][];
            /**
             * Format: uuid
             * @description The request's project_id
             */
            readonly com_project_id: string | null;
            /** @description Your own id; null: not given */
            readonly external_id: string | null;
            /** @description Your own named texts; {}: not given */
            readonly metadata: {
                readonly [key: string]: string;
            };
            /** @description Changes with the set; a change names the version that it is based on */
            readonly version: string;
            /**
             * Format: date-time
             * @description null: in use
             */
            readonly archived_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly updated_at: string;
        };
        /** @description A candidate initiated, started or completed an interview */
        readonly InterviewStatusEvent: {
            /** @description Version of the payload schema, MAJOR.MINOR.PATCH */
            readonly schema_version: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly event_type: "interview.status.update";
            /**
             * Format: uuid
             * @description Unique per event; the same in every delivery
             */
            readonly event_id: string;
            /**
             * Format: date-time
             * @description When the event happened: ISO 8601, UTC, with milliseconds
             */
            readonly timestamp: string;
            readonly organization_id: number;
            readonly data: {
                /** Format: uuid */
                readonly interview_set_id: string;
                /** @description The set's title */
                readonly interview_name: string;
                /** Format: uuid */
                readonly candidate_id: string;
                /** @description Empty when the candidate has no address */
                readonly candidate_email: string;
                /**
                 * @description initiated: the candidate acted on the interview page for the first time; started: the candidate started the interview; completed: the candidate submitted the interview, or its time ended
                 * @enum {string}
                 */
                readonly status: "initiated" | "started" | "completed";
                /**
                 * Format: uuid
                 * @description null when there is no invitation
                 */
                readonly invitation_id: string | null;
                /**
                 * Format: uuid
                 * @description Your id of the candidate
                 */
                readonly ats_candidate_id: string | null;
                /** @description Your own id; null: not given */
                readonly external_id: string | null;
                /** @description Your own named texts; {}: not given */
                readonly metadata: {
                    readonly [key: string]: string;
                };
                /** Format: uuid */
                readonly submission_id: string;
                /**
                 * Format: date-time
                 * @description Only in test deliveries: do not depend on it
                 */
                readonly timestamp?: string;
            };
            /** @description true in test deliveries, absent otherwise */
            readonly is_test?: boolean;
        };
        readonly Invitation: {
            /** Format: uuid */
            readonly id: string;
            readonly status_text: components["schemas"]["InvitationStatus"];
            /** @description The address of the invitation; the candidate's address may have changed since */
            readonly email: string;
            /** @description `queued`: an email of this invitation waits to be sent, also for a retry; null: none does */
            readonly email_status: string | null;
            /**
             * Format: uri
             * @description The candidate's own link, the same in every email. Anyone who has it can answer, so it is null for a key that may not invite
             */
            readonly interview_url: string | null;
            /** @description Why the email failed; null: it did not. More reasons may be added: treat an unknown one like `dropped` */
            readonly failure_reason: "invalid_email" | "unsubscribed" | "bounce" | "dropped" | (string & {}) | null;
            readonly interview_set: components["schemas"]["InterviewSetRef"];
            readonly candidate: components["schemas"]["CandidateRef"];
            readonly submission: components["schemas"]["SubmissionRef"];
            /**
             * Format: date-time
             * @description The deadline to start the interview
             */
            readonly expires_at: string;
            /** @description Multiplies the interview's duration for this candidate; 1: no extra time */
            readonly time_factor: number;
            /**
             * Format: date-time
             * @description When the provider accepted the first email
             */
            readonly sent_at: string | null;
            /**
             * Format: date-time
             * @description When an email was first delivered
             */
            readonly delivered_at: string | null;
            /**
             * Format: date-time
             * @description When an email was first opened
             */
            readonly opened_at: string | null;
            /**
             * Format: date-time
             * @description When the link was first followed
             */
            readonly clicked_at: string | null;
            /**
             * Format: date-time
             * @description When an email could not be delivered, or was not sent
             */
            readonly failed_at: string | null;
            /**
             * Format: date-time
             * @description When the invitation was cancelled, or the candidate declined
             */
            readonly cancelled_at: string | null;
            /**
             * Format: date-time
             * @description When the candidate declined, which cancels the invitation without an event
             */
            readonly declined_at: string | null;
            /** @description The address has unsubscribed, or reported an email as spam: no emails are sent to it, not even about an extension */
            readonly mails_stopped: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description When the invitation itself last changed
             */
            readonly updated_at: string;
        };
        readonly InvitationPage: {
            readonly results: readonly components["schemas"]["Invitation"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        readonly InvitationRef: {
            /** Format: uuid */
            readonly id: string;
            readonly status_text: components["schemas"]["InvitationStatus"];
        };
        readonly InvitationResponse: {
            readonly results: components["schemas"]["Invitation"];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        /** @enum {string} */
        readonly InvitationStatus: "pending" | "sent" | "delivered" | "opened" | "clicked" | "failed" | "cancelled" | "expired";
        /** @description The status of an invitation email changed */
        readonly InvitationStatusEvent: {
            /** @description Version of the payload schema, MAJOR.MINOR.PATCH */
            readonly schema_version: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly event_type: "invitation.status.update";
            /**
             * Format: uuid
             * @description Unique per event; the same in every delivery
             */
            readonly event_id: string;
            /**
             * Format: date-time
             * @description When the event happened: ISO 8601, UTC, with milliseconds
             */
            readonly timestamp: string;
            readonly organization_id: number;
            readonly data: {
                /** Format: uuid */
                readonly interview_set_id: string;
                /** Format: uuid */
                readonly candidate_id: string;
                /** @description Empty when the candidate has no address */
                readonly candidate_email: string;
                /**
                 * @description invitation_email_delivered: the email was delivered; invitation_email_opened: the candidate opened the email; invitation_email_clicked: the candidate followed the link in the email; invitation_email_failed: the email could not be delivered or was not sent; invitation_email_spam: the candidate marked the email as spam; invitation_email_accepted: reserved and never sent
                 * @enum {string}
                 */
                readonly status: "invitation_email_delivered" | "invitation_email_opened" | "invitation_email_clicked" | "invitation_email_failed" | "invitation_email_spam" | "invitation_email_accepted";
                /** @description Reported by the email provider: delivered, opened, clicked or spam; or the reason of a failure: invalid_email, unsubscribed, bounce or dropped. More reasons may be added: handle an unknown one by `status` */
                readonly reason: "delivered" | "opened" | "clicked" | "spam" | "bounce" | "dropped" | "invalid_email" | "unsubscribed" | (string & {});
                /** @description The set's title, only with the reasons invalid_email and unsubscribed */
                readonly interview_name?: string;
                /**
                 * Format: uuid
                 * @description null when there is no invitation
                 */
                readonly invitation_id: string | null;
                /**
                 * Format: uuid
                 * @description Your id of the candidate
                 */
                readonly ats_candidate_id: string | null;
                /** @description Your own id; null: not given */
                readonly external_id: string | null;
                /** @description Your own named texts; {}: not given */
                readonly metadata: {
                    readonly [key: string]: string;
                };
                /** Format: uuid */
                readonly submission_id: string;
                /**
                 * Format: date-time
                 * @description Only in test deliveries: do not depend on it
                 */
                readonly timestamp?: string;
            };
            /** @description true in test deliveries, absent otherwise */
            readonly is_test?: boolean;
        };
        readonly InviteRequest: {
            /**
             * Format: uuid
             * @description Required without com_project_id
             */
            readonly com_interview_set_id?: string | null;
            /**
             * Format: uuid
             * @description Required without com_interview_set_id; candidates then apply to a job post of the project
             */
            readonly com_project_id?: string | null;
            /**
             * Format: uuid
             * @description The job post to apply to; without it the project's newest
             */
            readonly com_job_post_id?: string | null;
            readonly candidates: readonly components["schemas"]["CandidateEntry"][];
            /** @description Text in the email. {{name}}, {{firstname}}, {{lastname}}, {{interview}}, {{organization}}, {{deadline}} are replaced; any other word in double braces is refused */
            readonly invitation_message?: string | null;
            /** @description Default true. False: no invitation and no email; hand over submission.interview_url yourself */
            readonly send_invite?: boolean | null;
        };
        readonly InviteResult: {
            /** @description The candidate's email address */
            readonly email_address: string | null;
            /** @description The CV's address, as it was given */
            readonly cv_link: string | null;
            /** @description As now stored; null: the entry has neither an email address nor a CV that can be fetched */
            readonly candidate: components["schemas"]["CandidateRef"] | null;
            /** @description null: the candidate was not invited */
            readonly invitation: {
                /** Format: uuid */
                readonly id: string;
                readonly email: string;
                readonly status_text: components["schemas"]["InvitationStatus"];
                /** @description true: this request created the invitation; false: the candidate had it already, and this request sent nothing */
                readonly is_new: boolean;
                /** @description `queued`: an email of this invitation waits to be sent, also for a retry; null: none does */
                readonly email_status: string | null;
                /**
                 * Format: uri
                 * @description The candidate's own link
                 */
                readonly interview_url: string;
            } | null;
            /** @description null: there is nothing to evaluate */
            readonly submission: {
                /** Format: uuid */
                readonly id: string;
                readonly status_text: components["schemas"]["SubmissionStatus"];
                /** @description The candidate's own link; null: there is nothing to answer */
                readonly interview_url: string | null;
            } | null;
            /** @description Everything that failed for this candidate, in one text */
            readonly error_message?: string;
            /** @description Why no invitation was sent */
            readonly invitation_error_message?: string;
            /** @description Why the candidate did not apply to a job post */
            readonly application_error_message?: string;
            /** @description Why there is no submission */
            readonly submission_error_message?: string;
            /** @description Why the CV cannot be fetched */
            readonly candidate_entry_error_message?: string;
        };
        readonly InviteResults: {
            readonly results: readonly components["schemas"]["InviteResult"][];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        readonly JobLocation: {
            /** @description ISO 3166-1 alpha-2 code in capitals, such as US */
            readonly country: string;
            /** @description ISO 3166-2 code without the country, such as NY for US-NY; null: all of the country */
            readonly region?: string | null;
            /** @description Name of the city as in a job post; null: all of the region */
            readonly city?: string | null;
        };
        readonly JobPost: {
            /** Format: uuid */
            readonly id: string;
            /**
             * Format: uuid
             * @description The project that the job post belongs to
             */
            readonly com_project_id: string;
            readonly title: string;
            /**
             * @description Candidates can be invited to either
             * @enum {string}
             */
            readonly status: "open" | "closed";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly created_at: string;
        };
        readonly JobPostPage: {
            readonly results: readonly components["schemas"]["JobPost"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        readonly JobPostResponse: {
            readonly results: components["schemas"]["JobPost"];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        readonly LoggedFieldError: {
            /** @description Where; a name that the API does not know is `*`, unless it is a misspelt one */
            readonly pointer: string;
            readonly code: "required" | "wrong_type" | "not_one_of" | "out_of_range" | "too_long" | "too_short" | "too_few" | "too_many" | "blank" | "duplicate" | "not_found" | "fixed" | "refused_url" | "unknown_event" | "wrong_project" | "invalid_email" | "invalid_uuid" | "invalid_date" | "invalid_cursor" | "invalid_key" | "invalid" | "unknown_parameter" | "unknown_token" | "unstorable_text" | "unsafe_number" | "too_large" | (string & {});
        };
        readonly LoggedProblem: {
            /** @description The `code` of the problem (docs/errors) */
            readonly code: string;
            /** @description The first 20 validation errors */
            readonly errors: readonly components["schemas"]["LoggedFieldError"][];
        };
        readonly LoggedRequest: {
            /** @description The `X-Request-Id` of its response */
            readonly request_id: string;
            /**
             * Format: date-time
             * @description When the request began
             */
            readonly created_at: string;
            readonly api_key: {
                /** Format: uuid */
                readonly id: string;
                /** @description null: it has none, or was deleted */
                readonly name: string | null;
            };
            readonly method: string;
            /** @description The operationId of /openapi.json */
            readonly operation: string;
            /** @description The path with its ids. What is not an id is replaced by the parameter's name, such as `:id` */
            readonly path: string;
            /** @description The query parameters; null for values that are not logged, because they may name a person. A misspelt parameter keeps its name; `*`: others that the operation does not know. null: no parameters */
            readonly query: {
                readonly [key: string]: string | null;
            } | null;
            /**
             * Format: int64
             * @description The status of the response; 499: the client disconnected before it
             */
            readonly status: number;
            /** @description The error; null if there was none */
            readonly problem: components["schemas"]["LoggedProblem"] | null;
            /** @description The first 20 warnings of a response to a request with a body */
            readonly warnings: readonly components["schemas"]["LoggedWarning"][];
            /**
             * Format: int64
             * @description How many requests the entry is about. More than 1: further requests of the key within a minute that got 429
             */
            readonly requests: number;
            /**
             * Format: int64
             * @description Milliseconds until the response was ready
             */
            readonly duration_ms: number;
            /** @description The request had an `Idempotency-Key` */
            readonly idempotency_key: boolean;
            /** @description The response is the stored one of an earlier request with the `Idempotency-Key` */
            readonly replayed: boolean;
            /** @description The first program of the header User-Agent, with its version */
            readonly client: string | null;
        };
        readonly LoggedRequestPage: {
            readonly results: readonly components["schemas"]["LoggedRequest"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        readonly LoggedRequestResponse: {
            readonly results: components["schemas"]["LoggedRequest"];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        readonly LoggedWarning: {
            /** @description Where; a name that the API does not know is `*`, unless it is a misspelt one */
            readonly pointer: string;
            readonly code: "unknown_field" | "unknown_parameter" | "duplicate_person" | "notice_period" | (string & {});
        };
        readonly Member: {
            /** Format: uuid */
            readonly id: string;
            readonly email: string;
            readonly name: string | null;
            /** @description What the member may do; more roles may be added */
            readonly role: "owner" | "admin" | "recruiter" | "reviewer" | (string & {});
            /** @description false: the member was invited and has not signed in yet */
            readonly has_joined: boolean;
            /** @description Signs in with an authenticator app besides the password */
            readonly has_second_factor: boolean;
            /**
             * Format: date-time
             * @description When the member was invited or created
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description When the member last opened a page, to the minute; null: never
             */
            readonly last_seen_at: string | null;
        };
        readonly MemberPage: {
            readonly results: readonly components["schemas"]["Member"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        readonly MemberResponse: {
            readonly results: components["schemas"]["Member"];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        readonly MoveSubmission: {
            /**
             * Format: uuid
             * @description The stage; null moves the candidate out of the stages, and leaves the decision
             */
            readonly stage_id: string | null;
            /** @description The submission's stage_version that you have read; 0: there never was one. 409 when it has changed since */
            readonly version: number;
            /** @description The submission's decision_version that you have read; 0: there never was one. 409 when it has changed since */
            readonly decision_version: number;
            /** @description true: you have read the `warnings` of the score. Without it, advancing or rejecting a candidate whose score has warnings gets 409 */
            readonly confirm_warnings?: boolean | null;
        };
        readonly Option: {
            /** Format: int64 */
            readonly id: string | number;
            readonly title: string | null;
            /** @description Any JSON, as it came */
            readonly titles: unknown;
            readonly content: string | null;
            /** @description Any JSON, as it came */
            readonly contents: unknown;
            readonly priority: number | null;
        };
        readonly Override: {
            /** @description Out of 10, at most one decimal */
            readonly score: number;
            /** @description Why, in the person's words */
            readonly reason: string;
            /** @description Whose score it is */
            readonly member: {
                /** Format: uuid */
                readonly id: string;
                /** @description The person's name, else the address they sign in with */
                readonly name: string;
            };
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly at: string;
        };
        /** @description An error (RFC 9457). `code` is for programs, `detail` for people */
        readonly Problem: {
            /**
             * Format: uri-reference
             * @description Leads, from the address of the API, to the documentation of the error
             */
            readonly type: string;
            /** @description The reason phrase of the status */
            readonly title: string;
            /** @description The response's status */
            readonly status: number;
            /** @description The reason, for people */
            readonly detail: string;
            /** @description The kind of error, for programs. More codes may be added: handle an unknown one by `status` */
            readonly code: "bad_request" | "body_too_large" | "conflict" | "headers_too_large" | "idempotency_key_reused" | "internal_error" | "method_not_allowed" | "missing_scope" | "not_found" | "range_not_satisfiable" | "rate_limited" | "request_in_progress" | "request_timeout" | "unauthorized" | "unavailable" | "unsupported_media_type" | "validation_failed" | (string & {});
            /** @description Only with status 422: all validation errors of the request, at most 100 */
            readonly errors?: readonly components["schemas"]["FieldError"][];
        };
        readonly Project: {
            /** Format: uuid */
            readonly id: string;
            readonly name: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly created_at: string;
        };
        readonly ProjectPage: {
            readonly results: readonly components["schemas"]["Project"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        readonly ProjectResponse: {
            readonly results: components["schemas"]["Project"];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        readonly Question: {
            /** Format: uuid */
            readonly id: string;
            readonly title: string | null;
            readonly content: string | null;
            readonly hint: string | null;
            readonly details: string | null;
            /** @description 247 pre_screening, 248 interview */
            readonly cfg_question_mode_id: number;
            /** @description 250 text, 251 checkbox, 252 radio, 253 file */
            readonly cfg_question_type_id: number;
            readonly priority: number | null;
            readonly options: readonly components["schemas"]["Option"][];
            /** @description Files that candidates may upload; null: all types */
            readonly allowed_file_types: readonly ("pdf" | "word" | "spreadsheet" | "presentation" | "image" | "text" | (string & {}))[] | null;
            readonly attributes: {
                readonly [key: string]: unknown;
            } | null;
        };
        readonly ReleasedSuppression: {
            /** Format: uuid */
            readonly id: string;
            /** @constant */
            readonly deleted: true;
        };
        readonly ReleasedSuppressionResponse: {
            readonly results: components["schemas"]["ReleasedSuppression"];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        readonly Requirement: {
            /** Format: uuid */
            readonly id: string;
            readonly title: string | null;
            readonly content: string | null;
            readonly hint: string | null;
            /** @description 244 Good To Have, 245 Important, 272 Very Important, 273 Must Have */
            readonly cfg_importance_id: number;
            readonly tal_skill_ids: readonly number[];
            readonly priority: number | null;
            readonly attributes: {
                readonly [key: string]: unknown;
            } | null;
        };
        readonly ResendFailedDeliveries: {
            /**
             * Format: date-time
             * @description Deliveries whose last attempt failed at this time or later, such as 2030-01-31T18:00:00Z
             */
            readonly since: string;
            /**
             * Format: date-time
             * @description Only deliveries whose last attempt failed before this time. Without it, a later request also sends those that failed again meanwhile
             */
            readonly until?: string | null;
            /** @description Only deliveries of these events, without sub-events */
            readonly event_types?: readonly ("invitation.status.update" | "interview.status.update" | "interview.evaluation.update" | "submission.decision.update" | "submission.stage.update" | "submission.review")[] | null;
        };
        readonly ResentFailedDeliveries: {
            /** @description Deliveries that this request sends again, 50 per second */
            readonly queued: number;
            /** @description true: further failed deliveries match; send the same body again, with a new Idempotency-Key */
            readonly has_more: boolean;
        };
        readonly ResentFailedDeliveriesResponse: {
            readonly results: components["schemas"]["ResentFailedDeliveries"];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        /** @description A candidate asked for a review by a person, or was answered */
        readonly ReviewEvent: {
            /** @description Version of the payload schema, MAJOR.MINOR.PATCH */
            readonly schema_version: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly event_type: "submission.review";
            /**
             * Format: uuid
             * @description Unique per event; the same in every delivery
             */
            readonly event_id: string;
            /**
             * Format: date-time
             * @description When the event happened: ISO 8601, UTC, with milliseconds
             */
            readonly timestamp: string;
            readonly organization_id: number;
            readonly data: {
                /** Format: uuid */
                readonly interview_set_id: string;
                /** @description The set's title */
                readonly interview_name: string;
                /** Format: uuid */
                readonly candidate_id: string;
                /** @description Empty when the candidate has no address */
                readonly candidate_email: string;
                /**
                 * @description requested: the candidate asked for a review by a person; answered: a member answered the request; withdrawn: the candidate withdrew the request
                 * @enum {string}
                 */
                readonly status: "requested" | "answered" | "withdrawn";
                /**
                 * @description instead: the candidate wants a person instead of the evaluator; again: the candidate contests a result
                 * @enum {string}
                 */
                readonly kind: "instead" | "again";
                /**
                 * @description by_person: members review by hand, and the score stays unused; confirmed: a person has looked, and the score counts; declined: the evaluator is used; withdrawn: by the candidate; null: not answered
                 * @enum {string|null}
                 */
                readonly outcome: "by_person" | "confirmed" | "declined" | "withdrawn" | null;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, with milliseconds
                 */
                readonly requested_at: string;
                /**
                 * Format: date-time
                 * @description Until then the organization answers
                 */
                readonly due_at: string;
                /**
                 * Format: date-time
                 * @description null: not answered
                 */
                readonly answered_at: string | null;
                /** @description The member who answered; null: not answered, or withdrawn by the candidate */
                readonly answered_by: {
                    /** Format: uuid */
                    readonly id: string;
                    readonly name: string;
                } | null;
                /** Format: uuid */
                readonly submission_id: string;
                /**
                 * Format: uri
                 * @description The submission's page for recruiters
                 */
                readonly submission_url: string;
                /**
                 * Format: uuid
                 * @description null when there is no invitation
                 */
                readonly invitation_id: string | null;
                /**
                 * Format: uuid
                 * @description Your id of the candidate
                 */
                readonly ats_candidate_id: string | null;
                /** @description Your own id; null: not given */
                readonly external_id: string | null;
                /** @description Your own named texts; {}: not given */
                readonly metadata: {
                    readonly [key: string]: string;
                };
                /**
                 * Format: date-time
                 * @description Only in test deliveries: do not depend on it
                 */
                readonly timestamp?: string;
            };
            /** @description true in test deliveries, absent otherwise */
            readonly is_test?: boolean;
        };
        readonly RotateWebhookSecret: {
            /** @description true, for a leaked secret: only the new one signs */
            readonly end_old_secret?: boolean | null;
        };
        /** @description A recruiter moved a candidate to another stage */
        readonly StageEvent: {
            /** @description Version of the payload schema, MAJOR.MINOR.PATCH */
            readonly schema_version: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly event_type: "submission.stage.update";
            /**
             * Format: uuid
             * @description Unique per event; the same in every delivery
             */
            readonly event_id: string;
            /**
             * Format: date-time
             * @description When the event happened: ISO 8601, UTC, with milliseconds
             */
            readonly timestamp: string;
            readonly organization_id: number;
            readonly data: {
                /** Format: uuid */
                readonly interview_set_id: string;
                /** @description The set's title */
                readonly interview_name: string;
                /** Format: uuid */
                readonly candidate_id: string;
                /** @description Empty when the candidate has no address */
                readonly candidate_email: string;
                /**
                 * @description moved: the candidate was moved to a stage; left: the candidate was moved out of the stages
                 * @enum {string}
                 */
                readonly change: "moved" | "left";
                /** @description The stage now; null: none */
                readonly stage: components["schemas"]["HiringStageRef"] | null;
                /** @description The stage before; null: none */
                readonly previous_stage: components["schemas"]["HiringStageRef"] | null;
                /** @description The member, or the API key, that moved the candidate */
                readonly moved_by: {
                    /**
                     * Format: uuid
                     * @description Of the member or the API key
                     */
                    readonly id: string;
                    /** @description The member's name, else the address they sign in with */
                    readonly name: string;
                    /**
                     * @description Present when an API key did it; absent for a member
                     * @constant
                     */
                    readonly type?: "api_key";
                };
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, with milliseconds
                 */
                readonly moved_at: string;
                /** Format: uuid */
                readonly submission_id: string;
                /**
                 * Format: uri
                 * @description The submission's page for recruiters
                 */
                readonly submission_url: string;
                /**
                 * Format: uuid
                 * @description null when there is no invitation
                 */
                readonly invitation_id: string | null;
                /**
                 * Format: uuid
                 * @description Your id of the candidate
                 */
                readonly ats_candidate_id: string | null;
                /** @description Your own id; null: not given */
                readonly external_id: string | null;
                /** @description Your own named texts; {}: not given */
                readonly metadata: {
                    readonly [key: string]: string;
                };
                /**
                 * Format: date-time
                 * @description Only in test deliveries: do not depend on it
                 */
                readonly timestamp?: string;
            };
            /** @description true in test deliveries, absent otherwise */
            readonly is_test?: boolean;
        };
        readonly StoredCandidateData: {
            readonly submissions: number;
            readonly invitations: number;
            /** @description With an address */
            readonly emails: number;
            readonly answers: number;
            /** @description Uploads, recordings and CVs */
            readonly files: number;
            readonly cvs: number;
            readonly evaluations: number;
            /** @description Webhook events about the candidate */
            readonly events: number;
        };
        readonly StoredJobLocation: {
            readonly country: string;
            readonly region: string | null;
            readonly city: string | null;
        };
        readonly SubmissionComment: {
            /** Format: uuid */
            readonly id: string;
            /** @description The member who wrote it */
            readonly author: {
                /** Format: uuid */
                readonly id: string;
                /** @description The member's name, else the address they sign in with */
                readonly name: string;
            };
            /**
             * Format: uuid
             * @description The question whose answer it is about; null: the submission
             */
            readonly question_id: string | null;
            readonly text: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description null: it was not changed
             */
            readonly changed_at: string | null;
        };
        readonly SubmissionCommentPage: {
            readonly results: readonly components["schemas"]["SubmissionComment"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        readonly SubmissionDecision: {
            /** @description null: undecided */
            readonly decision: components["schemas"]["Decision"] | null;
            /** @description The reason of who decided; null: none was given */
            readonly reason: string | null;
            /** @description The member, or the API key, that made or cleared the decision; null: there never was one */
            readonly decided_by: {
                /**
                 * Format: uuid
                 * @description Of the member or the API key
                 */
                readonly id: string;
                /** @description The member's name, else the address they sign in with */
                readonly name: string;
                /**
                 * @description Present when an API key did it; absent for a member
                 * @constant
                 */
                readonly type?: "api_key";
            } | null;
            /**
             * Format: date-time
             * @description When the decision was last made or cleared
             */
            readonly decided_at: string | null;
        };
        readonly SubmissionDetail: {
            /** Format: uuid */
            readonly id: string;
            /**
             * Format: uri
             * @description The submission's page for recruiters
             */
            readonly submission_url: string;
            readonly status_text: components["schemas"]["SubmissionStatus"];
            readonly interview_set: components["schemas"]["InterviewSetRef"];
            readonly candidate: components["schemas"]["CandidateRef"];
            /** @description The newest one; null: there is none */
            readonly invitation: components["schemas"]["InvitationRef"] | null;
            /** @description Out of 10, of the holistic evaluation, else of the interview's, else of the CV's; null unless scored */
            readonly score: number | null;
            /**
             * @description scored: there is a number; cannot_evaluate: the evaluator found nothing to rate, which is not a zero; not_scored: there is no score yet
             * @enum {string}
             */
            readonly score_status: "scored" | "cannot_evaluate" | "not_scored";
            /** @description Why the rating may be unreliable; absent without a reason */
            readonly warnings?: readonly components["schemas"]["EvaluationWarning"][];
            /** @description The decision of a member of the organization, or of an API key */
            readonly decision: components["schemas"]["SubmissionDecision"];
            /** @description Changes with each decision; 0: there never was one. A request to decide names it */
            readonly decision_version: number;
            /** @description The organization's own stage to which a member moved the candidate; null: none */
            readonly stage: components["schemas"]["HiringStageRef"] | null;
            /** @description Changes with each move; 0: there never was one. A request to move names it */
            readonly stage_version: number;
            /** @description In the last submitted answers, an option was chosen that the question's attributes name in knock_out; nothing follows from it by itself */
            readonly has_knock_out: boolean;
            /** @description The organization's own tags, by name */
            readonly tags: readonly components["schemas"]["TagRef"][];
            /** @description The evaluation in words; null: there is none */
            readonly summary: string | null;
            readonly strengths: readonly string[];
            readonly gaps: readonly string[];
            /** @description What to ask next */
            readonly recommendations: readonly string[];
            /** @description One for each requirement of the set */
            readonly criteria: readonly components["schemas"]["Criterion"][];
            /** @description At most one of each type */
            readonly evaluations: readonly components["schemas"]["Evaluation"][];
            /** @description The answers of all submitted attempts */
            readonly answers: readonly components["schemas"]["Answer"][];
            /** @description Notes for people about reading the CV, for example that hidden text was left out */
            readonly cv_notes: readonly string[];
            /** @description The CV; null: there is none, it was not fetched, or it was deleted because of its age */
            readonly cv_file: {
                /** @description Media type, such as application/pdf */
                readonly type: string | null;
                /** @description Bytes */
                readonly size: number;
                /**
                 * Format: uri
                 * @description Where getCv sends it; needs an API key
                 */
                readonly url: string;
            } | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly initiated_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly started_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly completed_at: string | null;
            /**
             * Format: date-time
             * @description When the candidate declined, which withdraws the submission
             */
            readonly declined_at: string | null;
            /** @description In the candidate's words, or chosen from the organization's list */
            readonly decline_reason: string | null;
            /** @description Why the CV could not be fetched or read, and what to do; absent unless that failed */
            readonly candidate_entry_error_message?: string;
        };
        readonly SubmissionDetailResponse: {
            readonly results: components["schemas"]["SubmissionDetail"];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        readonly SubmissionPage: {
            readonly results: readonly components["schemas"]["SubmissionSummary"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        readonly SubmissionRef: {
            /** Format: uuid */
            readonly id: string;
            readonly status_text: components["schemas"]["SubmissionStatus"];
        };
        readonly SubmissionStanding: {
            /** Format: uuid */
            readonly id: string;
            readonly decision: components["schemas"]["SubmissionDecision"];
            /** @description Name it in the next request to decide */
            readonly decision_version: number;
            /** @description null: none */
            readonly stage: components["schemas"]["HiringStageRef"] | null;
            /** @description Name it in the next request to move */
            readonly stage_version: number;
        };
        readonly SubmissionStandingResponse: {
            readonly results: components["schemas"]["SubmissionStanding"];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        /** @enum {string} */
        readonly SubmissionStatus: "need_interview" | "cv_processing" | "initiated" | "started" | "completed" | "evaluated" | "withdrawn" | "expired";
        readonly SubmissionSummary: {
            /** Format: uuid */
            readonly id: string;
            /**
             * Format: uri
             * @description The submission's page for recruiters
             */
            readonly submission_url: string;
            readonly status_text: components["schemas"]["SubmissionStatus"];
            readonly interview_set: components["schemas"]["InterviewSetRef"];
            readonly candidate: components["schemas"]["CandidateRef"];
            /** @description The newest one; null: there is none */
            readonly invitation: components["schemas"]["InvitationRef"] | null;
            /** @description Out of 10, of the holistic evaluation, else of the interview's, else of the CV's; null unless scored */
            readonly score: number | null;
            /**
             * @description scored: there is a number; cannot_evaluate: the evaluator found nothing to rate, which is not a zero; not_scored: there is no score yet
             * @enum {string}
             */
            readonly score_status: "scored" | "cannot_evaluate" | "not_scored";
            /** @description Why the rating may be unreliable; absent without a reason */
            readonly warnings?: readonly components["schemas"]["EvaluationWarning"][];
            /** @description The decision of a member of the organization, or of an API key */
            readonly decision: components["schemas"]["SubmissionDecision"];
            /** @description Changes with each decision; 0: there never was one. A request to decide names it */
            readonly decision_version: number;
            /** @description The organization's own stage to which a member moved the candidate; null: none */
            readonly stage: components["schemas"]["HiringStageRef"] | null;
            /** @description Changes with each move; 0: there never was one. A request to move names it */
            readonly stage_version: number;
            /** @description In the last submitted answers, an option was chosen that the question's attributes name in knock_out; nothing follows from it by itself */
            readonly has_knock_out: boolean;
            /** @description The organization's own tags, by name */
            readonly tags: readonly components["schemas"]["TagRef"][];
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description When its status, times, external_id, metadata, score, decision, stage or tags last changed
             */
            readonly updated_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly initiated_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly started_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly completed_at: string | null;
            /**
             * Format: date-time
             * @description When the candidate declined, which withdraws the submission
             */
            readonly declined_at: string | null;
            /** @description In the candidate's words, or chosen from the organization's list */
            readonly decline_reason: string | null;
        };
        readonly SuppressAddress: {
            /** @description The address; in upper or lower case, with a Unicode or ASCII domain */
            readonly email: string;
        };
        readonly Suppression: {
            /** Format: uuid */
            readonly id: string;
            /** @description In lower case; null: the candidate was erased, and only the address's hash is stored */
            readonly email: string | null;
            /** @description spam: the recipient reported an email as spam; unsubscribed: by the link in an email; manual: an API key or a command */
            readonly reason: "spam" | "unsubscribed" | "manual" | (string & {});
            /**
             * Format: date-time
             * @description Since when the address gets no emails
             */
            readonly created_at: string;
        };
        readonly SuppressionPage: {
            readonly results: readonly components["schemas"]["Suppression"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        readonly SuppressionResponse: {
            readonly results: components["schemas"]["Suppression"];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        readonly TagRef: {
            /** Format: uuid */
            readonly id: string;
            /** @description As the organization calls the tag */
            readonly name: string;
        };
        readonly TagsResponse: {
            readonly results: readonly components["schemas"]["TagRef"][];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        readonly TestWebhookEndpoint: {
            /** @description The event or sub-event to send; without it, one that the endpoint receives */
            readonly event?: string | null;
        };
        readonly UndoDecision: {
            /** @description The submission's decision_version that you have read; 0: there never was one. 409 when it has changed since */
            readonly version: number;
        };
        readonly UpdateInterviewSet: {
            /** @description The `version` of the set that the change is based on; 409 when the set has changed since: read it again */
            readonly version: string;
            /** @description What candidates see as the interview's name; not blank */
            readonly title?: string;
            /**
             * @description 1 interview, 2 CV set; fixed once a candidate is invited
             * @enum {integer}
             */
            readonly set_type?: 1 | 2;
            /** @description The role hired for */
            readonly position?: string | null;
            /** @description Shown to candidates before they start */
            readonly description?: string | null;
            /** @description Minutes that a candidate has; null: no limit */
            readonly interview_duration?: number | null;
            /** @description How often a completed interview may be submitted again */
            readonly number_of_retakes?: number | null;
            /** @description Weight when sets are sorted */
            readonly priority?: number | null;
            /**
             * Format: uuid
             * @description Attaches the set to this project of yours
             */
            readonly project_id?: string | null;
            /** @description Your own id, any text of at most 250 characters; need not be unique */
            readonly external_id?: string | null;
            /** @description Your own named texts: at most 20, with names of at most 40 letters, digits, "_", "-" and "." and texts of at most 250 characters */
            readonly metadata?: {
                readonly [key: string]: string;
            } | null;
            readonly cfg_lingual_ids?: readonly number[];
            readonly job_locations?: readonly components["schemas"]["JobLocation"][];
            readonly iai_questions?: readonly components["schemas"]["UpdateQuestion"][];
            readonly iai_requirements?: readonly components["schemas"]["UpdateRequirement"][];
            readonly com_accesses?: readonly components["schemas"]["CreateAccess"][];
        };
        readonly UpdateJobPost: {
            /** @description Not blank; people see it */
            readonly title?: string | null;
            /**
             * @description Pages do not offer a closed job post for new candidates; the API accepts candidates for it
             * @enum {string|null}
             */
            readonly status?: "open" | "closed" | null;
        };
        readonly UpdateProject: {
            /** @description Not blank; people see it */
            readonly name: string;
        };
        readonly UpdateQuestion: {
            /**
             * Format: uuid
             * @description The id of a stored question, which keeps its id; without one, the question is new. Each id at most once
             */
            readonly id?: string | null;
            /** @description Short form of the question, shown in answers and evaluations */
            readonly title?: string | null;
            /** @description The question's prompt */
            readonly content?: string | null;
            /** @description Help for the candidate */
            readonly hint?: string | null;
            /** @description Long context or instructions */
            readonly details?: string | null;
            /**
             * @description Stored as cfg_question_mode_id: pre_screening 247, interview 248
             * @enum {string}
             */
            readonly question_mode: "pre_screening" | "interview";
            /**
             * @description Stored as cfg_question_type_id: text 250, checkbox (several options) 251, radio (one option) 252, file 253
             * @enum {string}
             */
            readonly question_type: "text" | "checkbox" | "radio" | "file";
            /** @description Sorts ascending, null last; the order of the request breaks ties */
            readonly priority?: number | null;
            /** @description Choices; a choice question without any is shown as text */
            readonly options?: readonly components["schemas"]["CreateOption"][] | null;
            /** @description Files that candidates may upload, for questions of type file: pdf; word (.docx, .odt, .doc, .rtf); spreadsheet (.xlsx, .ods, .xls, .csv); presentation (.pptx, .odp, .ppt); image (.png, .jpg, .jpeg, .jfif, .webp, .gif, .heic, .heif); text (.txt, .md, .csv). null: all of them */
            readonly allowed_file_types?: readonly ("pdf" | "word" | "spreadsheet" | "presentation" | "image" | "text")[] | null;
            /** @description Your own metadata, kept and given back as it came. The service reads these names: required (true: the candidate cannot submit without an answer while there is time), suggested_minutes (1 to 600, shown to the candidate; not a limit), knock_out (ids of options that mark a submission in which one was chosen); other values of them have no effect. For spoken answers to a question of type text: answer_with (any of text, audio, video; default ["text"]), speaking_only (true: typing is not offered, unless it is granted to a candidate who asks; needs an answer_with without text), max_seconds (10 to 600, default 180), takes (1 to 5 recordings, of which the last counts; default 0: any number) and preparation_seconds (0 to 600 before a recording begins, default 0); other values of these are refused */
            readonly attributes?: {
                readonly [key: string]: unknown;
            } | null;
        };
        readonly UpdateRequirement: {
            /**
             * Format: uuid
             * @description The id of a stored requirement, which keeps its id; without one, the requirement is new. Each id at most once
             */
            readonly id?: string | null;
            /** @description Short form of the requirement, shown in evaluations */
            readonly title?: string | null;
            /** @description What is required */
            readonly content?: string | null;
            /** @description Help for evaluators */
            readonly hint?: string | null;
            /** @description Weight in the score: 244 Good To Have 1x, 245 Important 2x, 272 Very Important 3x, 273 Must Have 4x. Anything else is stored as 244 */
            readonly cfg_importance_id?: unknown;
            /** @description Skills linked to the requirement */
            readonly tal_skill_ids?: readonly number[] | null;
            /** @description Sorts ascending, null last; the order of the request breaks ties */
            readonly priority?: number | null;
            /** @description Your own metadata, kept and given back as it came */
            readonly attributes?: {
                readonly [key: string]: unknown;
            } | null;
        };
        readonly UpdateWebhookEndpoint: {
            /** @description The system that receives the events, for people */
            readonly name?: string | null;
            /** @description An https URL at a public address, on port 443 or any port from 1024; the operator may allow other networks */
            readonly url?: string | null;
            /** @description For people; an empty text removes it */
            readonly description?: string | null;
            /** @description Events, and sub-events as `<event>.<sub-event>`, such as `interview.status.update.completed`; at least one */
            readonly events?: readonly string[] | null;
            /** @description Headers added to each delivery, for example for a gateway. The list replaces the stored one: headers that it omits are removed */
            readonly headers?: readonly components["schemas"]["WebhookHeaderInput"][] | null;
            /** @description The maximum of attempts that start in any 60 seconds; 0: no limit */
            readonly max_per_minute?: number | null;
            /** @description With project_ids: the endpoint receives only events of these interview sets, and of sets in these projects. Both empty: all */
            readonly interview_set_ids?: readonly string[] | null;
            /** @description See interview_set_ids */
            readonly project_ids?: readonly string[] | null;
            /**
             * @description inactive: waiting and new deliveries are parked, and it is not tried. active: the endpoint receives new events; failures of one that was inactive are counted from zero
             * @enum {string|null}
             */
            readonly status?: "active" | "inactive" | null;
            /** @description true sends the parked deliveries of an active endpoint, 50 per second, each with its remaining attempts */
            readonly send_parked?: boolean | null;
            /** @description true: the old secret stops signing now */
            readonly end_old_secret?: boolean | null;
        };
        readonly Warning: {
            /** @description Where in the request: `#/candidates/1/phone`, or `#/` and the name of a query parameter */
            readonly pointer: string;
            /** @description The kind of warning, for programs. More codes may be added */
            readonly code: "unknown_field" | "unknown_parameter" | "duplicate_person" | "notice_period" | (string & {});
            /** @description What was ignored or changed, for people */
            readonly message: string;
        };
        readonly WebhookAttempt: {
            /**
             * Format: date-time
             * @description When the attempt began
             */
            readonly at: string;
            /** @description Status of the response; null without a response */
            readonly status: number | null;
            readonly duration_ms: number;
            /** @description Why the attempt failed, for people; null for a success */
            readonly error: string | null;
            /** @description The first 4 KiB of the response's body; null without a response */
            readonly answer: string | null;
        };
        readonly WebhookDelivery: {
            /** @description A decimal number */
            readonly id: string;
            /**
             * @description queued: an attempt is due or running; parked: the endpoint is inactive; delivered and failed are final
             * @enum {string}
             */
            readonly state: "queued" | "parked" | "delivered" | "failed";
            /**
             * Format: uuid
             * @description The same in every delivery of the event
             */
            readonly event_id: string;
            /** @description The event's name and sub-event, such as interview.status.update.completed; null: the event was deleted */
            readonly event: string | null;
            /** @description Oldest first */
            readonly attempts: readonly components["schemas"]["WebhookAttempt"][];
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description null unless queued
             */
            readonly next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description null unless delivered or failed
             */
            readonly finished_at: string | null;
            /**
             * Format: date-time
             * @description When it was last sent again, as a new delivery
             */
            readonly resent_at: string | null;
        };
        readonly WebhookDeliveryPage: {
            readonly results: readonly components["schemas"]["WebhookDelivery"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        readonly WebhookDeliveryResponse: {
            readonly results: components["schemas"]["WebhookDelivery"];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        readonly WebhookEndpoint: {
            /** Format: uuid */
            readonly id: string;
            readonly name: string;
            /** Format: uri */
            readonly url: string;
            readonly description: string | null;
            /** @description Events and sub-events that it receives */
            readonly events: readonly string[];
            /** @description Headers added to each delivery, without their values */
            readonly headers: readonly components["schemas"]["WebhookHeader"][];
            /** @description The maximum of attempts that start in any 60 seconds; null: no limit */
            readonly max_per_minute: number | null;
            /** @description With project_ids: whose events it receives; both empty: all. Deleted records stay listed */
            readonly interview_set_ids: readonly string[];
            readonly project_ids: readonly string[];
            /**
             * @description Deliveries of an inactive endpoint are parked
             * @enum {string}
             */
            readonly status: "active" | "inactive";
            /**
             * Format: date-time
             * @description When the service deactivated it; otherwise null
             */
            readonly deactivated_at: string | null;
            /** @description Why it is inactive: a person, failures in a row, 410 Gone, or an undecryptable secret */
            readonly inactive_reason: "manual" | "failures" | "gone" | "unreadable_secret" | (string & {}) | null;
            /**
             * Format: date-time
             * @description When it is next tried after failures
             */
            readonly next_probe_at: string | null;
            /** @description Failed attempts since the last success */
            readonly consecutive_failures: number;
            /**
             * Format: date-time
             * @description When an attempt was last acknowledged
             */
            readonly last_success_at: string | null;
            /**
             * Format: date-time
             * @description When an attempt last failed
             */
            readonly last_failure_at: string | null;
            /** @description Why the last failed attempt failed, for people */
            readonly last_error: string | null;
            /**
             * Format: date-time
             * @description When the secret was created
             */
            readonly secret_since: string;
            /**
             * Format: date-time
             * @description When the old secret stops or stopped signing; null without a replacement
             */
            readonly previous_secret_until: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly created_at: string;
        };
        readonly WebhookEndpointPage: {
            readonly results: readonly components["schemas"]["WebhookEndpoint"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        readonly WebhookEndpointResponse: {
            readonly results: components["schemas"]["WebhookEndpoint"];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        readonly WebhookEndpointWithSecret: {
            /** Format: uuid */
            readonly id: string;
            readonly name: string;
            /** Format: uri */
            readonly url: string;
            readonly description: string | null;
            /** @description Events and sub-events that it receives */
            readonly events: readonly string[];
            /** @description Headers added to each delivery, without their values */
            readonly headers: readonly components["schemas"]["WebhookHeader"][];
            /** @description The maximum of attempts that start in any 60 seconds; null: no limit */
            readonly max_per_minute: number | null;
            /** @description With project_ids: whose events it receives; both empty: all. Deleted records stay listed */
            readonly interview_set_ids: readonly string[];
            readonly project_ids: readonly string[];
            /**
             * @description Deliveries of an inactive endpoint are parked
             * @enum {string}
             */
            readonly status: "active" | "inactive";
            /**
             * Format: date-time
             * @description When the service deactivated it; otherwise null
             */
            readonly deactivated_at: string | null;
            /** @description Why it is inactive: a person, failures in a row, 410 Gone, or an undecryptable secret */
            readonly inactive_reason: "manual" | "failures" | "gone" | "unreadable_secret" | (string & {}) | null;
            /**
             * Format: date-time
             * @description When it is next tried after failures
             */
            readonly next_probe_at: string | null;
            /** @description Failed attempts since the last success */
            readonly consecutive_failures: number;
            /**
             * Format: date-time
             * @description When an attempt was last acknowledged
             */
            readonly last_success_at: string | null;
            /**
             * Format: date-time
             * @description When an attempt last failed
             */
            readonly last_failure_at: string | null;
            /** @description Why the last failed attempt failed, for people */
            readonly last_error: string | null;
            /**
             * Format: date-time
             * @description When the secret was created
             */
            readonly secret_since: string;
            /**
             * Format: date-time
             * @description When the old secret stops or stopped signing; null without a replacement
             */
            readonly previous_secret_until: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly created_at: string;
            /** @description `whsec_` and 64 hex digits, only in this response: store it with the secrets of your system */
            readonly secret: string;
        };
        readonly WebhookEndpointWithSecretResponse: {
            readonly results: components["schemas"]["WebhookEndpointWithSecret"];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        /** @description An event in the envelope of webhooks; `event_type` selects the schema. More types may be added: skip unknown ones */
        readonly WebhookEvent: components["schemas"]["InvitationStatusEvent"] | components["schemas"]["InterviewStatusEvent"] | components["schemas"]["EvaluationEvent"] | components["schemas"]["DecisionEvent"] | components["schemas"]["StageEvent"] | components["schemas"]["ReviewEvent"];
        readonly WebhookEventPage: {
            readonly results: readonly components["schemas"]["WebhookEvent"][];
            /** @description Send it as cursor to continue, also after the last page: later events follow it */
            readonly next_cursor: string;
        };
        readonly WebhookHeader: {
            readonly name: string;
            /** @constant */
            readonly value: "****";
        };
        readonly WebhookHeaderInput: {
            /** @description Such as Authorization; not one that the service sets */
            readonly name: string;
            /** @description Visible ASCII characters. If missing, or ****, the header keeps its stored value */
            readonly value?: string | null;
        };
        readonly WebhookRehearsal: {
            /** Format: uuid */
            readonly id: string;
            /** Format: uuid */
            readonly endpoint_id: string;
            /**
             * Format: uri
             * @description Where it was sent
             */
            readonly url: string;
            /**
             * @description done: all steps have a result; stopped: it could not go on, as `reason` says
             * @enum {string}
             */
            readonly state: "running" | "done" | "cancelled" | "stopped";
            /** @description Why it was stopped; otherwise null */
            readonly reason: string | null;
            readonly counts: components["schemas"]["WebhookRehearsalCounts"];
            /** @description Steps of a whole rehearsal */
            readonly total_steps: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description null while it is running
             */
            readonly ended_at: string | null;
            /** @description Those that have ended */
            readonly steps: readonly components["schemas"]["WebhookRehearsalStep"][];
        };
        /** @description Steps by result, so far */
        readonly WebhookRehearsalCounts: {
            readonly passed: number;
            readonly warning: number;
            readonly failed: number;
            readonly skipped: number;
        };
        readonly WebhookRehearsalExchange: {
            /**
             * Format: date-time
             * @description When it was sent
             */
            readonly at: string;
            /** Format: uuid */
            readonly event_id: string;
            /** @description Headers that were sent; the values of the endpoint's own headers are **** */
            readonly headers: {
                readonly [key: string]: string;
            };
            /** @description The body that was sent */
            readonly body: string;
            /** @description Status of the response; null without a response */
            readonly status: number | null;
            readonly duration_ms: number;
            /** @description Why there was no response; otherwise null */
            readonly error: string | null;
            /** @description The first 1,000 characters of the response's body; null without a response */
            readonly answer: string | null;
        };
        readonly WebhookRehearsalPage: {
            readonly results: readonly components["schemas"]["WebhookRehearsalSummary"][];
            /** @description The cursor of the next page; null on the last one */
            readonly next_cursor: string | null;
        };
        readonly WebhookRehearsalResponse: {
            readonly results: components["schemas"]["WebhookRehearsal"];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
        readonly WebhookRehearsalStep: {
            /** @description What the receiver has to do */
            readonly name: "valid" | "duplicate" | "order" | "late" | "unknown_field" | "unknown_event" | "two_signatures" | "wrong_signature" | "changed_body" | "old_signature" | "missing_signature" | "burst" | "retry" | (string & {});
            /** @description The same, for people */
            readonly title: string;
            /**
             * @description warning: it works, but something should be changed; skipped: not sent, or it shows nothing
             * @enum {string}
             */
            readonly result: "passed" | "warning" | "failed" | "skipped";
            /** @description What happened */
            readonly finding: string;
            /** @description What to change in the receiver; null: nothing */
            readonly advice: string | null;
            /** @description Path of the guide about it, such as /docs/webhooks#verifying-webhooks */
            readonly documentation: string;
            /** @description How many were sent */
            readonly requests: number;
            /** @description Of a burst: 95 % of the responses came within so many milliseconds; otherwise null */
            readonly p95_ms: number | null;
            /** @description What was sent and answered; of a burst, the first that failed or else the slowest */
            readonly exchanges: readonly components["schemas"]["WebhookRehearsalExchange"][];
        };
        readonly WebhookRehearsalSummary: {
            /** Format: uuid */
            readonly id: string;
            /** Format: uuid */
            readonly endpoint_id: string;
            /**
             * Format: uri
             * @description Where it was sent
             */
            readonly url: string;
            /**
             * @description done: all steps have a result; stopped: it could not go on, as `reason` says
             * @enum {string}
             */
            readonly state: "running" | "done" | "cancelled" | "stopped";
            /** @description Why it was stopped; otherwise null */
            readonly reason: string | null;
            readonly counts: components["schemas"]["WebhookRehearsalCounts"];
            /** @description Steps of a whole rehearsal */
            readonly total_steps: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description null while it is running
             */
            readonly ended_at: string | null;
        };
        readonly WebhookTest: {
            /** @description The receiver responded with any 2xx */
            readonly delivered: boolean;
            /** @description The event's name and sub-event, such as interview.status.update.completed */
            readonly event: string;
            /** Format: uuid */
            readonly event_id: string;
            /** @description The body that was sent */
            readonly body: string;
            readonly attempt: components["schemas"]["WebhookAttempt"];
        };
        readonly WebhookTestResponse: {
            readonly results: components["schemas"]["WebhookTest"];
            /** @description What was ignored in the request, or not needed; absent without warnings */
            readonly warnings?: readonly components["schemas"]["Warning"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Access = components['schemas']['Access'];
export type Account = components['schemas']['Account'];
export type AccountResponse = components['schemas']['AccountResponse'];
export type Answer = components['schemas']['Answer'];
export type ApiKey = components['schemas']['ApiKey'];
export type Candidate = components['schemas']['Candidate'];
export type CandidateDetail = components['schemas']['CandidateDetail'];
export type CandidateDetailResponse = components['schemas']['CandidateDetailResponse'];
export type CandidateEntry = components['schemas']['CandidateEntry'];
export type CandidateExport = components['schemas']['CandidateExport'];
export type CandidateExportResponse = components['schemas']['CandidateExportResponse'];
export type CandidatePage = components['schemas']['CandidatePage'];
export type CandidateRef = components['schemas']['CandidateRef'];
export type CompleteTestInterview = components['schemas']['CompleteTestInterview'];
export type CorrectInvitation = components['schemas']['CorrectInvitation'];
export type CreateAccess = components['schemas']['CreateAccess'];
export type CreateInterviewSet = components['schemas']['CreateInterviewSet'];
export type CreateJobPost = components['schemas']['CreateJobPost'];
export type CreateOption = components['schemas']['CreateOption'];
export type CreateProject = components['schemas']['CreateProject'];
export type CreateQuestion = components['schemas']['CreateQuestion'];
export type CreateRequirement = components['schemas']['CreateRequirement'];
export type CreateWebhookEndpoint = components['schemas']['CreateWebhookEndpoint'];
export type Criterion = components['schemas']['Criterion'];
export type DecideSubmission = components['schemas']['DecideSubmission'];
export type Decision = components['schemas']['Decision'];
export type DecisionEvent = components['schemas']['DecisionEvent'];
export type DeclineTestInterview = components['schemas']['DeclineTestInterview'];
export type DeletedWebhookEndpoint = components['schemas']['DeletedWebhookEndpoint'];
export type DeletedWebhookEndpointResponse = components['schemas']['DeletedWebhookEndpointResponse'];
export type EmptiedTestMode = components['schemas']['EmptiedTestMode'];
export type EmptiedTestModeResponse = components['schemas']['EmptiedTestModeResponse'];
export type EraseCandidate = components['schemas']['EraseCandidate'];
export type ErasedCandidate = components['schemas']['ErasedCandidate'];
export type ErasedCandidateResponse = components['schemas']['ErasedCandidateResponse'];
export type Evaluation = components['schemas']['Evaluation'];
export type EvaluationEvent = components['schemas']['EvaluationEvent'];
export type EvaluationWarning = components['schemas']['EvaluationWarning'];
export type Evidence = components['schemas']['Evidence'];
export type ExtendInvitation = components['schemas']['ExtendInvitation'];
export type FieldError = components['schemas']['FieldError'];
export type HiringStage = components['schemas']['HiringStage'];
export type HiringStageRef = components['schemas']['HiringStageRef'];
export type HiringStagesResponse = components['schemas']['HiringStagesResponse'];
export type InterviewSet = components['schemas']['InterviewSet'];
export type InterviewSetPage = components['schemas']['InterviewSetPage'];
export type InterviewSetRef = components['schemas']['InterviewSetRef'];
export type InterviewSetResponse = components['schemas']['InterviewSetResponse'];
export type InterviewSetSummary = components['schemas']['InterviewSetSummary'];
export type InterviewStatusEvent = components['schemas']['InterviewStatusEvent'];
export type Invitation = components['schemas']['Invitation'];
export type InvitationPage = components['schemas']['InvitationPage'];
export type InvitationRef = components['schemas']['InvitationRef'];
export type InvitationResponse = components['schemas']['InvitationResponse'];
export type InvitationStatus = components['schemas']['InvitationStatus'];
export type InvitationStatusEvent = components['schemas']['InvitationStatusEvent'];
export type InviteRequest = components['schemas']['InviteRequest'];
export type InviteResult = components['schemas']['InviteResult'];
export type InviteResults = components['schemas']['InviteResults'];
export type JobLocation = components['schemas']['JobLocation'];
export type JobPost = components['schemas']['JobPost'];
export type JobPostPage = components['schemas']['JobPostPage'];
export type JobPostResponse = components['schemas']['JobPostResponse'];
export type LoggedFieldError = components['schemas']['LoggedFieldError'];
export type LoggedProblem = components['schemas']['LoggedProblem'];
export type LoggedRequest = components['schemas']['LoggedRequest'];
export type LoggedRequestPage = components['schemas']['LoggedRequestPage'];
export type LoggedRequestResponse = components['schemas']['LoggedRequestResponse'];
export type LoggedWarning = components['schemas']['LoggedWarning'];
export type Member = components['schemas']['Member'];
export type MemberPage = components['schemas']['MemberPage'];
export type MemberResponse = components['schemas']['MemberResponse'];
export type MoveSubmission = components['schemas']['MoveSubmission'];
export type Option = components['schemas']['Option'];
export type Override = components['schemas']['Override'];
export type Problem = components['schemas']['Problem'];
export type Project = components['schemas']['Project'];
export type ProjectPage = components['schemas']['ProjectPage'];
export type ProjectResponse = components['schemas']['ProjectResponse'];
export type Question = components['schemas']['Question'];
export type ReleasedSuppression = components['schemas']['ReleasedSuppression'];
export type ReleasedSuppressionResponse = components['schemas']['ReleasedSuppressionResponse'];
export type Requirement = components['schemas']['Requirement'];
export type ResendFailedDeliveries = components['schemas']['ResendFailedDeliveries'];
export type ResentFailedDeliveries = components['schemas']['ResentFailedDeliveries'];
export type ResentFailedDeliveriesResponse = components['schemas']['ResentFailedDeliveriesResponse'];
export type ReviewEvent = components['schemas']['ReviewEvent'];
export type RotateWebhookSecret = components['schemas']['RotateWebhookSecret'];
export type StageEvent = components['schemas']['StageEvent'];
export type StoredCandidateData = components['schemas']['StoredCandidateData'];
export type StoredJobLocation = components['schemas']['StoredJobLocation'];
export type SubmissionComment = components['schemas']['SubmissionComment'];
export type SubmissionCommentPage = components['schemas']['SubmissionCommentPage'];
export type SubmissionDecision = components['schemas']['SubmissionDecision'];
export type SubmissionDetail = components['schemas']['SubmissionDetail'];
export type SubmissionDetailResponse = components['schemas']['SubmissionDetailResponse'];
export type SubmissionPage = components['schemas']['SubmissionPage'];
export type SubmissionRef = components['schemas']['SubmissionRef'];
export type SubmissionStanding = components['schemas']['SubmissionStanding'];
export type SubmissionStandingResponse = components['schemas']['SubmissionStandingResponse'];
export type SubmissionStatus = components['schemas']['SubmissionStatus'];
export type SubmissionSummary = components['schemas']['SubmissionSummary'];
export type SuppressAddress = components['schemas']['SuppressAddress'];
export type Suppression = components['schemas']['Suppression'];
export type SuppressionPage = components['schemas']['SuppressionPage'];
export type SuppressionResponse = components['schemas']['SuppressionResponse'];
export type TagRef = components['schemas']['TagRef'];
export type TagsResponse = components['schemas']['TagsResponse'];
export type TestWebhookEndpoint = components['schemas']['TestWebhookEndpoint'];
export type UndoDecision = components['schemas']['UndoDecision'];
export type UpdateInterviewSet = components['schemas']['UpdateInterviewSet'];
export type UpdateJobPost = components['schemas']['UpdateJobPost'];
export type UpdateProject = components['schemas']['UpdateProject'];
export type UpdateQuestion = components['schemas']['UpdateQuestion'];
export type UpdateRequirement = components['schemas']['UpdateRequirement'];
export type UpdateWebhookEndpoint = components['schemas']['UpdateWebhookEndpoint'];
export type Warning = components['schemas']['Warning'];
export type WebhookAttempt = components['schemas']['WebhookAttempt'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookDeliveryPage = components['schemas']['WebhookDeliveryPage'];
export type WebhookDeliveryResponse = components['schemas']['WebhookDeliveryResponse'];
export type WebhookEndpoint = components['schemas']['WebhookEndpoint'];
export type WebhookEndpointPage = components['schemas']['WebhookEndpointPage'];
export type WebhookEndpointResponse = components['schemas']['WebhookEndpointResponse'];
export type WebhookEndpointWithSecret = components['schemas']['WebhookEndpointWithSecret'];
export type WebhookEndpointWithSecretResponse = components['schemas']['WebhookEndpointWithSecretResponse'];
export type WebhookEvent = components['schemas']['WebhookEvent'];
export type WebhookEventPage = components['schemas']['WebhookEventPage'];
export type WebhookHeader = components['schemas']['WebhookHeader'];
export type WebhookHeaderInput = components['schemas']['WebhookHeaderInput'];
export type WebhookRehearsal = components['schemas']['WebhookRehearsal'];
export type WebhookRehearsalCounts = components['schemas']['WebhookRehearsalCounts'];
export type WebhookRehearsalExchange = components['schemas']['WebhookRehearsalExchange'];
export type WebhookRehearsalPage = components['schemas']['WebhookRehearsalPage'];
export type WebhookRehearsalResponse = components['schemas']['WebhookRehearsalResponse'];
export type WebhookRehearsalStep = components['schemas']['WebhookRehearsalStep'];
export type WebhookRehearsalSummary = components['schemas']['WebhookRehearsalSummary'];
export type WebhookTest = components['schemas']['WebhookTest'];
export type WebhookTestResponse = components['schemas']['WebhookTestResponse'];
export interface operations {
    readonly createInterviewSet: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateInterviewSet"];
            };
        };
        readonly responses: {
            /** @description The set as it is stored */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InterviewSetResponse"];
                };
            };
        };
    };
    readonly listInterviewSets: {
        readonly parameters: {
            readonly query?: {
                /** @description Records on a page */
                readonly limit?: number;
                /** @description next_cursor of the previous page */
                readonly cursor?: string;
                /** @description Only sets of this project */
                readonly project_id?: string;
                /** @description Only interviews (1) or CV sets (2) */
                readonly set_type?: 1 | 2;
                /** @description Only sets with this external_id */
                readonly external_id?: string;
                /** @description Only sets that changed at or after this time, such as 2030-01-31T18:00:00Z */
                readonly updated_since?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page of sets */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InterviewSetPage"];
                };
            };
        };
    };
    readonly getInterviewSet: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The set's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The set as it is stored */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InterviewSetResponse"];
                };
            };
        };
    };
    readonly updateInterviewSet: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The set's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateInterviewSet"];
            };
        };
        readonly responses: {
            /** @description The set with its changes */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InterviewSetResponse"];
                };
            };
        };
    };
    readonly archiveInterviewSet: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The set's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The archived set */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InterviewSetResponse"];
                };
            };
        };
    };
    readonly unarchiveInterviewSet: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The set's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The set, in use again */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InterviewSetResponse"];
                };
            };
        };
    };
    readonly inviteCandidates: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["InviteRequest"];
            };
        };
        readonly responses: {
            /** @description One result per candidate, in the order of the request; some may have failed */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InviteResults"];
                };
            };
        };
    };
    readonly listInvitations: {
        readonly parameters: {
            readonly query?: {
                /** @description Records on a page */
                readonly limit?: number;
                /** @description next_cursor of the previous page */
                readonly cursor?: string;
                /** @description Only invitations to this set */
                readonly interview_set_id?: string;
                /** @description Only invitations in this state */
                readonly status?: components["schemas"]["InvitationStatus"];
                /** @description Only invitations of this candidate */
                readonly candidate_id?: string;
                /** @description Only invitations of the candidate with this ats_candidate_id */
                readonly ats_candidate_id?: string;
                /** @description Only invitations of candidates with this email address, also one from a CV, ignoring case */
                readonly email?: string;
                /** @description Only invitations with this external_id */
                readonly external_id?: string;
                /** @description Only invitations that changed at or after this time, such as 2030-01-31T18:00:00Z */
                readonly updated_since?: string;
                /** @description Only invitations with this submission */
                readonly submission_id?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page of invitations */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvitationPage"];
                };
            };
        };
    };
    readonly getInvitation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The invitation's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The invitation */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvitationResponse"];
                };
            };
        };
    };
    readonly resendInvitation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The invitation's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The invitation; its email is queued again */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvitationResponse"];
                };
            };
        };
    };
    readonly correctInvitation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The invitation's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CorrectInvitation"];
            };
        };
        readonly responses: {
            /** @description The invitation with its new address; its email is queued */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvitationResponse"];
                };
            };
        };
    };
    readonly extendInvitation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The invitation's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ExtendInvitation"];
            };
        };
        readonly responses: {
            /** @description The invitation with its new deadline */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvitationResponse"];
                };
            };
        };
    };
    readonly cancelInvitation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The invitation's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The cancelled invitation */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvitationResponse"];
                };
            };
        };
    };
    readonly getSubmission: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The submission's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The submission with its evaluations and answers */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SubmissionDetailResponse"];
                };
            };
        };
    };
    readonly listSubmissions: {
        readonly parameters: {
            readonly query?: {
                /** @description Records on a page */
                readonly limit?: number;
                /** @description next_cursor of the previous page */
                readonly cursor?: string;
                /** @description Only submissions to this set */
                readonly interview_set_id?: string;
                /** @description Only submissions in this state */
                readonly status?: components["schemas"]["SubmissionStatus"];
                /** @description Only submissions with this decision; none: undecided ones */
                readonly decision?: "advance" | "hold" | "reject" | "none";
                /** @description Only submissions in this stage, by the `id` of `stage`; none: those without a stage */
                readonly stage?: string | "none";
                /** @description Only submissions with this tag, by the `id` of one of `tags` */
                readonly tag?: string;
                /** @description Only submissions of this candidate */
                readonly candidate_id?: string;
                /** @description Only submissions of the candidate with this ats_candidate_id */
                readonly ats_candidate_id?: string;
                /** @description Only submissions of candidates with this email address, also one from a CV, ignoring case */
                readonly email?: string;
                /** @description Only submissions with this external_id */
                readonly external_id?: string;
                /** @description Only submissions that changed at or after this time, such as 2030-01-31T18:00:00Z */
                readonly updated_since?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page of submissions */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SubmissionPage"];
                };
            };
        };
    };
    readonly getAnswerFile: {
        readonly parameters: {
            readonly query?: {
                /** @description The `attempt` of the answer; by default the last one with the recording or the file */
                readonly attempt?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description The submission's id */
                readonly id: string;
                /** @description The `question_id` of the answer */
                readonly question: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The uploaded file */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/pdf": string;
                    readonly "application/vnd.openxmlformats-officedocument.wordprocessingml.document": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    readonly "application/vnd.openxmlformats-officedocument.presentationml.presentation": string;
                    readonly "application/vnd.oasis.opendocument.text": string;
                    readonly "application/msword": string;
                    readonly "application/rtf": string;
                    readonly "application/vnd.oasis.opendocument.spreadsheet": string;
                    readonly "application/vnd.ms-excel": string;
                    readonly "application/vnd.oasis.opendocument.presentation": string;
                    readonly "application/vnd.ms-powerpoint": string;
                    readonly "image/png": string;
                    readonly "image/jpeg": string;
                    readonly "image/webp": string;
                    readonly "image/gif": string;
                    readonly "image/heic": string;
                    readonly "text/plain": string;
                    readonly "application/octet-stream": string;
                };
            };
        };
    };
    readonly getCv: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The submission's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The CV */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/pdf": string;
                    readonly "application/vnd.openxmlformats-officedocument.wordprocessingml.document": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    readonly "application/vnd.openxmlformats-officedocument.presentationml.presentation": string;
                    readonly "application/vnd.oasis.opendocument.text": string;
                    readonly "application/msword": string;
                    readonly "application/rtf": string;
                    readonly "application/vnd.oasis.opendocument.spreadsheet": string;
                    readonly "application/vnd.ms-excel": string;
                    readonly "application/vnd.oasis.opendocument.presentation": string;
                    readonly "application/vnd.ms-powerpoint": string;
                    readonly "image/png": string;
                    readonly "image/jpeg": string;
                    readonly "image/webp": string;
                    readonly "image/gif": string;
                    readonly "image/heic": string;
                    readonly "text/plain": string;
                    readonly "application/octet-stream": string;
                };
            };
        };
    };
    readonly decideSubmission: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The submission's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DecideSubmission"];
            };
        };
        readonly responses: {
            /** @description Where the submission stands now */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SubmissionStandingResponse"];
                };
            };
        };
    };
    readonly undoDecision: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The submission's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UndoDecision"];
            };
        };
        readonly responses: {
            /** @description Where the submission stands now */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SubmissionStandingResponse"];
                };
            };
        };
    };
    readonly moveSubmission: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The submission's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MoveSubmission"];
            };
        };
        readonly responses: {
            /** @description Where the submission stands now */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SubmissionStandingResponse"];
                };
            };
        };
    };
    readonly listComments: {
        readonly parameters: {
            readonly query?: {
                /** @description Records on a page */
                readonly limit?: number;
                /** @description next_cursor of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The submission's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page of comments */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SubmissionCommentPage"];
                };
            };
        };
    };
    readonly listStages: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description All stages, in their order, without archived ones */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HiringStagesResponse"];
                };
            };
        };
    };
    readonly listTags: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description All tags, by name */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TagsResponse"];
                };
            };
        };
    };
    readonly getRecording: {
        readonly parameters: {
            readonly query?: {
                /** @description The `attempt` of the answer; by default the last one with the recording or the file */
                readonly attempt?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description The submission's id */
                readonly id: string;
                /** @description The `question_id` of the answer */
                readonly question: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The recording */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "audio/webm": string;
                    readonly "video/webm": string;
                    readonly "audio/mp4": string;
                    readonly "video/mp4": string;
                    readonly "audio/ogg": string;
                    readonly "audio/mpeg": string;
                    readonly "audio/wav": string;
                    readonly "audio/quicktime": string;
                    readonly "video/quicktime": string;
                    readonly "application/octet-stream": string;
                };
            };
            /** @description The part of the recording that the header Range names; Content-Range says which, and ETag of which content */
            readonly 206: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "audio/webm": string;
                    readonly "video/webm": string;
                    readonly "audio/mp4": string;
                    readonly "video/mp4": string;
                    readonly "audio/ogg": string;
                    readonly "audio/mpeg": string;
                    readonly "audio/wav": string;
                    readonly "audio/quicktime": string;
                    readonly "video/quicktime": string;
                    readonly "application/octet-stream": string;
                };
            };
        };
    };
    readonly listCandidates: {
        readonly parameters: {
            readonly query?: {
                /** @description Records on a page */
                readonly limit?: number;
                /** @description next_cursor of the previous page */
                readonly cursor?: string;
                /** @description Only candidates of this candidate */
                readonly candidate_id?: string;
                /** @description Only candidates of the candidate with this ats_candidate_id */
                readonly ats_candidate_id?: string;
                /** @description Only candidates with this email address, also one from a CV or of a former invitation, ignoring case */
                readonly email?: string;
                /** @description Only candidates with a submission that has this external_id */
                readonly external_id?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page of candidates */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CandidatePage"];
                };
            };
        };
    };
    readonly getCandidate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The candidate's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The candidate, and how much is stored */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CandidateDetailResponse"];
                };
            };
        };
    };
    readonly exportCandidate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The candidate's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description All stored data of the candidate */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CandidateExportResponse"];
                };
            };
        };
    };
    readonly eraseCandidate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The candidate's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["EraseCandidate"];
            };
        };
        readonly responses: {
            /** @description The candidate's data is erased */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErasedCandidateResponse"];
                };
            };
        };
    };
    readonly listProjects: {
        readonly parameters: {
            readonly query?: {
                /** @description Records on a page */
                readonly limit?: number;
                /** @description next_cursor of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page of projects */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ProjectPage"];
                };
            };
        };
    };
    readonly createProject: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateProject"];
            };
        };
        readonly responses: {
            /** @description The new project */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ProjectResponse"];
                };
            };
        };
    };
    readonly getProject: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The project's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The project */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ProjectResponse"];
                };
            };
        };
    };
    readonly renameProject: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The project's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateProject"];
            };
        };
        readonly responses: {
            /** @description The project with its name */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ProjectResponse"];
                };
            };
        };
    };
    readonly listJobPosts: {
        readonly parameters: {
            readonly query?: {
                /** @description Records on a page */
                readonly limit?: number;
                /** @description next_cursor of the previous page */
                readonly cursor?: string;
                /** @description Only job posts of this project */
                readonly project_id?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page of job posts */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["JobPostPage"];
                };
            };
        };
    };
    readonly createJobPost: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateJobPost"];
            };
        };
        readonly responses: {
            /** @description The new job post, open */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["JobPostResponse"];
                };
            };
        };
    };
    readonly getJobPost: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The job post's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The job post */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["JobPostResponse"];
                };
            };
        };
    };
    readonly updateJobPost: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The job post's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateJobPost"];
            };
        };
        readonly responses: {
            /** @description The job post with its changes */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["JobPostResponse"];
                };
            };
        };
    };
    readonly listEvents: {
        readonly parameters: {
            readonly query?: {
                /** @description Records on a page */
                readonly limit?: number;
                /** @description next_cursor of the previous page */
                readonly cursor?: string;
                /** @description Instead of cursor: start with the first event whose timestamp is this time or later, such as 2030-01-31T18:00:00Z. Continue with next_cursor */
                readonly since?: string;
                /** @description Instead of cursor: `now` returns no events, only the next_cursor for later ones */
                readonly from?: "now";
                /** @description Only events of this type */
                readonly event_type?: "invitation.status.update" | "interview.status.update" | "interview.evaluation.update" | "submission.decision.update" | "submission.stage.update" | "submission.review";
                /** @description Only events about this submission */
                readonly submission_id?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Events after the cursor, oldest first; an empty list when there are none */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookEventPage"];
                };
            };
        };
    };
    readonly listWebhookEndpoints: {
        readonly parameters: {
            readonly query?: {
                /** @description Records on a page */
                readonly limit?: number;
                /** @description next_cursor of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page of endpoints */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookEndpointPage"];
                };
            };
        };
    };
    readonly createWebhookEndpoint: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateWebhookEndpoint"];
            };
        };
        readonly responses: {
            /** @description The endpoint and its secret */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookEndpointWithSecretResponse"];
                };
            };
        };
    };
    readonly getWebhookEndpoint: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The endpoint's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The endpoint */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookEndpointResponse"];
                };
            };
        };
    };
    readonly deleteWebhookEndpoint: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The endpoint's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The endpoint is deleted */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DeletedWebhookEndpointResponse"];
                };
            };
        };
    };
    readonly updateWebhookEndpoint: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The endpoint's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateWebhookEndpoint"];
            };
        };
        readonly responses: {
            /** @description The endpoint with its changes */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookEndpointResponse"];
                };
            };
        };
    };
    readonly rotateWebhookSecret: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The endpoint's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["RotateWebhookSecret"];
            };
        };
        readonly responses: {
            /** @description The endpoint and its new secret */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookEndpointWithSecretResponse"];
                };
            };
        };
    };
    readonly testWebhookEndpoint: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The endpoint's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["TestWebhookEndpoint"];
            };
        };
        readonly responses: {
            /** @description The event that was sent, and the receiver's response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookTestResponse"];
                };
            };
        };
    };
    readonly listWebhookDeliveries: {
        readonly parameters: {
            readonly query?: {
                /** @description Records on a page */
                readonly limit?: number;
                /** @description next_cursor of the previous page */
                readonly cursor?: string;
                /** @description Only deliveries in this state */
                readonly state?: "queued" | "parked" | "delivered" | "failed";
            };
            readonly header?: never;
            readonly path: {
                /** @description The endpoint's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page of deliveries */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
        };
    };
    readonly resendWebhookDelivery: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The endpoint's id */
                readonly id: string;
                /** @description The delivery's number */
                readonly delivery: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The new delivery */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookDeliveryResponse"];
                };
            };
        };
    };
    readonly resendFailedWebhookDeliveries: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The endpoint's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ResendFailedDeliveries"];
            };
        };
        readonly responses: {
            /** @description The number of deliveries that are sent again */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ResentFailedDeliveriesResponse"];
                };
            };
        };
    };
    readonly listRequests: {
        readonly parameters: {
            readonly query?: {
                /** @description Records on a page */
                readonly limit?: number;
                /** @description next_cursor of the previous page */
                readonly cursor?: string;
                /** @description Only requests with this API key */
                readonly api_key_id?: string;
                /** @description Only responses of this class; `failed`: 4xx and 5xx */
                readonly status?: "2xx" | "4xx" | "5xx" | "failed";
                /** @description Only requests to this operation, by its operationId, such as inviteCandidates */
                readonly operation?: string;
                /** @description Only requests that failed with this `code`, such as validation_failed */
                readonly problem?: string;
                /** @description Only requests that began at this time or later, such as 2030-01-31T18:00:00Z */
                readonly since?: string;
                /** @description Only requests that began before this time */
                readonly until?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page of requests */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LoggedRequestPage"];
                };
            };
        };
    };
    readonly getRequest: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The `X-Request-Id` of the response */
                readonly request_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The request; of several with this id, the newest */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LoggedRequestResponse"];
                };
            };
        };
    };
    readonly listWebhookRehearsals: {
        readonly parameters: {
            readonly query?: {
                /** @description Records on a page */
                readonly limit?: number;
                /** @description next_cursor of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The endpoint's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page of rehearsals */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookRehearsalPage"];
                };
            };
        };
    };
    readonly rehearseWebhookEndpoint: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The endpoint's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The rehearsal, which has begun */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookRehearsalResponse"];
                };
            };
        };
    };
    readonly getWebhookRehearsal: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The endpoint's id */
                readonly id: string;
                /** @description The rehearsal's id */
                readonly rehearsal: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The rehearsal with its steps */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookRehearsalResponse"];
                };
            };
        };
    };
    readonly listSuppressions: {
        readonly parameters: {
            readonly query?: {
                /** @description Records on a page */
                readonly limit?: number;
                /** @description next_cursor of the previous page */
                readonly cursor?: string;
                /** @description Only this address, also after the erasure of its candidate, ignoring case */
                readonly email?: string;
                /** @description Only addresses with this reason */
                readonly reason?: "spam" | "unsubscribed" | "manual";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page of suppressed addresses */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SuppressionPage"];
                };
            };
        };
    };
    readonly suppressAddress: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SuppressAddress"];
            };
        };
        readonly responses: {
            /** @description The suppressed address */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SuppressionResponse"];
                };
            };
        };
    };
    readonly releaseSuppression: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The suppression's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The address gets emails again */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ReleasedSuppressionResponse"];
                };
            };
        };
    };
    readonly listMembers: {
        readonly parameters: {
            readonly query?: {
                /** @description Records on a page */
                readonly limit?: number;
                /** @description next_cursor of the previous page */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page of members */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MemberPage"];
                };
            };
        };
    };
    readonly getMember: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The member's id */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The member */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MemberResponse"];
                };
            };
        };
    };
    readonly completeTestInterview: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the candidate's invitation */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["CompleteTestInterview"];
            };
        };
        readonly responses: {
            /** @description The invitation; the answers are submitted and wait for the evaluation */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvitationResponse"];
                };
            };
        };
    };
    readonly openTestInvitation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the candidate's invitation */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The invitation, whose link was followed */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvitationResponse"];
                };
            };
        };
    };
    readonly declineTestInterview: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the candidate's invitation */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["DeclineTestInterview"];
            };
        };
        readonly responses: {
            /** @description The invitation, whose candidate has declined */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvitationResponse"];
                };
            };
        };
    };
    readonly expireTestInvitation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the candidate's invitation */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The invitation, which has expired */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvitationResponse"];
                };
            };
        };
    };
    readonly bounceTestInvitation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the candidate's invitation */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The invitation, whose email came back */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvitationResponse"];
                };
            };
        };
    };
    readonly complainAboutTestInvitation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the candidate's invitation */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The invitation, whose email was marked as spam */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvitationResponse"];
                };
            };
        };
    };
    readonly emptyTestMode: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Whether all data is deleted */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EmptiedTestModeResponse"];
                };
            };
        };
    };
    readonly getAccount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The organization and the key */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AccountResponse"];
                };
            };
        };
    };
}

/** `hasKey`: it takes an Idempotency-Key. `isFile`: a success is a file instead of JSON. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly hasKey?: boolean
  readonly isFile?: boolean
}

/** The method and path of each operation. */
export const routes = {
  createInterviewSet: { method: "POST", path: "/company/integration/interview/set/v1", hasKey: true },
  listInterviewSets: { method: "GET", path: "/company/integration/hiring/interview-sets/v1" },
  getInterviewSet: { method: "GET", path: "/company/integration/hiring/interview-sets/v1/{id}" },
  updateInterviewSet: { method: "PATCH", path: "/company/integration/hiring/interview-sets/v1/{id}" },
  archiveInterviewSet: { method: "POST", path: "/company/integration/hiring/interview-sets/v1/{id}/archive", hasKey: true },
  unarchiveInterviewSet: { method: "POST", path: "/company/integration/hiring/interview-sets/v1/{id}/unarchive", hasKey: true },
  inviteCandidates: { method: "POST", path: "/company/integration/interview/candidate/invite/v1", hasKey: true },
  listInvitations: { method: "GET", path: "/company/integration/hiring/invitations/v1" },
  getInvitation: { method: "GET", path: "/company/integration/hiring/invitations/v1/{id}" },
  resendInvitation: { method: "POST", path: "/company/integration/hiring/invitations/v1/{id}/resend", hasKey: true },
  correctInvitation: { method: "POST", path: "/company/integration/hiring/invitations/v1/{id}/correct", hasKey: true },
  extendInvitation: { method: "POST", path: "/company/integration/hiring/invitations/v1/{id}/extend", hasKey: true },
  cancelInvitation: { method: "POST", path: "/company/integration/hiring/invitations/v1/{id}/cancel", hasKey: true },
  getSubmission: { method: "GET", path: "/company/integration/hiring/submissions/{id}/detail/v1" },
  listSubmissions: { method: "GET", path: "/company/integration/hiring/submissions/v1" },
  getAnswerFile: { method: "GET", path: "/company/integration/hiring/submissions/{id}/answers/{question}/file/v1", isFile: true },
  getCv: { method: "GET", path: "/company/integration/hiring/submissions/{id}/cv/v1", isFile: true },
  decideSubmission: { method: "POST", path: "/company/integration/hiring/submissions/{id}/decision/v1", hasKey: true },
  undoDecision: { method: "POST", path: "/company/integration/hiring/submissions/{id}/decision/undo/v1", hasKey: true },
  moveSubmission: { method: "POST", path: "/company/integration/hiring/submissions/{id}/stage/v1", hasKey: true },
  listComments: { method: "GET", path: "/company/integration/hiring/submissions/{id}/comments/v1" },
  listStages: { method: "GET", path: "/company/integration/hiring/stages/v1" },
  listTags: { method: "GET", path: "/company/integration/hiring/tags/v1" },
  getRecording: { method: "GET", path: "/company/integration/hiring/submissions/{id}/answers/{question}/recording/v1", isFile: true },
  listCandidates: { method: "GET", path: "/company/integration/hiring/candidates/v1" },
  getCandidate: { method: "GET", path: "/company/integration/hiring/candidates/v1/{id}" },
  exportCandidate: { method: "GET", path: "/company/integration/hiring/candidates/v1/{id}/export" },
  eraseCandidate: { method: "POST", path: "/company/integration/hiring/candidates/v1/{id}/erase" },
  listProjects: { method: "GET", path: "/company/integration/hiring/projects/v1" },
  createProject: { method: "POST", path: "/company/integration/hiring/projects/v1", hasKey: true },
  getProject: { method: "GET", path: "/company/integration/hiring/projects/v1/{id}" },
  renameProject: { method: "PATCH", path: "/company/integration/hiring/projects/v1/{id}" },
  listJobPosts: { method: "GET", path: "/company/integration/hiring/job-posts/v1" },
  createJobPost: { method: "POST", path: "/company/integration/hiring/job-posts/v1", hasKey: true },
  getJobPost: { method: "GET", path: "/company/integration/hiring/job-posts/v1/{id}" },
  updateJobPost: { method: "PATCH", path: "/company/integration/hiring/job-posts/v1/{id}" },
  listEvents: { method: "GET", path: "/company/integration/events/v1" },
  listWebhookEndpoints: { method: "GET", path: "/company/integration/webhooks/v1" },
  createWebhookEndpoint: { method: "POST", path: "/company/integration/webhooks/v1", hasKey: true },
  getWebhookEndpoint: { method: "GET", path: "/company/integration/webhooks/v1/{id}" },
  updateWebhookEndpoint: { method: "PATCH", path: "/company/integration/webhooks/v1/{id}" },
  deleteWebhookEndpoint: { method: "DELETE", path: "/company/integration/webhooks/v1/{id}" },
  rotateWebhookSecret: { method: "POST", path: "/company/integration/webhooks/v1/{id}/rotate-secret", hasKey: true },
  testWebhookEndpoint: { method: "POST", path: "/company/integration/webhooks/v1/{id}/test" },
  listWebhookDeliveries: { method: "GET", path: "/company/integration/webhooks/v1/{id}/deliveries" },
  resendWebhookDelivery: { method: "POST", path: "/company/integration/webhooks/v1/{id}/deliveries/{delivery}/resend", hasKey: true },
  resendFailedWebhookDeliveries: { method: "POST", path: "/company/integration/webhooks/v1/{id}/resend-failed", hasKey: true },
  listRequests: { method: "GET", path: "/company/integration/requests/v1" },
  getRequest: { method: "GET", path: "/company/integration/requests/v1/{request_id}" },
  rehearseWebhookEndpoint: { method: "POST", path: "/company/integration/webhooks/v1/{id}/rehearsals", hasKey: true },
  listWebhookRehearsals: { method: "GET", path: "/company/integration/webhooks/v1/{id}/rehearsals" },
  getWebhookRehearsal: { method: "GET", path: "/company/integration/webhooks/v1/{id}/rehearsals/{rehearsal}" },
  listSuppressions: { method: "GET", path: "/company/integration/suppressions/v1" },
  suppressAddress: { method: "POST", path: "/company/integration/suppressions/v1", hasKey: true },
  releaseSuppression: { method: "DELETE", path: "/company/integration/suppressions/v1/{id}" },
  listMembers: { method: "GET", path: "/company/integration/members/v1" },
  getMember: { method: "GET", path: "/company/integration/members/v1/{id}" },
  completeTestInterview: { method: "POST", path: "/company/integration/test/v1/invitations/{id}/complete", hasKey: true },
  openTestInvitation: { method: "POST", path: "/company/integration/test/v1/invitations/{id}/open", hasKey: true },
  declineTestInterview: { method: "POST", path: "/company/integration/test/v1/invitations/{id}/decline", hasKey: true },
  expireTestInvitation: { method: "POST", path: "/company/integration/test/v1/invitations/{id}/expire", hasKey: true },
  bounceTestInvitation: { method: "POST", path: "/company/integration/test/v1/invitations/{id}/bounce", hasKey: true },
  complainAboutTestInvitation: { method: "POST", path: "/company/integration/test/v1/invitations/{id}/complaint", hasKey: true },
  emptyTestMode: { method: "POST", path: "/company/integration/test/v1/empty", hasKey: true },
  getAccount: { method: "GET", path: "/company/integration/me/v1" },
} as const satisfies Readonly<Record<string, Route>>
