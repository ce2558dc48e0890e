/** Simulates a process at its limit of concurrent password checks. */
import { Effect } from "effect"
import { maxHashing, maxWaiting, Passwords } from "../../src/accounts/sign-in/Passwords.ts"

/** Runs an effect while all slots for hashing and waiting are taken. */
export const withoutPasswords = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { admit } = yield* Passwords
    const occupy = Effect.forkScoped(admit(Effect.never), { startImmediately: true })
    yield* Effect.replicateEffect(occupy, maxHashing + maxWaiting)
    return yield* effect
  }).pipe(Effect.scoped)
