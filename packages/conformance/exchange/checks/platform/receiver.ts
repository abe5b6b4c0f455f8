// Webhook checks without an application: authentication, invalid events, unknown cases (D3 §4.2, §5, §7).

import { fieldsOf } from '@lendloom/foundation/record'
import { uuidv4 } from '@lendloom/seal/id'
import type { DataOf, EventType } from '@lendloom/wire/exchange/envelope'
import { exampleData, exampleIds } from '@lendloom/wire/exchange/example/event'
import { type Check, checks, expect, Skip } from '#conformance/exchange/check.ts'
import { bearerChecks, signatureChecks, wrongBearers } from '#conformance/exchange/checks/authentication.ts'
import { bodyChecks, envelopeChecks, invalidStatuses } from '#conformance/exchange/checks/envelope.ts'
import { expectFailure, expectRefusal } from '#conformance/exchange/refusal-checks.ts'
import type { Run } from '#conformance/exchange/run.ts'
import type { HttpAnswer } from '#conformance/exchange/send-request.ts'

const place = 'POST /api/partner/webhook'

/** Higher than all versions of this run: a platform that wrongly accepts the event keeps it waiting behind the gap. */
const strayVersion = 1_000_000

/** An event about the run's case, or about an unknown case before the run has one. */
function strayEvent<T extends EventType>(
  run: Run,
  type: T,
  data: DataOf<T>,
  version = strayVersion,
): Record<string, unknown> {
  const reference = run.memory.caseRef || run.otherReference()
  const { correlation, ...event } = run.envelope(type, data, { reference, version })
  const { leadId, loanId } = { ...exampleIds, ...run.memory.found }
  return {
    ...event,
    correlation: { ...correlation, celestium_lead_id: leadId, celestium_loan_id: loanId },
  }
}

const strayLoanStatusEvent = (run: Run): Buffer =>
  Buffer.from(JSON.stringify(strayEvent(run, 'LOAN_STATUS_UPDATED', exampleData('LOAN_STATUS_UPDATED'))))

/** Expects a refusal. Skips if the platform looks up the case before it validates the event, and so returns 404. */
function expectRefused(
  { memory }: Run,
  answer: HttpAnswer,
  statuses: number[],
  expected: { id?: string; field?: string } = {},
): void {
  if (answer.status === 404 && memory.caseRef === '')
    throw new Skip('the platform looks up the case before it validates the event, so this check needs an application')
  expectRefusal(answer, statuses, expected)
}

const platform = { place, validEvent: strayLoanStatusEvent, expectRefused }

/** The next version of the case, because an event behind a gap would wait. */
const nextVersion = ({ memory }: Run): number => (memory.found.leadId ? memory.version + 1 : strayVersion)

const eventFaults: {
  id: string
  section: Check['section']
  title: string
  field: string
  makeEvent(run: Run): object
}[] = [
  {
    id: 'money-number',
    section: 'D3 §2.1',
    title: 'PAYMENT_UPDATED with amount as a number',
    field: 'amount',
    makeEvent(run) {
      const data = exampleData('PAYMENT_UPDATED')
      const event = strayEvent(run, 'PAYMENT_UPDATED', data, 1)
      return { ...event, entity_id: data.payment_id, data: { ...data, amount: 4790 } }
    },
  },
  {
    id: 'payment-of-case',
    section: 'D3 §6',
    title: 'PAYMENT_UPDATED about the case instead of the payment',
    field: 'entity_type',
    makeEvent: (run) => ({
      ...strayEvent(run, 'PAYMENT_UPDATED', exampleData('PAYMENT_UPDATED'), nextVersion(run)),
      entity_type: 'CASE',
    }),
  },
  {
    id: 'loan-status',
    section: 'D3 §3',
    title: 'LOAN_STATUS_UPDATED with a state that does not exist',
    field: 'loan_status',
    makeEvent: (run) => changedData(run, 'LOAN_STATUS_UPDATED', { loan_status: 'SLEEPING' }),
  },
  {
    id: 'bank-evidence',
    section: 'D3 §2.5',
    title: 'DISBURSED without a bank_reference',
    field: 'bank_reference',
    makeEvent: (run) => changedData(run, 'DISBURSEMENT_UPDATED', { bank_reference: null }),
  },
  {
    id: 'no-offer',
    section: 'D3 §6',
    title: 'an approval without an offer',
    field: 'offer',
    makeEvent: (run) => changedData(run, 'MANUAL_REVIEW_DECIDED', { offer: null }),
  },
  {
    id: 'partner-ids',
    section: 'D3 §2.2',
    title: 'null partner IDs after the registration',
    field: 'celestium_lead_id',
    makeEvent(run) {
      const event = strayEvent(run, 'LOAN_STATUS_UPDATED', exampleData('LOAN_STATUS_UPDATED'), nextVersion(run))
      const ids = { celestium_lead_id: null, celestium_loan_id: null }
      return { ...event, correlation: { ...fieldsOf(event.correlation), ...ids } }
    },
  },
]

