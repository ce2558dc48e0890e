/**
 * Sends recordings in pieces. The device keeps a piece until the service has it, so that a lost network, a reload or a closed
 * lid loses nothing.
 */
import { find, running } from "./page.js"

/** After the interview; null: it is running, or the page is another one. */
const closed = running ? null : find("[data-forget]")
const home = running?.dataset.home ?? closed?.dataset.state.replace(/\/state$/, "")
const base = home && `${home}/recordings`
/** Whether this page ends the recording that the device keeps. */
const isOwn = ({ draft }) =>
  running ? draft === running.dataset.draft : closed !== null && draft.startsWith(`${closed.dataset.forget}.`)
/** Milliseconds; the service takes no pieces of a recording for so long. */
const maxAge = 86_400_000
/** Bytes (recordings/Recording.ts, `maxPieceBytes`). */
const maxPiece = 1024 * 1024

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

const open = async () => {
  const request = indexedDB.open("interview", 1)
  request.onupgradeneeded = () => {
    request.result.createObjectStore("recordings", { keyPath: "id" })
    request.result.createObjectStore("pieces", { keyPath: ["recording", "ordinal"] })
  }
  return done(request)
}

/** Undefined: the browser stores nothing for this page; pieces are then in memory only. */
let database
const inMemory = { recordings: new Map(), pieces: new Map() }
const keyOf = (value) => JSON.stringify(value.id ?? [value.recording, value.ordinal])

const store = async (name, mode = "readwrite") => {
  database ??= open().catch(() => undefined)
  return (await database)?.transaction(name, mode).objectStore(name)
}
const put = async (name, value) => {
  inMemory[name].set(keyOf(value), value)
  await store(name)
    .then((found) => found && done(found.put(value)))
    .catch(() => {})
}
const remove = async (name, key) => {
  inMemory[name].delete(JSON.stringify(key))
  await store(name)
    .then((found) => found && done(found.delete(key)))
    .catch(() => {})
}
const all = async (name) => {
  const found = await store(name, "readonly")
    .then((stored) => stored && done(stored.getAll()))
    .catch(() => [])
  const byKey = new Map((found ?? []).map((value) => [keyOf(value), value]))
  for (const [key, value] of inMemory[name]) byKey.set(key, value)
  return [...byKey.values()]
}

const postRecording = (path, body, headers = {}) =>
  fetch(`${base}${path}`, { method: "POST", body, headers: { accept: "application/json", ...headers } })

/** Returns the new recording, or the response that refuses it. */
export const beginRecording = async (fields) => {
  const answer = await postRecording("", new URLSearchParams(fields))
  if (answer.status !== 201) return { refused: answer }
  const { id } = await answer.json()
  const recording = { id, question: fields.question, draft: running.dataset.draft, count: 0, at: Date.now() }
  await put("recordings", { ...recording })
  return recording
}

/** Keeps the content as pieces of the recording. Returns the number of pieces. */
export const keepPieces = async (recording, content) => {
  for (let at = 0; at < content.size; at += maxPiece) {
    const bytes = content.slice(at, at + maxPiece)
    await put("pieces", { recording: recording.id, ordinal: recording.count, bytes })
    recording.count += 1
    await put("recordings", { ...recording })
  }
  return recording.count
}

/** Ordinals by which the service refused a piece for good. */
const isFinal = (status) => status === 404 || status === 409 || status === 413 || status === 415

/** One sender for all recordings of the window. */
let lastSending
let onState = () => {}

/** `report`: gets "waiting" without a connection, else "sending", and the number of the recording's pieces to send. */
export const watchSending = (report) => {
  onState = report
}

const pause = (millis) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, millis)
    addEventListener(
      "online",
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })

const sendOne = async ({ bytes, ordinal, recording }, left) => {
  for (let failures = 0; ; failures++) {
    const answer = await postRecording(`/${recording}/pieces/${ordinal}`, bytes, {
      "content-type": "application/octet-stream",
    }).catch(() => undefined)
    if (answer?.ok) {
      onState("sending", left - 1)
      return true
    }
    if (answer !== undefined && isFinal(answer.status)) return false
    onState("waiting", left)
    await pause(Math.min(20_000, 1_000 * 2 ** failures))
  }
}

const sendPieces = async (recording) => {
  for (;;) {
    const left = (await all("pieces"))
      .filter((one) => one.recording === recording)
      .sort((one, other) => one.ordinal - other.ordinal)
    const [piece] = left
    if (piece === undefined) return true
    const isSent = await sendOne(piece, left.length)
    await remove("pieces", [piece.recording, piece.ordinal])
    if (!isSent) return false
  }
}

/** Sends what is kept of the recording, in order. Returns false when the service refused a piece. */
export const sendRecording = (recording) => {
  const next = (lastSending ?? Promise.resolve()).then(() => sendPieces(recording))
  lastSending = next.catch(() => {})
  return next
}

/** Forgets the recording on this device. */
const forgetRecording = async (id) => {
  for (const piece of await all("pieces"))
    if (piece.recording === id) await remove("pieces", [piece.recording, piece.ordinal])
  await remove("recordings", id)
}

/** Sends the rest and ends the recording. Returns whether it is the answer now. */
export const finishRecording = async ({ count, id }) => {
  if (!(await sendRecording(id)) || count === 0) {
    await forgetRecording(id)
    return false
  }
  for (let failures = 0; ; failures++) {
    const answer = await postRecording(`/${id}/end`, new URLSearchParams({ pieces: count })).catch(() => undefined)
    if (answer?.ok || (answer !== undefined && isFinal(answer.status))) {
      await forgetRecording(id)
      return answer.ok
    }
    onState("waiting", 0)
    await pause(Math.min(20_000, 1_000 * 2 ** failures))
  }
}

/** Runs the task while no other window has the recording; returns undefined if one has. */
export const exclusively = (id, task) =>
  navigator.locks === undefined
    ? task()
    : navigator.locks.request(`recording.${id}`, { ifAvailable: true }, (lock) => (lock ? task() : undefined))

/**
 * Ends the recordings that a reload, a closed lid or the end of the interview interrupted, so that nothing of them stays on
 * the device. Returns how many became answers. `onBegin` gets each one that this window ends.
 */
export const resumeRecordings = async (onBegin) => {
  if (!("indexedDB" in window)) return 0
  let ended = 0
  for (const recording of await all("recordings")) {
    if (!isOwn(recording)) {
      // another interview's, whose page ends it within a day
      if (!(Date.now() - recording.at < maxAge)) await exclusively(recording.id, () => forgetRecording(recording.id))
      continue
    }
    const end = () => {
      onBegin(recording)
      return finishRecording(recording)
    }
    if (await exclusively(recording.id, end)) ended += 1
  }
  return ended
}
