/** Counts and limits of the bench. */

/** Candidates who record at once, alternately on the two pods. */
export const crowd = { candidates: 50, seconds: 60 }

/** Recordings that one candidate sends one after the other, as fast as the pod takes them. */
export const long = { recordings: 2, seconds: 600 }

/** A browser sends a piece so often (recorder.js), in seconds. */
export const pieceSeconds = 4

/** What the script asks browsers to record (recorder.js), in bits a second. */
export const rates = { audio: 40_000, video: 600_000 }

/** Requests of a hiring system for a submission, meanwhile and before. */
export const reads = { perSecond: 20, seconds: 60 }

/** Milliseconds of a request, megabytes of a pod above its own, seconds until all transcripts are there. */
export const limits = { p99: 100, megabytes: 300, seconds: 30 }
