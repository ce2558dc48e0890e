/** The command line of a Node process with limits that the kernel enforces. */
import { existsSync } from "node:fs"

export interface KernelLimits {
  /** CPU time of all threads of the process. */
  readonly cpuSeconds: number
  /** Writable memory (RLIMIT_DATA, Linux 4.7 or newer); unlimited by default. */
  readonly dataMegabytes?: number
}

/** Absent on Windows and in images that contain only Node. Without it, no kernel limits are set. */
const shell = "/bin/sh"
const hasShell = existsSync(shell)

/**
 * The command and arguments that run Node with `args`. A shell sets the resource limits and the OOM score, with which
 * the kernel kills this process first when memory runs out, and then executes Node in its place.
 */
export const limitedCommand = (
  { cpuSeconds, dataMegabytes }: KernelLimits,
  args: ReadonlyArray<string>,
): readonly [string, ...ReadonlyArray<string>] => {
  if (!hasShell) return [process.execPath, ...args]
  const data = dataMegabytes === undefined ? "" : `ulimit -d ${dataMegabytes * 1024}; `
  const limits = `ulimit -c 0; ulimit -t ${cpuSeconds}; ${data}echo 1000 >/proc/self/oom_score_adj`
  return [shell, "-c", `{ ${limits}; } 2>/dev/null; exec "$0" "$@"`, process.execPath, ...args]
}
