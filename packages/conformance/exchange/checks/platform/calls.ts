// Every call of the platform in a run: whose it is, under which key, and whether it is what its interface takes (D3 §2.1, §4, §5).
import { setTimeout as pause } from 'node:timers/promises'
import { type Check, checks, expect, Skip } from '#conformance/exchange/check.ts'

const rules: [id: string, section: Check['section'], title: string, expects: string][] = [
  ['bearer', 'D3 §5.1', 'every call carries the agreed credential', 'Authorization: Bearer with that credential'],
  ['key', 'D3 §2.1', 'dedupe and upload have their key', 'Idempotency-Key is the request_id'],
  ['dedupe', 'D3 §4.1', 'every duplicate check is whole', 'JSON with request_id, reference, product and applicant'],
  [
    'documents',
    'D3 §4.3',
    'every upload is whole, and what it claims to be',
    'the form, one file of an allowed type and size, the saved IDs, and the type that the lead announced',
  ],
  ['status', 'D3 §4.4', 'every read has its ID and no body', 'X-Request-Id is a UUID'],
]

const tried = rules.map(
  ([id, section, title, expects]): Check => ({
    id: `platform-calls.${id}`,
    section,
    title,
    sends: 'nothing; checks all calls received in this run',
    expects,
    needs: ['application.dedupe'],
    async run(run) {
      if (id in names && !run.memory.calls.some(({ name }) => name === id)) throw new Skip('no such call came')
      for (const { name, content, faults } of run.memory.calls) {
        const words = faults.filter(({ check }) => check === `platform-calls.${id}`).map((fault) => fault.words)
        if (words.length === 0) continue
        run.last = { sent: '', received: `${name}:\n${content}` }
        expect(false, `${name}: ${words.join('; ')}`)
      }
    },
  }),
)

const names = { dedupe: true, documents: true, status: true }

export const platformCalls = checks([
  ...tried,
  {
    id: 'platform-events.given-up',
    section: 'D3 §8',
    title: 'a refused event is not retried',
    sends: '422 to the first EVENT_PROCESSING_FAILED',
    expects: 'no retry, for longer than a 503 took to be retried',
    needs: ['failure.told'],
    async run(run) {
      const { arrivals } = run.memory
      const refused = arrivals.find(({ answered }) => answered === 422)
      if (!refused) throw new Skip('no EVENT_PROCESSING_FAILED came: what fails is refused at once')
      const [first, second] = arrivals.filter(({ type }) => type === 'LEAD_SUBMITTED')
      const retryMs = first && second ? second.at - first.at : 0
      const until = Math.min(refused.at + retryMs * 1.5, Date.now() + run.settings.waitSeconds * 1000)
      await pause(Math.max(0, until - Date.now()))
      const tries = arrivals.filter(({ eventId }) => eventId === refused.eventId)
      expect(tries.length === 1, `it came ${tries.length} times`)
    },
  },
])
