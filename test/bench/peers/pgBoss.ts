/** pg-boss with several workers, which fetch full batches without pauses and settle each job separately. */
import { PgBoss } from "pg-boss"
import type { Job } from "../deliveries/jobs.ts"
import { measured } from "../deliveries/measured.ts"
import { poster } from "./post.ts"

const queue = "deliver"
const localConcurrency = 5
const batchSize = 50
const post = poster(localConcurrency * batchSize)

const boss = new PgBoss({ connectionString: process.env["DATABASE_URL"] ?? "", schedule: false })
boss.on("error", (error) => process.stderr.write(`${error}\n`))
await boss.start()

measured(async () => {
  const options = { localConcurrency, batchSize, burstWhenBatchFull: true, perJobResults: true } as const
  await boss.work<Job>(queue, options, (jobs) =>
    Promise.all(
      jobs.map(({ data, id }) =>
        post(data).then(
          () => ({ id, status: "completed" as const }),
          (error) => ({ id, status: "failed" as const, output: String(error) }),
        ),
      ),
    ),
  )
  return () => boss.offWork(queue)
})
