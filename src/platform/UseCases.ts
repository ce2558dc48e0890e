/** Builds the methods of a service from use cases, which are top-level functions. */
import { Context, Effect, Stream } from "effect"

type Action<A, E, R> = Effect.Effect<A, E, R> | Stream.Stream<A, E, R>
type UseCase = Action<unknown, unknown, unknown> | ((...parameters: never) => Action<unknown, unknown, unknown>)
type UseCases = { readonly [name: string]: UseCase }

type Provided<A> =
  A extends Effect.Effect<infer B, infer E, infer _R>
    ? Effect.Effect<B, E>
    : A extends Stream.Stream<infer B, infer E, infer _R>
      ? Stream.Stream<B, E>
      : never

export type Methods<F extends UseCases> = {
  readonly [K in keyof F]: F[K] extends (...parameters: infer P) => infer A
    ? (...parameters: P) => Provided<A>
    : Provided<F[K]>
}

type Requirements<A> =
  A extends Action<infer _A, infer _E, infer R>
    ? R
    : A extends (...parameters: never) => infer B
      ? Requirements<B>
      : never

type Key = Context.Key<unknown, unknown>
type Identifiers<S extends ReadonlyArray<Key>> = Context.Service.Identifier<S[number]>

type Complete<F extends UseCases, S extends ReadonlyArray<Key>> = [Requirements<F[keyof F]>] extends [Identifiers<S>]
  ? unknown
  : { readonly missing: Exclude<Requirements<F[keyof F]>, Identifiers<S>> }

/**
 * Provides `services` to each call, and nothing else of the layer's context, such as its span. Adds only services that
 * the caller lacks: merging copies the caller's context, 7 µs for 90 services.
 */
export const methods = <const S extends ReadonlyArray<Key>, const F extends UseCases>(
  services: S,
  useCases: F & Complete<F, S>,
): Effect.Effect<Methods<F>, never, Identifiers<S>> =>
  Effect.map(Effect.context<Identifiers<S>>(), (context) => {
    const provided = services.map((key) => [key, Context.getUnsafe(context, key)] as const)
    const complete = (caller: Context.Context<unknown>): Context.Context<unknown> => {
      let completed = caller
      for (const [key, service] of provided) {
        if (Context.getOrUndefined(caller, key) !== service) completed = Context.add(completed, key, service)
      }
      return completed
    }
    const provide = (action: Action<unknown, unknown, unknown>) =>
      Effect.isEffect(action) ? Effect.updateContext(action, complete) : Stream.updateContext(action, complete)
    const method = (useCase: UseCase) =>
      typeof useCase === "function" && !Effect.isEffect(useCase)
        ? (...parameters: never) => provide(useCase(...parameters))
        : provide(useCase)
    return Object.fromEntries(Object.entries(useCases).map(([name, useCase]) => [name, method(useCase)])) as Methods<F>
  })
