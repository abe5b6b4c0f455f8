// What no event may be: unreadable, too large, of another version, sender or type, or with wrong fields (D3 §2.2, §7, §8, §9).
import { type Check, checks } from '#conformance/exchange/check.ts'
import type { HttpAnswer } from '#conformance/exchange/http.ts'
import { expectFailure, expectRefusal } from '#conformance/exchange/refusal.ts'
import type { Run } from '#conformance/exchange/run.ts'
import { maxEventBytes } from '#contract/exchange/envelope.ts'
import { uuidv4 } from '#kit/crypto/id.ts'
import { fieldsOf } from '#kit/runtime/record.ts'
import { strayLead } from './authentication.ts'

interface Wrong {
  id: string
  section: Check['section']
  title: string
  change: Record<string, unknown>
  statuses?: number[]
  field?: string
}

export const invalid = [400, 422]

/** Invalid frames are refused before they are stored: the receiver could not even name the failed event. */
const frames: Wrong[] = [
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
    statuses: [401, 403, ...invalid],
  },
]

/** What is tried: where events go, the event that each check spoils, and how its refusal is looked at. */
interface Receiver {
  place: string
  stray(run: Run): Buffer
  refused(run: Run, answer: HttpAnswer, statuses: number[], named?: { id?: string; field?: string }): void
}

/** Every spoiled envelope, with what only the other side sends. */
export const frameChecks = ({ place, stray, refused }: Receiver, ofOtherSide: Wrong): Check[] =>
  [...frames, ofOtherSide].map(({ id, section, title, change, statuses = invalid, field }) => ({
    id: `envelope.${id}`,
    section,
    title: `an event is refused: ${title}`,
    sends: `${place} with an event that has one fault: ${title}`,
    expects: `${statuses.join(' or ')} with the error body of D3 §7${field ? `, which names ${field}` : ''}`,
    async run(run) {
      const event = { ...fieldsOf(JSON.parse(stray(run).toString('utf8'))), ...change }
      const id = event.event_id === undefined ? undefined : String(event.event_id)
      const key = id === undefined ? { 'idempotency-key': uuidv4() } : {}
      const answer = await run.postEvent(Buffer.from(JSON.stringify(event)), key)
      refused(run, answer, statuses, { ...(id !== undefined && { id }), ...(field !== undefined && { field }) })
    },
  }))

/** Bodies that are not events. */
export const bodyChecks = ({ place, stray, refused }: Receiver): Check[] => [
  {
    id: 'envelope.json',
    section: 'D3 §7',
    title: 'an event is refused: invalid JSON',
    sends: `${place} with a truncated signed body`,
    expects: '400 or 422 with the error body of D3 §7',
    async run(run) {
      const raw = Buffer.from('{"event_version":"2.0",')
      refused(run, await run.postEvent(raw, { 'idempotency-key': uuidv4() }), invalid)
    },
  },
  {
    id: 'envelope.media',
    section: 'D3 §7',
    title: 'an event is refused: text/plain',
    sends: `${place} with a valid event as text/plain`,
    expects: '415, 400 or 422 with the error body of D3 §7',
    async run(run) {
      refused(run, await run.postEvent(stray(run), { 'content-type': 'text/plain' }), [415, ...invalid])
    },
  },
  {
    id: 'envelope.too-large',
    section: 'D3 §8',
    title: 'an event is refused: more than 2 MiB',
    sends: `${place} with a signed body of ${maxEventBytes + 1} bytes`,
    expects: '413 with the error body of D3 §7',
    async run(run) {
      const event = stray(run)
      const raw = Buffer.concat([event, Buffer.alloc(maxEventBytes + 1 - event.length, ' ')])
      refused(run, await run.postEvent(raw), [413])
    },
  },
]

/** A change of one object in the data of the lead. */
const within = (data: Record<string, unknown>, name: string, change: object) => ({
  ...data,
  [name]: { ...fieldsOf(data[name]), ...change },
})

const contents: { id: string; section: Check['section']; title: string; of(data: Record<string, unknown>): object }[] =
  [
    {
      id: 'money-number',
      section: 'D3 §2.1',
      title: 'loan_amount as a number',
      of: (data) => within(data, 'proposed_offer', { loan_amount: 100000 }),
    },
    {
      id: 'money-decimals',
      section: 'D3 §2.1',
      title: 'loan_amount with one decimal',
      of: (data) => within(data, 'proposed_offer', { loan_amount: '100000.0' }),
    },
    { id: 'pan', section: 'D3 §2.3', title: 'no PAN', of: (data) => within(data, 'borrower', { pan: null }) },
    {
      id: 'salaried',
      section: 'D3 §2.3',
      title: 'a salaried applicant',
      of: (data) => within(data, 'borrower', { employment_type: 'SALARIED' }),
    },
    {
      id: 'tenure',
      section: 'D3 §1',
      title: '26 weeks',
      of: (data) => within(data, 'proposed_offer', { tenure_weeks: 26 }),
    },
    {
      id: 'reason',
      section: 'D3 §2.3',
      title: 'banking FAILED without unavailable_reason',
      of: (data) => within(data, 'banking', { status: 'FAILED', unavailable_reason: null }),
    },
  ]

const filled = contents.map(
  ({ id, section, title, of }): Check => ({
    id: `lead-content.${id}`,
    section,
    title: `a lead is rejected: ${title}`,
    sends: `LEAD_SUBMITTED with ${title}`,
    expects: '400 or 422 with the error body of D3 §7, or EVENT_PROCESSING_FAILED with VALIDATION_ERROR',
    async run(run) {
      const stray = fieldsOf(JSON.parse(strayLead(run).toString('utf8')))
      const raw = Buffer.from(JSON.stringify({ ...stray, data: of(fieldsOf(stray.data)) }))
      await expectFailure(run, raw, { statuses: invalid, codes: ['VALIDATION_ERROR'] })
    },
  }),
)

const partner: Receiver = {
  place: 'POST /events',
  stray: strayLead,
  refused: (_, answer, statuses, named) => expectRefusal(answer, statuses, named),
}

export const envelopes = checks([
  ...bodyChecks(partner),
  ...frameChecks(partner, {
    id: 'partner-type',
    section: 'D3 §6',
    title: 'a type that only the partner sends',
    change: { event_type: 'LEAD_REGISTERED', data: { status: 'UNDER_REVIEW', documents_pending: [] } },
    statuses: [403, ...invalid],
  }),
  ...filled,
])
