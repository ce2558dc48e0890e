/** Types of the parts of s3rver that the tests use; the package has none. */
declare module "@20minutes/s3rver" {
  import type { RequestListener } from "node:http"

  export default class S3rver {
    constructor(options: {
      readonly directory: string
      readonly silent: boolean
      readonly vhostBuckets: boolean
      readonly configureBuckets: ReadonlyArray<{ readonly name: string }>
    })
    readonly store: {
      initiateUpload: (bucket: string, key: string, upload: string, headers: object) => Promise<void>
      putObjectMultipart: (bucket: string, upload: string, parts: ReadonlyArray<object>) => Promise<object>
      listObjects: (
        bucket: string,
        options: { readonly maxKeys: number },
      ) => Promise<{ readonly objects: ReadonlyArray<{ readonly key: string; readonly metadata: object }> }>
    }
    configureBuckets(): Promise<unknown>
    callback(): RequestListener
  }
}
