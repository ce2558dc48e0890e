import { Layer } from "effect"
import { defaults, run } from "interview-invitations"
import * as Markdown from "./Markdown.ts"

run({ cvReader: Markdown.layer.pipe(Layer.provide(defaults.cvReader)) })
