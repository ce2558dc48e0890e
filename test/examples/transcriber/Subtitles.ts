/** Reads the transcript of every recording from a file of subtitles, one for each language of an interview: for trials without a server. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import { Transcriber, TranscriberUnavailable } from "interview-invitations/port/Transcriber"

/** "00:01:02.500" in seconds. */
const secondsOf = (time: string): number => time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0)

const segmentsOf = (subtitles: string) =>
  [...subtitles.matchAll(/^([\d:.]+) --> ([\d:.]+)\n(.+)$/gm)].map(([, start = "", end = "", text = ""]) => ({
    start: secondsOf(start),
    end: secondsOf(end),
    text,
  }))

export const layer = (directory: string) =>
  Layer.succeed(Transcriber, {
    model: "subtitles 1",
    transcribe: ({ language }) => {
      const file = `${(language ?? "en").split("-")[0]}.vtt`
      return Effect.tryPromise({
        try: () => readFile(join(directory, file), "utf8"),
        catch: () => new TranscriberUnavailable({ reason: `there is no ${file}`, retryable: false }),
      }).pipe(Effect.map((subtitles) => ({ language, segments: segmentsOf(subtitles) })))
    },
  })
