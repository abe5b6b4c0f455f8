// Checks of events to be refused: unreadable, too large, with an invalid envelope or lead (D3 §2.2, §7, §8, §9).

import { fieldsOf } from '@lendloom/foundation/record'
import { uuidv4 } from '@lendloom/seal/id'
import { maxEventBytes } from '@lendloom/wire/exchange/envelope'
import { type Check, checks } from '#conformance/exchange/check.ts'
import { expectFailure, expectRefusal } from '#conformance/exchange/refusal-checks.ts'
import type { Run } from '#conformance/exchange/run.ts'
import type { HttpAnswer } from '#conformance/exchange/send-request.ts'
import { strayLead } from './authentication.ts'

interface EnvelopeFault {
  id: string
  section: Check['section']
  title: string
  change: Record<string, unknown>
  statuses?: number[]
  field?: string
}

export const invalidStatuses = [400, 422]

/** Invalid envelopes are refused at once, because a failure event could not name the event. */
const envelopeFaults: EnvelopeFault[] = [
  {
    id: 'version',
    section: 'D3 §9',
    title: 'event_version 3.0',
    change: { event_version: '3.0' },
    field: 'event_version',
  },
  {
    id: 'type',
    section: 'D3 §4.2',
    title: 'an event_type that does not exist',
    change: { event_type: 'LEAD_DREAMT' },
    field: 'event_type',
  },
  {
    id: 'time',
    section: 'D3 §2.1',
    title: 'an invalid occurred_at',
    change: { occurred_at: 'today' },
    field: 'occurred_at',
  },
  {
    id: 'entity-version',
    section: 'D3 §2.2',
    title: 'entity_version 0',
    change: { entity_version: 0 },
    field: 'entity_version',
  },
  { id: 'no-event-id', section: 'D3 §2.2', title: 'no event_id', change: { event_id: undefined }, field: 'event_id' },
  { id: 'no-correlation', section: 'D3 §2.2', title: 'no correlation', change: { correlation: undefined } },
  {
    id: 'entity',
    section: 'D3 §2.2',
    title: 'entity_id of another case',
    change: { entity_id: 'CONFORM-ANOTHER' },
    field: 'entity_id',
  },
  {
    id: 'sender',
    section: 'D3 §5.1',
    title: 'another sender',
    change: { sender: 'SOMEBODY_ELSE' },
    statuses: [401, 403, ...invalidStatuses],
  },
]

/** The tested receiver: its address, a valid event that each check corrupts, and the test of the refusal. */
interface Receiver {
  place: string
  validEvent(run: Run): Buffer
  expectRefused(run: Run, answer: HttpAnswer, statuses: number[], expected?: { id?: string; field?: string }): void
}

/** Checks of every invalid envelope, and of a type that only the other side sends. */
export const envelopeChecks = ({ place, validEvent, expectRefused }: Receiver, ofOtherSide: EnvelopeFault): Check[] =>
  [...envelopeFaults, ofOtherSide].map(({ id, section, title, change, statuses = invalidStatuses, field }) => ({
    id: `envelope.${id}`,
    section,
    title: `an event is refused: ${title}`,
    sends: `${place} with an event that has one fault: ${title}`,
    expects: `${statuses.join(' or ')} with the error body of D3 §7${field ? `, which names ${field}` : ''}`,
    async run(run) {
      const event = { ...fieldsOf(JSON.parse(validEvent(run).toString('utf8'))), ...change }
      const id = event.event_id === undefined ? undefined : String(event.event_id)
      const key = id === undefined ? { 'idempotency-key': uuidv4() } : {}
      const answer = await run.postEvent(Buffer.from(JSON.stringify(event)), key)
      expectRefused(run, answer, statuses, { ...(id !== undefined && { id }), ...(field !== undefined && { field }) })
    },
  }))

