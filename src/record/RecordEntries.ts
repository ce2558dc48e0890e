/**
 * Notes evaluations, overrides and decisions for the record, in the transaction of the fact. RecordSealer.ts chains and signs
 * them soon after, so that no evaluation waits for the chain.
 */
import { Context, Effect, Layer } from "effect"
import { RecordRepository } from "./RecordRepository.ts"

export class RecordEntries extends Context.Service<RecordEntries>()("interview-invitations/record/RecordEntries", {
  make: Effect.map(RecordRepository, ({ add, addEvaluations }) => ({ add, addEvaluations })),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
