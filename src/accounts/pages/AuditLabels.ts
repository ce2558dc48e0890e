/** Words for the records and actions of the audit log. */
import type { AuditRow } from "../AuditLogRepository.ts"

export const recordTypes = [
  { type: "api_key", name: "API keys", one: "an API key" },
  { type: "webhook_endpoint", name: "Webhooks", one: "a webhook" },
  { type: "webhook_delivery", name: "Deliveries", one: "a delivery" },
  { type: "ats_connection", name: "Hiring systems", one: "a connection to a hiring system" },
  { type: "hiring_stage", name: "Hiring stages", one: "a hiring stage" },
  { type: "tag", name: "Tags", one: "a tag" },
  { type: "notice", name: "Candidates' notices", one: "a candidates' notice" },
  { type: "interview_set", name: "Interview sets", one: "an interview set" },
  { type: "invitation", name: "Invitations", one: "an invitation" },
  { type: "saved_view", name: "Shared views", one: "a shared view" },
  { type: "message_template", name: "Message templates", one: "a message template" },
  { type: "project", name: "Projects", one: "a project" },
  { type: "job_post", name: "Job posts", one: "a job post" },
  { type: "member", name: "Members", one: "a member" },
  { type: "organization", name: "Organization", one: "the organization" },
  { type: "evaluation", name: "Scores", one: "a score" },
  { type: "submission", name: "Submissions", one: "a submission" },
  { type: "candidate", name: "Personal data", one: "a candidate's data" },
  { type: "record", name: "Decision record", one: "the decision record" },
] as const

const actions: Readonly<Record<string, string>> = {
  "ats_connection.set_credentials": "replaced the credentials of a hiring system",
  "ats_connection.grant_access": "granted access to a hiring system",
  "ats_connection.send_failed": "sent failed reports to a hiring system again",
  "ats_connection.rotate_key": "replaced the key of a hiring system",
  "member.invite": "invited a member",
  "member.remove": "removed a member",
  "member.send_link": "sent a member a link to set a password",
  "member.link_identity": "signed in at the provider for the first time",
  "member.unlink_identity": "unlinked a member's account at the provider",
  "member.show_scores": "showed scores before their reviews",
  "member.set_password": "set their password",
  "member.set_second_factor": "set up a second factor",
  "member.add_passkey": "added a passkey",
  "member.remove_passkey": "removed a passkey",
  "member.remove_second_factor": "removed their second factor",
  "member.reset_second_factor": "removed the second factor of a member",
  "member.use_recovery_code": "signed in with a recovery code",
  "member.replace_recovery_codes": "made new recovery codes",
  "webhook_endpoint.enable": "activated a webhook",
  "webhook_endpoint.disable": "deactivated a webhook",
  "webhook_endpoint.deactivate": "deactivated a webhook",
  "webhook_endpoint.recover": "activated a webhook that works again",
  "webhook_endpoint.resume": "sent a webhook's paused deliveries",
  "webhook_endpoint.end_probes": "stopped trying a webhook",
  "webhook_endpoint.resend_failed": "sent failed deliveries of a webhook again",
  "webhook_endpoint.send_parked": "sent a webhook's paused deliveries",
  "webhook_delivery.resend": "sent a delivery again",
  "webhook_delivery.send_now": "sent a waiting delivery at once",
  "saved_view.share": "saved a view of submissions for all members",
  "interview_set.invite": "invited candidates",
  "interview_set.set_subjects": "changed the subjects of an interview set's invitations",
  "organization.set_recording_consent": "changed what candidates read before they record",
  "organization.make_impact_report": "made a report of impact ratios",
  "organization.begin_counterfactual_audit": "began a counterfactual audit",
  "organization.delete_counterfactual_audit": "deleted a counterfactual audit",
  "organization.set_voluntary_questions": "changed the voluntary questions for candidates",
  "organization.set_subjects": "changed the subjects of invitations",
  "organization.try_jobs": "tried jobs of a queue at once",
  "organization.cancel_jobs": "cancelled jobs of a queue",
  "organization.set_candidate_rights": "changed what candidates see of their result",
  "organization.set_retention": "changed how long data is kept",
  "organization.delete_old": "deleted data after its retention",
  "candidate.hold": "placed a legal hold on a candidate's data",
  "candidate.release_hold": "released the legal hold on a candidate's data",
  "interview_set.hold": "placed a legal hold on an interview set",
  "interview_set.release_hold": "released the legal hold on an interview set",
  "interview_set.adopt_trial": "adopted requirements that were tried",
  "interview_set.archive": "archived an interview set",
  "interview_set.unarchive": "unarchived an interview set",
  "invitation.resend": "sent an invitation again",
  "invitation.correct_address": "corrected the address of an invitation",
  "invitation.cancel": "cancelled an invitation",
  "invitation.extend": "gave a candidate more time",
  "webhook_endpoint.regenerate_secret": "created a new secret for a webhook",
  "webhook_endpoint.remove_old_secret": "ended the old secret of a webhook",
  "evaluation.override": "overrode a score, or removed an override",
  "submission.decide": "decided about a submission",
  "submission.move": "moved a candidate",
  "submission.tag": "tagged a candidate",
  "submission.untag": "removed a tag from a candidate",
  "submission.write": "wrote to a candidate about a decision",
  "submission.undo_letter": "undid an email to a candidate",
  "notice.withdraw": "withdrew a candidates' notice",
  "hiring_stage.archive": "archived a hiring stage",
  "hiring_stage.reorder": "changed the order of the hiring stages",
  "submission.assign": "asked a colleague to review a submission",
  "submission.unassign": "no longer asks a colleague to review a submission",
  "submission.comment": "commented on a submission",
  "submission.change_comment": "changed a comment on a submission",
  "submission.delete_comment": "deleted a comment on a submission",
  "submission.share": "shared a submission by a link",
  "submission.revoke_link": "revoked a link to a submission",
  "submission.read_shared": "opened a shared submission",
  "submission.read_shared_file": "opened a file of a shared submission",
  "submission.review": "sent a review of a submission",
  "submission.change_review": "changed a review of a submission",
  "submission.evaluate_again": "had a submission evaluated again",
  "submission.answer_accommodation": "answered what a candidate needs",
  "submission.request_person": "asked for a review by a person",
  "submission.candidate_remark": "sent a remark about the result",
  "submission.withdraw_person_request": "withdrew the request for a person",
  "submission.answer_person_request": "answered a candidate who asked for a person",
  "submission.retry_cv": "had a CV fetched again",
  "submission.replace_cv_link": "replaced the link to a CV",
  "candidate.erase": "erased a candidate's data",
  "candidate.export": "exported a candidate's data",
  "submission.export_record": "exported the record of a candidate",
  "record.export": "exported the decision record",
  "record.rotate_key": "replaced the key of the decision record",
}

