import { run } from "interview-invitations"
import * as WordCount from "./WordCount.ts"

run({ evaluator: WordCount.layer })
