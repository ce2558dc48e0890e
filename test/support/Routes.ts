/** Records the routes that layers add to the router. */
import { Context, Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"

export interface Route {
  readonly method: string
  /** With parameters as `:name`. */
  readonly path: string
}

export class Routes extends Context.Service<Routes, { readonly all: Array<Route> }>()(
  "interview-invitations/test/Routes",
) {
  static readonly layer = Layer.sync(Routes, () => ({ all: [] }))
}

const recorder = Layer.effect(
  HttpRouter.HttpRouter,
  Effect.gen(function* () {
    const { all } = yield* Routes
    const router = yield* HttpRouter.HttpRouter
    return HttpRouter.HttpRouter.of({
      ...router,
      addAll: (routes) => {
        all.push(...routes.map(({ method, path }) => ({ method, path })))
        return router.addAll(routes)
      },
      add: (method, path, handler, options) => {
        // skips the fallback route
        if (path !== "*") all.push({ method, path })
        return router.add(method, path, handler, options)
      },
    })
  }),
)

export const recorded = <A, E, R>(routes: Layer.Layer<A, E, R>) => Layer.provide(routes, recorder)
