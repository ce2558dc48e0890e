/** The pages of members. */
import { Layer } from "effect"
import * as ApiKeyPages from "./ApiKeyPages.ts"
import * as DeliveryPages from "./DeliveryPages.ts"
import * as InvitationPages from "./InvitationPages.ts"
import * as InvitePages from "./InvitePages.ts"
import * as ProjectPages from "./ProjectPages.ts"
import * as SetPages from "./SetPages.ts"
import * as SetPreview from "./SetPreview.ts"
import * as SignIn from "./SignIn.ts"
import * as SubmissionList from "./SubmissionList.ts"
import * as SubmissionPages from "./SubmissionPages.ts"
import * as WebhookPages from "./WebhookPages.ts"
import * as WebhookTools from "./WebhookTools.ts"

export const layer = Layer.mergeAll(
  ApiKeyPages.layer,
  DeliveryPages.layer,
  InvitationPages.layer,
  InvitePages.layer,
  ProjectPages.layer,
  SetPages.layer,
  SetPreview.layer,
  SignIn.layer,
  SubmissionList.layer,
  SubmissionPages.layer,
  WebhookPages.layer,
  WebhookTools.layer,
)
