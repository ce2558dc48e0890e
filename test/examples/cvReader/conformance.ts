import { Layer } from "effect"
import { defaults } from "interview-invitations"
import { cvReaderSuite } from "interview-invitations/testing/CvReader"
import * as Markdown from "./Markdown.ts"

cvReaderSuite("Markdown, and what ours reads", Markdown.layer.pipe(Layer.provide(defaults.cvReader)))
