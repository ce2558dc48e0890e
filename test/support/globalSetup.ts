/**
 * Creates a template database on the server of DATABASE_URL, else on a temporary embedded one. Copying it takes a test about
 * 30 ms.
 */
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import type { TestProject } from "vitest/node"
import { embeddedPostgres } from "../../src/dev/EmbeddedPostgres.ts"
import { migrate } from "../../src/migrate.ts"
import { atDatabase, execute } from "./databases.ts"

declare module "vitest" {
  interface ProvidedContext {
    readonly postgres: { readonly url: string; readonly template: string }
  }
}

export default async function setup(project: TestProject) {
  const scope = Scope.makeUnsafe()
  const template = `interview_template_${process.pid}`
  const run = Effect.gen(function* () {
    const given = process.env["DATABASE_URL"]
    const url =
      given === undefined
        ? Redacted.value(
            yield* embeddedPostgres({
              dataDir: yield* Effect.promise(() => mkdtemp(join(tmpdir(), "interview-test-"))),
              database: "postgres",
              temporary: true,
            }),
          )
        : given
    yield* execute(url, `create database ${template}`)
    yield* Effect.addFinalizer(() => Effect.ignore(execute(url, `drop database if exists ${template} with (force)`)))
    yield* migrate({ url: Redacted.make(atDatabase(url, template)) })
    project.provide("postgres", { url, template })
  })
  await Effect.runPromise(run.pipe(Effect.provide(Layer.mergeAll(NodeServices.layer)), Scope.provide(scope)))
  return () => Effect.runPromise(Scope.close(scope, Exit.void))
}
