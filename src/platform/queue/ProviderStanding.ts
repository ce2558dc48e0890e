/** Whether a provider, such as the mail server, refuses this pod's requests for reasons that only the operator can correct. */
import { Context, Layer } from "effect"

export class ProviderStanding extends Context.Service<
  ProviderStanding,
  {
    /** Undefined: it accepted the last job. */
    readonly set: (refusal: string | undefined) => void
    readonly refusal: () => string | undefined
  }
>()("interview-invitations/platform/queue/ProviderStanding") {
  static readonly layer = Layer.sync(ProviderStanding, () => {
    let current: string | undefined
    return ProviderStanding.of({
      set: (refusal) => {
        current = refusal
      },
      refusal: () => current,
    })
  })
}
