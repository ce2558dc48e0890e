/** Which routes there are, as the router is told of them: one that is added tomorrow is known tomorrow. */
import { Context, Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"

export interface Route {
  readonly method: string
  /** As it was added: parameters as `:name`. */
  readonly path: string
}

/** The routes that were added to the recorded layers. */
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
        // what takes the paths that nobody else does is no path
        if (path !== "*") all.push({ method, path })
        return router.add(method, path, handler, options)
      },
    })
  }),
)

/** Notes the routes of a layer while they are added. */
export const recorded = <A, E, R>(routes: Layer.Layer<A, E, R>) => Layer.provide(routes, recorder)
