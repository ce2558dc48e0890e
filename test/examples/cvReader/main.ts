import { Layer } from "effect"
import { ours, run } from "interview-invitations"
import * as Markdown from "./Markdown.ts"

run({ cvReader: Markdown.layer.pipe(Layer.provide(ours.cvReader)) })
