/** The command line of a Node process with kernel limits. */
import { existsSync } from "node:fs"

export interface KernelLimits {
  readonly cpuSeconds: number
  /** Writable memory (RLIMIT_DATA, Linux 4.7 or newer); unlimited by default. */
  readonly dataMegabytes?: number
}

/** Without it (Windows, images with only Node) there are no limits. */
const shell = "/bin/sh"
const hasShell = existsSync(shell)

/**
 * The shell raises the OOM score, so that the kernel kills this process first, then executes Node in its place.
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
