// What a message must be to be stored and acknowledged; whatever else is wrong with it is for its reader (FIS12 §3.1).
import { bodyFaultsOf, type MessageSchemas } from '#contract/network/judge.ts'
import * as shape from './schema.ts'

/** The shape of each action's `message`. */
export const messageSchemas: MessageSchemas = {
  search: shape.SearchMessage,
  on_search: shape.OnSearchMessage,
  select: shape.BuyerMessage,
  on_select: shape.LenderMessage,
  init: shape.BuyerMessage,
  on_init: shape.LenderMessage,
  confirm: shape.BuyerMessage,
  on_confirm: shape.PlacedMessage,
  status: shape.StatusMessage,
  on_status: shape.LenderMessage,
  update: shape.UpdateMessage,
  on_update: shape.PlacedMessage,
}

/** Why a received body is turned away with a NACK; empty when it may be stored. */
export const bodyFaults = bodyFaultsOf('2.0.3', messageSchemas)
