/** Whether a provider, such as the mail server, refuses this pod's requests for reasons that only the operator can correct. */
import { Context, Effect, Layer } from "effect"

export class ProviderStanding extends Context.Service<ProviderStanding>()(
  "interview-invitations/platform/queue/ProviderStanding",
  {
    make: Effect.sync(() => {
      let current: string | undefined
      return {
        /** Undefined: it accepted the last job. */
        set: (refusal: string | undefined) => {
          current = refusal
        },
        refusal: () => current,
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
