// What is judged of a message about a loan in either dialect: what asks for forms, what places the order, what repays it (FIS12 §12.4).
import type { Action } from '#contract/network/sequence.ts'
import type { Fulfillment, Item, Payment } from '#contract/network/v203/schema.ts'
import type { Static } from '#kit/http/schema.ts'

/** The common part of orders; an update has less of it. */
export interface JudgedOrder {
  id?: string
  items?: Static<typeof Item>[]
  fulfillments?: (Pick<Static<typeof Fulfillment>, 'state'> & { id?: string })[]
  payments?: Static<typeof Payment>[]
}

/** A message whose shape was found good. */
export type LoanMessage = { [A in Action]: { path: string; action: A; message: JudgedOf<A> } }[Action]

type JudgedOf<A extends Action> = A extends 'search' | 'status'
  ? object
  : A extends 'on_search'
    ? { catalog: { providers: { items: Static<typeof Item>[] }[] } }
    : { order: JudgedOrder }

/** The order in a message; undefined where the message has none. */
export const orderIn = (message: LoanMessage): JudgedOrder | undefined =>
  message.action === 'search' || message.action === 'status' || message.action === 'on_search'
    ? undefined
    : message.message.order
