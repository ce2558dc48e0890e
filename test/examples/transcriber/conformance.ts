import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { transcriberSuite } from "interview-invitations/testing/Transcriber"
import * as Subtitles from "./Subtitles.ts"

const directory = mkdtempSync(join(tmpdir(), "subtitles-"))
for (const language of ["de", "en", "es", "fr"]) {
  writeFileSync(
    join(directory, `${language}.vtt`),
    "WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nI ran\n\n00:00:01.500 --> 00:00:03.000\na billing system.\n",
  )
}
transcriberSuite("subtitles", Subtitles.layer(directory))
