/** graphile-worker with the settings of its performance guide: a local queue and batched completions. */
import { run } from "graphile-worker"
import type { Job } from "../deliveries/jobs.ts"
import { measured } from "../deliveries/measured.ts"
import { poster } from "./post.ts"

const concurrentJobs = 24
const post = poster(concurrentJobs)

declare global {
  namespace GraphileWorker {
    interface Tasks {
      deliver: Job
    }
  }
}

measured(async () => {
  const runner = await run({
    preset: {
      worker: {
        connectionString: process.env["DATABASE_URL"] ?? "",
        concurrentJobs,
        maxPoolSize: concurrentJobs + 1,
        localQueue: { size: 500 },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
    taskList: { deliver: post },
  })
  return () => runner.stop()
})
