// Checks of all events that the tested side sent: credentials, content, and versions without gaps (D3 §2.2, §5, §6).
import { setTimeout as pause } from 'node:timers/promises'
import { fieldsOf } from '@lendloom/foundation/record'
import { type Check, checks, expect } from '#conformance/exchange/check.ts'
import type { Run } from '#conformance/exchange/run.ts'
import type { TestedSide } from '#conformance/exchange/run-credentials.ts'

const rules: [id: string, section: Check['section'], title: string, expects: string][] = [
  ['bearer', 'D3 §5.1', 'every event carries the agreed credential', 'Authorization: Bearer with that credential'],
  ['signature', 'D3 §5.2', 'every event is signed', 'X-Key-Id, X-Sent-At and X-Signature over the exact bytes'],
  ['key', 'D3 §2.1', 'every event has its ID as idempotency key', 'Idempotency-Key is the event_id'],
  ['sender', 'D3 §2.2', 'every event names its sender', 'sender is the agreed name'],
  ['envelope', 'D3 §2.2', 'every event is valid', 'envelope and data by all rules of the type'],
]

/** Checks of all events of the tested side, made once the check `needs` has passed. */
export const eventChecks = (side: TestedSide, needs: string): Check[] => [
  ...ruleChecks(side, needs),
  ...crossEventChecks(side, needs),
]

const ruleChecks = (side: TestedSide, needs: string): Check[] =>
  rules.map(
    ([id, section, title, expects]): Check => ({
      id: `${side}-events.${id}`,
      section,
      title,
      sends: 'nothing; checks all events received in this run',
      expects,
      needs: [needs],
      async run(run) {
        for (const { type, raw, faults } of run.memory.arrivals) {
          const words = faults.filter(({ check }) => check === `${side}-events.${id}`).map((fault) => fault.words)
          if (words.length === 0) continue
          run.last = { sent: '', received: `received event:\n${raw}` }
          expect(false, `${type}: ${words.join('; ')}`)
        }
      },
    }),
  )

/** Checks across events: versions, bytes, IDs. */
const crossEventChecks = (side: TestedSide, needs: string): Check[] => [
  {
    id: `${side}-events.order`,
    section: 'D3 §6',
    title: 'the versions of each object have no gaps',
    sends: 'nothing; checks all events received in this run',
    expects: 'entity_version 1, 2, 3 … of each case and payment, each once; an event after a gap would wait forever',
    needs: [needs],
    async run(run) {
      // An event that is still on its way may close a gap.
      for (let i = 0; i < 50 && ![...versions(run).values()].every(isGapless); i++) await pause(100)
      for (const [entity, all] of versions(run)) expect(isGapless(all), `${entity} has the versions ${all.join(', ')}`)
    },
  },
  {
    id: `${side}-events.unchanged`,
    section: 'D3 §5.2',
    title: 'an event is identical in every attempt',
    sends: 'nothing; checks all attempts of this run',
    expects: 'the same bytes under the same event_id',
    needs: [needs],
    async run(run) {
      for (const [eventId, attempts] of Map.groupBy(run.memory.arrivals, (each) => each.eventId))
        expect(
          new Set(attempts.map(({ raw }) => raw)).size === 1,
          `attempts of the event ${eventId} differ in their bytes`,
        )
    },
  },
  {
    id: `${side}-events.ids`,
    section: 'D3 §2.2',
    title: 'every event has the saved IDs of its case',
    sends: 'nothing; checks all events received in this run',
    expects: 'the partner IDs of LEAD_REGISTERED; null only in the lead and in an earlier failure',
    needs: [needs],
    async run(run) {
      for (const { type, raw } of run.memory.arrivals) {
        const { correlation } = fieldsOf(JSON.parse(raw))
        const { external_reference_id, celestium_lead_id, celestium_loan_id } = fieldsOf(correlation)
        if (external_reference_id !== run.memory.caseRef) continue
        if (mayBeNull.includes(type) && celestium_lead_id === null) continue
        const isSaved = celestium_lead_id === run.found('leadId') && celestium_loan_id === run.found('loanId')
        run.last = { sent: '', received: `received event:\n${raw}` }
        expect(isSaved, `${type} has other partner IDs than LEAD_REGISTERED`)
      }
    },
  },
]

const mayBeNull = ['LEAD_SUBMITTED', 'EVENT_PROCESSING_FAILED']

/** The versions of each object in ascending order, one per event. */
function versions(run: Run): Map<string, number[]> {
  const events = new Map(run.memory.arrivals.map((arrival) => [arrival.eventId, arrival]))
  const byEntity = Map.groupBy(events.values(), ({ entity }) => entity)
  return new Map(
    [...byEntity].map(([entity, all]) => [entity, all.map(({ version }) => version).sort((a, b) => a - b)]),
  )
}
const isGapless = (all: number[]): boolean => all.every((version, i) => version === i + 1)

export const partnerEvents = checks(eventChecks('partner', 'lead.registered'))
