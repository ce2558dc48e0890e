import { run } from "interview-invitations"
import * as LetterRuns from "./LetterRuns.ts"

run({ embedder: LetterRuns.layer })
