/** Limits the memory that request bodies take in this process. */
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Context, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { Overloaded } from "../../values/Problem.ts"
import { clientAddress } from "./ClientAddress.ts"

/** The memory account of one request's body. */
export interface BodyAccount {
  /** Counts bytes that are kept in memory. Dies with Overloaded when they exceed the budget. */
  readonly charge: (bytes: number) => Effect.Effect<void>
}

interface Service {
  /** Opens an account. It is released when the response is closed: answered, failed, interrupted or client disconnected. */
  readonly open: (request: HttpServerRequest.HttpServerRequest, isPublic: boolean) => BodyAccount
}

/** Unlimited until a server provides a budget (App.ts). */
export const BodyBudget = Context.Reference<Service>("interview-invitations/platform/http/BodyBudget", {
  defaultValue: () => ({ open: () => ({ charge: () => Effect.void }) }),
})

/** Seconds after which a client may retry: idle bodies are aborted by then. */
const retryAfter = 10

/** The minimum total in bytes, for a small MAX_BODY. */
const minTotal = 8 * 2 ** 20

/**
 * Makes the budget for bodies of at most `maxBody` bytes: 32 times `maxBody` for the process, at least `minTotal`, a quarter of
 * it for one client address, and a quarter of it for all forms without an account (`isPublic`). Bytes are counted when they arrive: a Content-Length without bytes takes no memory.
 */
export const make = (maxBody: number) =>
  Effect.sync((): Service => {
    const total = Math.max(minTotal, 32 * maxBody)
    const share = total / 4
    const byAddress = new Map<string, number>()
    let used = 0
    let usedPublic = 0
    return {
      open: (request, isPublic) => {
        const address = clientAddress(request)
        const response = NodeHttpServerRequest.toServerResponse(request)
        let own = 0
        const add = (bytes: number) => {
          const ofAddress = (byAddress.get(address) ?? 0) + bytes
          if (ofAddress > 0) byAddress.set(address, ofAddress)
          else byAddress.delete(address)
          own += bytes
          used += bytes
          if (isPublic) usedPublic += bytes
        }
        if (!response.closed) response.once("close", () => add(-own))
        return {
          charge: (bytes) =>
            Effect.suspend(() => {
              if (response.closed) return Effect.void
              const fits =
                used + bytes <= total &&
                (byAddress.get(address) ?? 0) + bytes <= share &&
                (!isPublic || usedPublic + bytes <= share)
              return fits
                ? Effect.sync(() => add(bytes))
                : Effect.die(new Overloaded({ reason: "too many request bodies are arriving at once", retryAfter }))
            }),
        }
      },
    }
  })
