/** The version of the keyword evaluator. */

/** Stored with each evaluation. Increase it, also in docs/model-card.md, when the same text would be rated differently. */
export const version = "keyword/10"

/** `model`: of the embeddings; undefined: without them. */
export const versionWith = (model: string | undefined): string =>
  model === undefined ? version : `${version}+embeddings`