const changedData = (run: Run, type: EventType, change: object) => {
  const data = exampleData(type)
  return { ...strayEvent(run, type, data, nextVersion(run)), data: { ...data, ...change } }
}

/** A fault may be reported at once or, for a stored event about the run's case, by a failure event. */
export const contentChecks = eventFaults.map(
  ({ id, section, title, field, makeEvent }): Check => ({
    id: `event-content.${id}`,
    section,
    title: `an event is refused: ${title}`,
    sends: `${place} with ${title}`,
    expects: '400 or 422 with the error body of D3 §7, or EVENT_PROCESSING_FAILED with VALIDATION_ERROR',
    async run(run) {
      const event = fieldsOf(makeEvent(run))
      const raw = Buffer.from(JSON.stringify(event))
      if (run.memory.found.leadId) {
        const isStored = await expectFailure(run, raw, { statuses: invalidStatuses, codes: ['VALIDATION_ERROR'] })
        if (isStored && event.entity_type === 'CASE') run.memory.version++
        return
      }
      const answer = await run.postEvent(raw)
      if (answer.status === 202)
        throw new Skip('the platform stores events before it validates them, so this check needs an application')
      expectRefused(run, answer, invalidStatuses, { id: String(event.event_id), field })
    },
  }),
)

export const receiver = checks([
  ...bearerChecks(place, (run, headers) => run.postEvent(strayLoanStatusEvent(run), headers), [
    ...wrongBearers,
    [
      'own-bearer',
      'with the credential that the platform itself presents',
      ({ settings }) => `Bearer ${settings.theirs.bearer}`,
    ],
  ]),
  ...signatureChecks(place, strayLoanStatusEvent),
  ...bodyChecks(platform),
  ...envelopeChecks(platform, {
    id: 'platform-type',
    section: 'D3 §6',
    title: 'a type that only the platform sends',
    change: { event_type: 'OFFER_DECISION_RECORDED', data: exampleData('OFFER_DECISION_RECORDED') },
    statuses: [403, ...invalidStatuses],
  }),
  {
    id: 'envelope.key',
    section: 'D3 §2.1',
    title: 'an event is refused: an Idempotency-Key that is not the event_id',
    sends: `${place} with another Idempotency-Key`,
    expects: '400, 409 or 422 with the error body of D3 §7',
    async run(run) {
      expectRefused(run, await run.postEvent(strayLoanStatusEvent(run), { 'idempotency-key': uuidv4() }), [
        409,
        ...invalidStatuses,
      ])
    },
  },
  {
    id: 'receiver.additions',
    section: 'D3 §9',
    title: 'unknown keys are ignored',
    sends: `${place} with two additional keys, about an unknown case`,
    expects: '404 for the case, or 202; never a refusal of the keys',
    async run(run) {
      const event = fieldsOf(JSON.parse(eventAboutUnknownCase(run).toString('utf8')))
      const extended = { ...event, later: { addition: true }, data: { ...fieldsOf(event.data), note: null } }
      const { status } = await run.postEvent(Buffer.from(JSON.stringify(extended)))
      expect(status === 404 || status === 202, `got status ${status}, expected 404 or 202`)
    },
  },
  {
    id: 'receiver.unknown-case',
    section: 'D3 §7',
    title: 'an event about an unknown case has no effect',
    sends: `${place} with an unknown reference`,
    expects: '404 with the error body of D3 §7, or 202 if events are validated later',
    async run(run) {
      const answer = await run.postEvent(eventAboutUnknownCase(run))
      if (answer.status !== 202) expectRefusal(answer, [404])
    },
  },
])

function eventAboutUnknownCase(run: Run): Buffer {
  const reference = run.otherReference()
  const { correlation, ...event } = run.envelope('LOAN_STATUS_UPDATED', exampleData('LOAN_STATUS_UPDATED'), {
    reference,
    version: 1,
  })
  const ids = { celestium_lead_id: exampleIds.leadId, celestium_loan_id: exampleIds.loanId }
  return Buffer.from(JSON.stringify({ ...event, correlation: { ...correlation, ...ids } }))
}
