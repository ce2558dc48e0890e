/** Finds the process that listens on a port. Linux only (/proc), for processes of the same user. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { basename } from "node:path"

/** Returns [] when `read` fails: a process has ended, or belongs to another user. */
const readList = <A>(read: () => ReadonlyArray<A>): ReadonlyArray<A> => {
  try {
    return read()
  } catch {
    return []
  }
}

/** The listening sockets of a port, as named in /proc/<pid>/fd (proc_net(5)). */
const socketsOf = (port: number): ReadonlyArray<string> => {
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`
  return ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((file) =>
    readList(() => readFileSync(file, "utf8").split("\n")).flatMap((line) => {
      const [, address, , state, , , , , , inode] = line.trim().split(/\s+/)
      return state === "0A" && address?.endsWith(local) ? [`socket:[${inode}]`] : []
    }),
  )
}

/** "process 4711 (node)", or undefined when not found. */
export const holderOf = (port: number): string | undefined => {
  const sockets = socketsOf(port)
  if (sockets.length === 0) return undefined
  const pid = readList(() => readdirSync("/proc")).find(
    (entry) =>
      /^\d+$/.test(entry) &&
      readList(() => readdirSync(`/proc/${entry}/fd`)).some((fd) =>
        readList(() => [readlinkSync(`/proc/${entry}/fd/${fd}`)]).some((target) => sockets.includes(target)),
      ),
  )
  // not /proc/<pid>/comm, in which Node has "MainThread"
  const [name] = readList(() => [basename(readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[0] ?? "")])
  return pid === undefined ? undefined : `process ${pid} (${name})`
}
