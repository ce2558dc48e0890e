import { evaluatorSuite } from "interview-invitations/testing/Evaluator"
import * as WordCount from "./WordCount.ts"

evaluatorSuite("word count", WordCount.layer, { deterministic: true })
