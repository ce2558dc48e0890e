/** Removes Markdown's formatting from CVs that the wrapped CvReader read as plain text. */
import { Effect, Layer } from "effect"
import { CvReader } from "interview-invitations/port/CvReader"

const isMarkdown = (text: string) => /^#{1,6} /m.test(text)

const plain = (text: string) =>
  text
    .replace(/^#{1,6} +/gm, "")
    .replace(/^[*-] +/gm, "• ")
    .replace(/\*\*(.+?)\*\*/g, "$1")
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")

export const layer: Layer.Layer<CvReader, never, CvReader> = Layer.effect(
  CvReader,
  Effect.map(CvReader, (reader) =>
    CvReader.of({
      read: (file, languages) =>
        Effect.map(reader.read(file, languages), (cv) =>
          cv.type === "text/plain" && isMarkdown(cv.text) ? { ...cv, type: "text/markdown", text: plain(cv.text) } : cv,
        ),
    }),
  ),
)
