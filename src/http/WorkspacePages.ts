/** The pages of members. */
import { Layer } from "effect"
import * as ApiKeyPages from "./ApiKeyPages.ts"
import * as DeliveryPages from "./DeliveryPages.ts"
import * as SignIn from "./SignIn.ts"
import * as SubmissionPages from "./SubmissionPages.ts"
import * as WebhookPages from "./WebhookPages.ts"
import * as WebhookTools from "./WebhookTools.ts"

export const layer = Layer.mergeAll(
  ApiKeyPages.layer,
  DeliveryPages.layer,
  SignIn.layer,
  SubmissionPages.layer,
  WebhookPages.layer,
  WebhookTools.layer,
)
