// Opens the bodies of partner events, and reads from them what the events report.

import { outboxContext } from '@lendloom/event-log/deliver-outbox'
import { inboxContext } from '@lendloom/event-log/inbox/inbox-store'
import { jsonIn } from '@lendloom/foundation/json'
import { fieldsOf } from '@lendloom/foundation/record'
import type { EventFacts } from '@lendloom/wire/console/partner-events'
import type { Context } from '#platform/context.ts'
import { type PartnerEventKey, readEventBodies } from './partner-event-store.ts'

type EventName = Omit<PartnerEventKey, 'tenantId'>
const sealContextOf = ({ direction, caseRef, sender, eventId }: EventName): string =>
  direction === 'sent' ? outboxContext(caseRef, eventId) : inboxContext(sender ?? '', eventId)

/** Returns a function that finds the body of each event; null for a body in the archive. */
export async function openEventBodies(
  { db, seal }: Pick<Context, 'db' | 'seal'>,
  keys: PartnerEventKey[],
): Promise<(event: EventName) => string | null> {
  const rows = keys.length === 0 ? [] : await readEventBodies(db, keys)
  const bodies = new Map(rows.map((row) => [sealContextOf(row), row.bodySealed]))
  return (event) => {
    const context = sealContextOf(event)
    const sealed = bodies.get(context)
    return sealed ? seal.open(sealed, context).toString() : null
  }
}

const textIn = (...values: unknown[]): string | null => values.find((value) => typeof value === 'string') ?? null

export function factsOf(body: string | null): EventFacts {
  const { status, decision, loan_status, code, amount, offer, reason_code, verified } = fieldsOf(
    fieldsOf(jsonIn(body ?? '')).data,
  )
  return {
    status: textIn(loan_status, status, decision, code),
    amount: textIn(amount, fieldsOf(offer).loan_amount),
    reasonCode: textIn(reason_code),
    isVerified: typeof verified === 'boolean' ? verified : null,
  }
}
