/** Finds a Python that has the modules of docs/quickstart. */
import { spawnSync } from "node:child_process"

/** Debian's modules belong to /usr/bin/python3, which need not be the first in PATH. */
export const python = ["python3", "/usr/bin/python3"].find(
  (path) => spawnSync(path, ["-c", "import requests, httpx"]).status === 0,
)

/** Why the programs in Python are skipped; undefined when they run. */
export const missing =
  python === undefined
    ? "Python 3 with requests and httpx is not installed; on Debian: apt-get install python3-requests python3-httpx"
    : undefined

if (missing !== undefined && (process.env["CI"] || process.env["REQUIRE_PYTHON"])) throw new Error(missing)
