/** The pages of members. */
import { Layer } from "effect"
import * as AccountPages from "./AccountPages.ts"
import * as ApiKeyPages from "./ApiKeyPages.ts"
import * as AuditPages from "./AuditPages.ts"
import * as DeliveryPages from "./DeliveryPages.ts"
import * as InvitationPages from "./InvitationPages.ts"
import * as InvitePages from "./InvitePages.ts"
import * as MemberPages from "./MemberPages.ts"
import * as OrganizationPages from "./OrganizationPages.ts"
import * as Passwords from "./Passwords.ts"
import * as PeoplePages from "./PeoplePages.ts"
import * as ProjectPages from "./ProjectPages.ts"
import * as ProviderSignIn from "./ProviderSignIn.ts"
import * as SetPages from "./SetPages.ts"
import * as SetPreview from "./SetPreview.ts"
import * as Setup from "./Setup.ts"
import * as SignIn from "./SignIn.ts"
import * as SubmissionList from "./SubmissionList.ts"
import * as SubmissionPages from "./SubmissionPages.ts"
import * as WebhookPages from "./WebhookPages.ts"
import * as WebhookTools from "./WebhookTools.ts"

export const layer = Layer.mergeAll(
  AccountPages.layer,
  ApiKeyPages.layer,
  AuditPages.layer,
  DeliveryPages.layer,
  InvitationPages.layer,
  InvitePages.layer,
  MemberPages.layer,
  OrganizationPages.layer,
  Passwords.layer,
  PeoplePages.layer,
  ProjectPages.layer,
  ProviderSignIn.layer,
  SetPages.layer,
  SetPreview.layer,
  Setup.layer,
  SignIn.layer,
  SubmissionList.layer,
  SubmissionPages.layer,
  WebhookPages.layer,
  WebhookTools.layer,
)
