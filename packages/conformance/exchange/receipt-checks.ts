// Checks of the answer to an event: a receipt, the same receipt again, or a conflict (D3 §2.2, §4.2).

import { fieldsOf } from '@lendloom/foundation/record'
import { faults } from '@lendloom/foundation/schema'
import { EventReceipt } from '@lendloom/wire/exchange/event-receipt'
import { expect } from './check-result.ts'
import { expectRefusal } from './refusal-checks.ts'
import type { Run } from './run.ts'

const receivedAt = (step: string): string => `received_at of ${step}`

/** Posts the event of a step and requires a valid receipt; 200 is allowed only if the run posted it before. */
export async function expectStored(run: Run, step: string): Promise<void> {
  const sent = run.sentAs(step)
  const wasTried = sent.tries++ > 0
  run.settings.save()
  const answer = await run.postEvent(Buffer.from(sent.raw))
  expect(
    answer.status === 202 || (wasTried && answer.status === 200),
    `got status ${answer.status} for a new event, expected 202`,
  )
  const receiptFaults = faults(EventReceipt, answer.json)
  expect(
    receiptFaults.length === 0,
    receiptFaults.map(({ path, message }) => `${path || 'body'} ${message}`).join('; '),
  )
  const receipt = fieldsOf(answer.json)
  expect(receipt.event_id === sent.eventId, 'the receipt has another event_id')
  run.remember({ [receivedAt(step)]: String(receipt.received_at) })
}

/** Posts a step's event again: the same bytes with a new signature. */
export async function expectReplay(run: Run, step: string): Promise<void> {
  const { status, json } = await run.postEvent(Buffer.from(run.sentAs(step).raw))
  expect(status === 200, `got status ${status}, expected 200`)
  const { received_at } = fieldsOf(json)
  const first = run.found(receivedAt(step))
  expect(Date.parse(String(received_at)) === Date.parse(first), `received_at is ${received_at}, but was ${first}`)
}

/** Posts the event of a step with another `occurred_at`, and expects a conflict. */
export async function expectConflict(run: Run, step: string): Promise<void> {
  const { raw, eventId } = run.sentAs(step)
  const other = { ...fieldsOf(JSON.parse(raw)), occurred_at: '2026-11-20T10:00:00.000Z' }
  expectRefusal(await run.postEvent(Buffer.from(JSON.stringify(other))), [409], { id: eventId })
}
