/** Why a CV cannot be read, and the sentence about it in `candidate_entry_error_message`. */
import { Schema } from "effect"
import { maxCvPages, maxPicturePixels } from "./Cv.ts"

export const unreadableCvs = {
  empty: "The file is empty. Send a link to the CV itself.",
  unsupported: "This file type is not supported. Send a PDF, DOCX, DOC, ODT, RTF, HTML, plain text, PNG or JPEG file.",
  sign_in: "The link leads to a page that asks to sign in. Send a link to the file that needs no sign-in.",
  web_page:
    "The link leads to a web page around the file, not to the file: a viewer, an application or an error page. Send a link that downloads the file.",
  picture: "The file is a picture of a type from which text is not read. Send a PDF or DOCX with text.",
  ocr_off:
    "The file is a picture, and recognizing the text of pictures is switched off here. Send a PDF or DOCX with text.",
  picture_too_large: `The picture has more than ${maxPicturePixels / 1_000_000} million pixels. Send a smaller one, or a PDF or DOCX with text.`,
  old_word: "The file is a Word document from before 1997. Save it as DOCX or PDF and send that.",
  encrypted: "The file is protected by a password. Send a file without one.",
  no_text: "The file has no visible text, or is a scan from which no text could be read. Send a PDF or DOCX with text.",
  too_many_pages: `The file has more than ${maxCvPages} pages. Send the CV alone.`,
  too_large: "The file is too large when unpacked. Save the CV again without pictures and send that.",
  too_complex:
    "The file takes too much time or memory to read. Save the CV again as a plain PDF or DOCX and send that.",
  damaged: "The file is damaged or incomplete. Save the CV again, check that it opens, and send that.",
} as const

export const UnreadableCv = Schema.Literals(Object.keys(unreadableCvs) as ReadonlyArray<keyof typeof unreadableCvs>)
export type UnreadableCv = typeof UnreadableCv.Type
