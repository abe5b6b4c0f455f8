// What an event is answered with: its receipt, the same receipt again, or a conflict (D3 §2.2, §4.2).
import { EventReceipt } from '#contract/exchange/envelope.ts'
import { faults } from '#kit/http/schema.ts'
import { fieldsOf } from '#kit/runtime/record.ts'
import { expect } from './outcome.ts'
import { expectRefusal } from './refusal.ts'
import type { Run } from './run.ts'

const receivedAt = (step: string): string => `received_at of ${step}`

/** Posts the event of a step, whose receipt has to be whole; 200 counts only where this run had posted it before. */
export async function expectStored(run: Run, step: string): Promise<void> {
  const sent = run.sentAs(step)
  const wasTried = sent.tries++ > 0
  run.settings.keep()
  const answer = await run.postEvent(Buffer.from(sent.raw))
  expect(
    answer.status === 202 || (wasTried && answer.status === 200),
    `a new event was answered ${answer.status}, not 202`,
  )
  const wrong = faults(EventReceipt, answer.json)
  expect(wrong.length === 0, wrong.map(({ path, message }) => `${path || 'body'} ${message}`).join('; '))
  const receipt = fieldsOf(answer.json)
  expect(receipt.event_id === sent.eventId, 'event_id of the receipt is another')
  run.remember({ [receivedAt(step)]: String(receipt.received_at) })
}

/** Posts a step's event again: the same bytes with a new signature. */
export async function expectReplay(run: Run, step: string): Promise<void> {
  const { status, json } = await run.postEvent(Buffer.from(run.sentAs(step).raw))
  expect(status === 200, `it was answered ${status}, not 200`)
  const [{ received_at }, first] = [fieldsOf(json), run.found(receivedAt(step))]
  expect(Date.parse(String(received_at)) === Date.parse(first), `received_at is ${received_at}, and was ${first}`)
}

/** Posts other content under the event_id of a step. */
export async function expectConflict(run: Run, step: string): Promise<void> {
  const { raw, eventId } = run.sentAs(step)
  const other = { ...fieldsOf(JSON.parse(raw)), occurred_at: '2026-11-20T10:00:00.000Z' }
  expectRefusal(await run.postEvent(Buffer.from(JSON.stringify(other))), [409], { id: eventId })
}
