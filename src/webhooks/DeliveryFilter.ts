/** Which deliveries a query asks for. */
import { Option, Schema } from "effect"
import type { WorkspaceRequest } from "../accounts/Workspace.ts"
import { DeliveryId } from "../values/Ids.ts"
import { DeliveryState } from "./Delivery.ts"
import type { DeliveryFilter } from "./DeliveryRepository.ts"
import type { Filter } from "./pages/EndpointPage.ts"
import { eventOf } from "./pages/EventWords.ts"

const readState = Schema.decodeUnknownOption(DeliveryState)
const readId = Schema.decodeUnknownOption(DeliveryId)

/** What a field for a day and a time holds, in UTC; undefined: nothing that there is. */
const momentOf = (text: string | undefined): Date | undefined => {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text)) return undefined
  const at = new Date(`${text}Z`)
  return Number.isNaN(at.getTime()) ? undefined : at
}

const fieldOf = (at: Date | undefined): string => at?.toISOString().slice(0, 16) ?? ""

/** What is asked of the database, and what the form shows; what can not be read is left out. */
export const filterOf = ({ query }: WorkspaceRequest): { readonly asked: DeliveryFilter; readonly filter: Filter } => {
  const state = Option.getOrUndefined(readState(query("state")))
  const name = query("event") ?? ""
  const event = eventOf(name)
  const since = momentOf(query("from"))
  const until = momentOf(query("to"))
  const before = Option.getOrUndefined(readId(query("before")))
  return {
    asked: { state, event_type: event?.type, event_status: event?.status, since, until, before },
    filter: {
      state: state ?? "",
      event: event === undefined ? "" : name,
      from: fieldOf(since),
      to: fieldOf(until),
      before: before ?? "",
    },
  }
}
