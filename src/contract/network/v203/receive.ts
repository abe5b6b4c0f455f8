// What a message must be to be stored and acknowledged; whatever else is wrong with it is for its reader (FIS12 §3.1).
import { NetworkError } from '#contract/network/ack.ts'
import { contextFaults } from '#contract/network/context.ts'
import { type Action, isCallback } from '#contract/network/sequence.ts'
import type { FieldError } from '#kit/refusal.ts'
import { faults, type TSchema } from '#kit/schema.ts'
import * as shape from './schema.ts'

/** The shape of each action's `message`. */
export const messageSchemas: Record<Action, TSchema> = {
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

/**
 * Why a received body is turned away with a NACK; empty when it may be stored. The context must be whole and name this
 * action; a callback may carry an `error` in place of its `message` (FIS12 §3.2).
 */
export function bodyFaults(action: Action, body: unknown): FieldError[] {
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    return [{ path: '', message: 'must be an object' }]
  const { context, message, error } = body as Record<string, unknown>
  const wrong = contextFaults(context)
  if (wrong.length > 0) return wrong
  const named = (context as { action: string }).action
  if (named !== action) return [{ path: 'context.action', message: `must be ${action}, as the endpoint is` }]
  if (isCallback(action) && error !== undefined && message === undefined) return faults(NetworkError, error, 'error')
  if (message === undefined) return [{ path: 'message', message: 'is required' }]
  return [...faults(messageSchemas[action], message, 'message'), ...(action === 'status' ? oneRef(message) : [])]
}

/** FIS12 §11.2: exactly one of the two. */
function oneRef(message: unknown): FieldError[] {
  const { order_id, ref_id } = (message ?? {}) as Record<string, unknown>
  if ((order_id === undefined) !== (ref_id === undefined)) return []
  return [{ path: 'message', message: 'must carry exactly one of order_id and ref_id' }]
}
