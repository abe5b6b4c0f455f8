// The parts of loan messages of both dialects that the invariants check: forms, orders, payments (FIS12 §12.4).

import type { Static } from '@lendloom/foundation/schema'
import type { Action } from '@lendloom/wire/network/sequence'
import type { Fulfillment, Item, Payment } from '@lendloom/wire/network/v203/schema'

/** The common part of orders; an update has only some of these fields. */
export interface CheckedOrder {
  id?: string
  items?: Static<typeof Item>[]
  fulfillments?: (Pick<Static<typeof Fulfillment>, 'state'> & { id?: string })[]
  payments?: Static<typeof Payment>[]
}

/** A message that passed schema validation. */
export type LoanMessage = { [A in Action]: { path: string; action: A; message: CheckedMessage<A> } }[Action]

type CheckedMessage<A extends Action> = A extends 'search' | 'status'
  ? object
  : A extends 'on_search'
    ? { catalog: { providers: { items: Static<typeof Item>[] }[] } }
    : { order: CheckedOrder }

/** The order in a message; undefined if the message has none. */
export const orderIn = (message: LoanMessage): CheckedOrder | undefined =>
  message.action === 'search' || message.action === 'status' || message.action === 'on_search'
    ? undefined
    : message.message.order
