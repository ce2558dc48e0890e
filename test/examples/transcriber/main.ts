import { run } from "interview-invitations"
import * as Subtitles from "./Subtitles.ts"

run({ transcriber: Subtitles.layer("subtitles") })
