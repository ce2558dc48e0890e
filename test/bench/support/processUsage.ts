/** CPU time and memory of processes on this machine, with their children. From /proc: Linux only. */
import { readdir, readFile } from "node:fs/promises"
import { Effect } from "effect"

/** Clock ticks a second in /proc (USER_HZ); 100 on every architecture that Node supports. */
const ticksPerSecond = 100

/** Bytes of a page of memory on every machine of the benches. */
const pageBytes = 4_096

/** The fields of /proc/<pid>/stat after the process name, which may contain spaces. */
const statOf = async (pid: string) => {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
  const [, , ppid, ...fields] = text.slice(text.lastIndexOf(")")).split(" ")
  const [user = 0, system = 0, exitedUser = 0, exitedSystem = 0] = fields.slice(9).map(Number)
  return { ppid, own: user + system, exited: exitedUser + exitedSystem, pages: Number(fields[19] ?? 0) }
}

/** Of a process and its children. `cpuMillis`: also of children that have exited. `megabytes`: resident now. */
export const usageOf = (pid: number | string) =>
  Effect.promise(async () => {
    const pids = (await readdir("/proc")).filter((entry) => /^\d+$/.test(entry))
    const children = (await Promise.all(pids.map(statOf))).filter(({ ppid }) => ppid === String(pid))
    const { exited, own, pages } = await statOf(String(pid))
    return {
      cpuMillis: ((own + exited + children.reduce((sum, child) => sum + child.own, 0)) * 1000) / ticksPerSecond,
      megabytes: ((pages + children.reduce((sum, child) => sum + child.pages, 0)) * pageBytes) / 1e6,
    }
  })

/** The effect's result, and the most megabytes that each process had while it ran. */
export const watched = Effect.fnUntraced(function* <A, E, R>(
  pids: ReadonlyArray<number>,
  effect: Effect.Effect<A, E, R>,
) {
  const peaks = pids.map(() => 0)
  const sample = Effect.forEach(pids, (pid, i) =>
    Effect.map(usageOf(pid), ({ megabytes }) => {
      peaks[i] = Math.max(peaks[i] ?? 0, megabytes)
    }),
  )
  yield* sample.pipe(Effect.andThen(Effect.sleep("200 millis")), Effect.forever, Effect.forkScoped)
  return { result: yield* effect, peaks }
}, Effect.scoped)