const verbs: Readonly<Record<string, string>> = { create: "created", update: "changed", delete: "deleted" }

export const actionText = ({ action, record_type }: Pick<AuditRow, "action" | "record_type">): string => {
  const known = actions[action]
  if (known !== undefined) return known
  const verb = verbs[action.split(".")[1] ?? ""]
  const one = recordTypes.find(({ type }) => type === record_type)?.one
  return verb === undefined || one === undefined ? action : `${verb} ${one}`
}

/** The records of which the log has `create`, `update` and `delete`. */
const changed: Readonly<Record<string, ReadonlyArray<string>>> = {
  api_key: ["create", "update", "delete"],
  webhook_endpoint: ["create", "update", "delete"],
  ats_connection: ["create", "update", "delete"],
  message_template: ["create", "update", "delete"],
  saved_view: ["delete"],
  hiring_stage: ["create", "update"],
  tag: ["create", "update", "delete"],
  notice: ["create", "update"],
  interview_set: ["create", "update"],
  project: ["create", "update"],
  job_post: ["create", "update"],
  member: ["create", "update"],
  organization: ["create", "update"],
}

/** Actions of a type of record, with their words. */
export const actionGroups = (type: string): ReadonlyArray<readonly [action: string, text: string]> =>
  [
    ...(changed[type] ?? []).map((verb) => `${type}.${verb}`),
    ...Object.keys(actions).filter((action) => action.startsWith(`${type}.`)),
  ].map((action) => [action, actionText({ action, record_type: type })] as const)

export const actionNames: ReadonlyArray<string> = recordTypes.flatMap(({ type }) =>
  actionGroups(type).map(([action]) => action),
)
