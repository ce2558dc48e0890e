import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Shortest files first: after an edit, tests of single functions answer before those with a database. */
class ShortestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).reverse()
  }
}

export default defineConfig({
  // the nodes of integrations/n8n import it; it comes with n8n
  resolve: { alias: { "n8n-workflow": join(import.meta.dirname, "support/n8n/workflow.ts") } },
  test: {
    ...(process.argv.includes("watch") ? { sequence: { sequencer: ShortestFirst } } : {}),
    // 3 files, which wait for databases, keep 2 cores busy; test:system has 2, which also start processes and browsers
    maxWorkers: 3,
    // files share the modules of their worker: loading them for each file took 17 % of the time
    isolate: false,
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/support/setup.ts"],
    globalSetup: ["test/support/globalSetup.ts"],
    // no test measures time; the slowest takes 40 s here, and longer on a busy machine
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
