// Checks of all calls of the platform in a run: credential, idempotency key and content (D3 §2.1, §4, §5).
import { setTimeout as pause } from 'node:timers/promises'
import { type Check, checks, expect, Skip } from '#conformance/exchange/check.ts'

const rules: [id: string, section: Check['section'], title: string, expects: string][] = [
  ['bearer', 'D3 §5.1', 'every call carries the agreed credential', 'Authorization: Bearer with that credential'],
  ['key', 'D3 §2.1', 'dedupe and upload have an idempotency key', 'Idempotency-Key is the request_id'],
  ['dedupe', 'D3 §4.1', 'every duplicate check is valid', 'JSON with request_id, reference, product and applicant'],
  [
    'documents',
    'D3 §4.3',
    'every upload is valid',
    'the form, one file of an allowed type and size, the saved IDs, and the type that the lead announced',
  ],
  ['status', 'D3 §4.4', 'every read has an ID and no body', 'X-Request-Id is a UUID'],
]

const callChecks = rules.map(
  ([id, section, title, expects]): Check => ({
    id: `platform-calls.${id}`,
    section,
    title,
    sends: 'nothing; checks all calls received in this run',
    expects,
    needs: ['application.dedupe'],
    async run(run) {
      if (id in callNames && !run.memory.calls.some(({ name }) => name === id)) throw new Skip(`no ${id} call came`)
      for (const { name, content, faults } of run.memory.calls) {
        const words = faults.filter(({ check }) => check === `platform-calls.${id}`).map((fault) => fault.words)
        if (words.length === 0) continue
        run.last = { sent: '', received: `${name}:\n${content}` }
        expect(false, `${name}: ${words.join('; ')}`)
      }
    },
  }),
)

const callNames = { dedupe: true, documents: true, status: true }

export const platformCalls = checks([
  ...callChecks,
  {
    id: 'platform-events.given-up',
    section: 'D3 §8',
    title: 'a refused event is not retried',
    sends: '422 to the first EVENT_PROCESSING_FAILED',
    expects: 'no retry within 1.5 times the delay of a retry after 503',
    needs: ['failure.told'],
    async run(run) {
      const { arrivals } = run.memory
      const refused = arrivals.find(({ answered }) => answered === 422)
      if (!refused)
        throw new Skip('no EVENT_PROCESSING_FAILED came, because the platform refuses invalid events at once')
      const [first, second] = arrivals.filter(({ type }) => type === 'LEAD_SUBMITTED')
      const retryMs = first && second ? second.at - first.at : 0
      const endMs = Math.min(refused.at + retryMs * 1.5, Date.now() + run.settings.waitSeconds * 1000)
      await pause(Math.max(0, endMs - Date.now()))
      const attempts = arrivals.filter(({ eventId }) => eventId === refused.eventId)
      expect(attempts.length === 1, `the refused event came ${attempts.length} times`)
    },
  },
])
