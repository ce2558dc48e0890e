/** CVs of the company's own document server come from its directory; whoever stands behind fetches the others. */
import { readFile, stat } from "node:fs/promises"
import { basename, join } from "node:path"
import { Effect, Layer } from "effect"
import { Cv } from "interview-invitations/domain"
import { CvFetcher, CvNotFetched } from "interview-invitations/port/CvFetcher"

const read = (file: string) =>
  Effect.tryPromise({
    try: async () => {
      if ((await stat(file)).size > Cv.maxCvBytes) throw new Error("too large")
      return new Uint8Array(await readFile(file))
    },
    catch: () => new CvNotFetched({ reason: "The document server has no such file", permanent: true }),
  })

export const layer = (host: string, directory: string): Layer.Layer<CvFetcher, never, CvFetcher> =>
  Layer.effect(
    CvFetcher,
    Effect.map(CvFetcher, (fetcher) =>
      CvFetcher.of({
        fetch: (link) => {
          const url = URL.parse(link)
          // the last part alone, as it stands there: no link leads out of the directory
          return url?.host === host ? read(join(directory, basename(url.pathname))) : fetcher.fetch(link)
        },
      }),
    ),
  )
