// The receipt of an event, which confirms that it is stored and no more (D3 §1.1, §2.2).

import { jsonIn } from '@lendloom/foundation/json'
import { Refusal } from '@lendloom/foundation/refusal'
import { fits, type Static, Type, Uuid } from '@lendloom/foundation/schema'
import { Answer } from '@lendloom/http/route'
import { Instant } from './fields.ts'

/** The receipt of an event: confirms storage only (D3 §1.1, §2.2). */
export const EventReceipt = Type.Object({
  event_id: Uuid,
  receipt_status: Type.Literal('RECEIVED'),
  received_at: Instant,
})

export type EventReceipt = Static<typeof EventReceipt>

/** The inbox's result for an event: new, a repeat, or different content under a known ID. */
export type InboxFinding = { seen: 'first' | 'same'; receivedAt: Date } | { seen: 'different' }

/** Returns 202 for a new event, 200 with the original time for a repeat. Throws `reused-key` for different content. */
export function receiptOf(eventId: string, received: InboxFinding): Answer {
  if (received.seen === 'different')
    throw new Refusal('reused-key', 'another event was received under this event_id', { field: 'event_id' })
  const receipt: EventReceipt = {
    event_id: eventId,
    receipt_status: 'RECEIVED',
    received_at: received.receivedAt.toISOString(),
  }
  return new Answer(received.seen === 'first' ? 202 : 200, receipt)
}

/** Whether a response confirms that this event was stored. Any other 2xx does not. */
export function isReceipt({ status, body }: { status: number; body: Buffer }, eventId: string): boolean {
  if (status !== 200 && status !== 202) return false
  const receipt = jsonIn(body)
  return fits(EventReceipt, receipt) && receipt.event_id.toLowerCase() === eventId.toLowerCase()
}
