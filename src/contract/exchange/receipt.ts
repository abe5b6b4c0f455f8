// The receipt of an event: it was stored, and nothing more (D3 §1.1, §2.2).

import { Refusal } from '#kit/http/refusal.ts'
import { Answer } from '#kit/http/route.ts'
import { fits, type Static, Type, Uuid } from '#kit/http/schema.ts'
import { jsonIn } from '#kit/runtime/narrow.ts'
import { Instant } from './fields.ts'

export const Receipt = Type.Object({
  event_id: Uuid,
  receipt_status: Type.Literal('RECEIVED'),
  received_at: Instant,
})
export type Receipt = Static<typeof Receipt>

/** What the inbox found when it was given the event. */
export type Received = { seen: 'first' | 'same'; receivedAt: Date } | { seen: 'different' }

/** 202 for the first, 200 with the original time for the same again; other content under the same ID is refused (409). */
export function receiptOf(eventId: string, received: Received): Answer {
  if (received.seen === 'different')
    throw new Refusal('reused-key', 'another event was received under this event_id', { field: 'event_id' })
  const receipt: Receipt = {
    event_id: eventId,
    receipt_status: 'RECEIVED',
    received_at: received.receivedAt.toISOString(),
  }
  return new Answer(received.seen === 'first' ? 202 : 200, receipt)
}

/** Whether an answer says that this event was stored: anything else that looks like success says nothing about it. */
export function isReceipt({ status, body }: { status: number; body: Buffer }, eventId: string): boolean {
  if (status !== 200 && status !== 202) return false
  const receipt = jsonIn(body)
  return fits(Receipt, receipt) && receipt.event_id.toLowerCase() === eventId.toLowerCase()
}