/** Checks of bodies that are not valid events. */
export const bodyChecks = ({ place, validEvent, expectRefused }: Receiver): Check[] => [
  {
    id: 'envelope.json',
    section: 'D3 §7',
    title: 'an event is refused: invalid JSON',
    sends: `${place} with a truncated signed body`,
    expects: '400 or 422 with the error body of D3 §7',
    async run(run) {
      const raw = Buffer.from('{"event_version":"2.0",')
      expectRefused(run, await run.postEvent(raw, { 'idempotency-key': uuidv4() }), invalidStatuses)
    },
  },
  {
    id: 'envelope.media',
    section: 'D3 §7',
    title: 'an event is refused: text/plain',
    sends: `${place} with a valid event as text/plain`,
    expects: '415, 400 or 422 with the error body of D3 §7',
    async run(run) {
      expectRefused(run, await run.postEvent(validEvent(run), { 'content-type': 'text/plain' }), [
        415,
        ...invalidStatuses,
      ])
    },
  },
  {
    id: 'envelope.too-large',
    section: 'D3 §8',
    title: 'an event is refused: more than 2 MiB',
    sends: `${place} with a signed body of ${maxEventBytes + 1} bytes`,
    expects: '413 with the error body of D3 §7',
    async run(run) {
      const event = validEvent(run)
      const raw = Buffer.concat([event, Buffer.alloc(maxEventBytes + 1 - event.length, ' ')])
      expectRefused(run, await run.postEvent(raw), [413])
    },
  },
]

const withChange = (data: Record<string, unknown>, name: string, change: object) => ({
  ...data,
  [name]: { ...fieldsOf(data[name]), ...change },
})

const leadFaults: {
  id: string
  section: Check['section']
  title: string
  change(data: Record<string, unknown>): object
}[] = [
  {
    id: 'money-number',
    section: 'D3 §2.1',
    title: 'loan_amount as a number',
    change: (data) => withChange(data, 'proposed_offer', { loan_amount: 100000 }),
  },
  {
    id: 'money-decimals',
    section: 'D3 §2.1',
    title: 'loan_amount with one decimal',
    change: (data) => withChange(data, 'proposed_offer', { loan_amount: '100000.0' }),
  },
  { id: 'pan', section: 'D3 §2.3', title: 'no PAN', change: (data) => withChange(data, 'borrower', { pan: null }) },
  {
    id: 'salaried',
    section: 'D3 §2.3',
    title: 'a salaried applicant',
    change: (data) => withChange(data, 'borrower', { employment_type: 'SALARIED' }),
  },
  {
    id: 'tenure',
    section: 'D3 §1',
    title: '26 weeks',
    change: (data) => withChange(data, 'proposed_offer', { tenure_weeks: 26 }),
  },
  {
    id: 'reason',
    section: 'D3 §2.3',
    title: 'banking FAILED without unavailable_reason',
    change: (data) => withChange(data, 'banking', { status: 'FAILED', unavailable_reason: null }),
  },
]

const leadChecks = leadFaults.map(
  ({ id, section, title, change }): Check => ({
    id: `lead-content.${id}`,
    section,
    title: `a lead is rejected: ${title}`,
    sends: `LEAD_SUBMITTED with ${title}`,
    expects: '400 or 422 with the error body of D3 §7, or EVENT_PROCESSING_FAILED with VALIDATION_ERROR',
    async run(run) {
      const lead = fieldsOf(JSON.parse(strayLead(run).toString('utf8')))
      const raw = Buffer.from(JSON.stringify({ ...lead, data: change(fieldsOf(lead.data)) }))
      await expectFailure(run, raw, { statuses: invalidStatuses, codes: ['VALIDATION_ERROR'] })
    },
  }),
)

const partner: Receiver = {
  place: 'POST /events',
  validEvent: strayLead,
  expectRefused: (_, answer, statuses, expected) => expectRefusal(answer, statuses, expected),
}

export const envelopes = checks([
  ...bodyChecks(partner),
  ...envelopeChecks(partner, {
    id: 'partner-type',
    section: 'D3 §6',
    title: 'a type that only the partner sends',
    change: { event_type: 'LEAD_REGISTERED', data: { status: 'UNDER_REVIEW', documents_pending: [] } },
    statuses: [403, ...invalidStatuses],
  }),
  ...leadChecks,
])
