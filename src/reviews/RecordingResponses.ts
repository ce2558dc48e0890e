/** Recordings and their captions, to members and guests. */
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { playback } from "../files/Playback.ts"
import { Recordings } from "../recordings/Recordings.ts"
import { captions } from "../recordings/Transcript.ts"
import type { SubmissionRecording } from "../submissions/SubmissionRepository.ts"
import type { OrganizationId } from "../values/Ids.ts"

export const makeRecordingResponses = Effect.map(Recordings, ({ contentOf }) => ({
  play: (
    request: HttpServerRequest.HttpServerRequest,
    organization: OrganizationId,
    recording: SubmissionRecording,
  ): HttpServerResponse.HttpServerResponse =>
    playback(request, {
      type: recording.content_type,
      size: recording.size,
      id: recording.blob_id ?? recording.id,
      content: (range) => contentOf(recording, organization, range),
    }),
  /** Without a transcript there are none. */
  captionsOf: ({ segments }: SubmissionRecording): HttpServerResponse.HttpServerResponse =>
    HttpServerResponse.text(captions(segments ?? []), {
      contentType: "text/vtt; charset=utf-8",
      headers: { "cache-control": "no-store" },
    }),
}))
