import { embedderSuite } from "interview-invitations/testing/Embedder"
import * as LetterRuns from "./LetterRuns.ts"

embedderSuite("letter runs", LetterRuns.layer)
