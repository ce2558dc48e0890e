/** What the operator should know about the size of stored files. Set by a periodic step of workers, shown by /health/ready. */
import { Context, Effect, Layer } from "effect"

export class StorageStanding extends Context.Service<StorageStanding>()(
  "interview-invitations/platform/telemetry/StorageStanding",
  {
    make: Effect.sync(() => {
      let current: string | undefined
      return {
        /** Undefined: nothing. */
        set: (warning: string | undefined) => {
          current = warning
        },
        warning: () => current,
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
