import { Layer } from "effect"
import { defaults } from "interview-invitations"
import { cvReaderSuite } from "interview-invitations/testing/CvReader"
import * as Markdown from "./Markdown.ts"

cvReaderSuite("Markdown around the default", Markdown.layer.pipe(Layer.provide(defaults.cvReader)))
