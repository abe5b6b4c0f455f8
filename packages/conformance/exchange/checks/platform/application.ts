// Checks of an application through the platform: duplicate check, lead, registration, announced files (D3 §1.1, §4).

import { fieldsOf } from '@lendloom/foundation/record'
import { isValid } from '#conformance/exchange/arriving-events.ts'
import { type Check, checks, expect, Skip } from '#conformance/exchange/check.ts'
import { receivedLead } from '#conformance/exchange/played-loan.ts'
import { pendingOf } from '#conformance/exchange/played-status.ts'
import { expectCallRetried, expectRetried } from '#conformance/exchange/retry-checks.ts'
import { registration } from './registration.ts'

const leadChecks: Check[] = [
  {
    id: 'application.dedupe',
    section: 'D3 §1.1',
    title: 'an application starts with a duplicate check',
    sends: 'nothing; a person submits one application through the platform',
    expects: 'POST /dedupe at the address of --listen',
    async run(run) {
      const { listensAt } = run.settings
      if (listensAt === null) throw new Skip('without --listen no application can arrive')
      const person = `send one application through the platform, whose lending partner is ${listensAt}`
      await run.awaitCall('dedupe', { person })
    },
  },
  {
    id: 'application.dedupe-retried',
    section: 'D3 §7',
    title: 'a duplicate check is retried after 503',
    sends: '503 to the first POST /dedupe',
    expects: 'the same request_id, Idempotency-Key and content',
    needs: ['application.dedupe'],
    run: (run) => expectCallRetried(run, 'dedupe'),
  },
  {
    id: 'lead.submitted',
    section: 'D3 §2.3',
    title: 'the lead is about the checked person',
    sends: 'PROCEED; then waits for LEAD_SUBMITTED',
    expects:
      'the dedupe_reference_id of the response, the PAN, mobile and date of birth of the request, entity_version 1',
    needs: ['application.dedupe'],
    async run(run) {
      const person = 'the borrower has to select the indicative offer of this lender'
      const { data, arrival } = await run.awaitEvent({ type: 'LEAD_SUBMITTED', person })
      expect(isValid(arrival), `the lead is invalid: ${arrival.faults.map(({ words }) => words).join('; ')}`)
      const request = run.memory.calls.findLast(({ name, answered }) => name === 'dedupe' && answered === 200)
      expect(request !== undefined, 'LEAD_SUBMITTED came before a duplicate check was answered')
      const { dedupe_reference_id } = fieldsOf(JSON.parse(run.found(`reply ${request.key}`)))
      expect(data.dedupe_reference_id === dedupe_reference_id, 'dedupe_reference_id is not that of the check')
      const applicant = fieldsOf(fieldsOf(JSON.parse(request.content)).applicant)
      for (const name of ['pan', 'mobile', 'date_of_birth'])
        expect(fieldsOf(data.borrower)[name] === applicant[name], `borrower.${name} is not that of the check`)
      expect(arrival.version === 1, `entity_version is ${arrival.version}, not 1`)
    },
  },
  {
    id: 'lead.permitted',
    section: 'D3 §2.3',
    title: 'the lead is permitted',
    sends: 'nothing; checks LEAD_SUBMITTED',
    expects:
      'consent to sharing and submission, and to the bureau and bank data in the lead; a bre_decision that is not INELIGIBLE, each file announced once',
    needs: ['lead.submitted'],
    async run({ memory }) {
      const lead = receivedLead(memory)
      expect(lead !== null, 'there is no lead')
      const { consents, bureau, banking } = lead
      const requiredConsents = [
        consents.data_sharing.accepted && consents.submission.accepted,
        bureau.status !== 'AVAILABLE' || consents.bureau.accepted,
        banking.status !== 'COMPLETED' || consents.bank_analysis.accepted,
      ]
      expect(!requiredConsents.includes(false), 'the lead contains data without a consent')
      expect(lead.proposed_offer.bre_decision !== 'INELIGIBLE', 'bre_decision is INELIGIBLE')
      const references = lead.documents_expected.map((each) => each.document_reference_id)
      expect(new Set(references).size === references.length, 'a document_reference_id appears twice')
    },
  },
  {
    id: 'lead.retried',
    section: 'D3 §8',
    title: 'an event is retried after 503',
    sends: '503 to the first attempt of LEAD_SUBMITTED',
    expects: 'a retry of the same bytes, signed with its own time',
    needs: ['lead.submitted'],
    run: async (run) => expectRetried(run, 'LEAD_SUBMITTED', 503),
  },
  {
    id: 'lead.no-early-files',
    section: 'D3 §4.3',
    title: 'no file is sent before the partner IDs',
    sends: 'nothing; LEAD_REGISTERED is not sent yet',
    expects: 'no POST /documents',
    needs: ['lead.submitted'],
    async run(run) {
      if (run.memory.found.leadId) return
      await run.waitUntilQuiet()
      expect(!run.memory.calls.some(({ name }) => name === 'documents'), 'a file came before LEAD_REGISTERED')
    },
  },
]

const fileChecks: Check[] = [
  {
    id: 'documents.manifest',
    section: 'D3 §4.3',
    title: 'every announced file is sent',
    sends: 'nothing; waits for POST /documents',
    expects: 'each document_reference_id of the lead, with its document_type',
    needs: ['registered.stored'],
    run: async (run) =>
      void (await run.waitFor({
        what: 'all files of the lead',
        find: () => (pendingOf(run.memory).length === 0 ? true : undefined),
      })),
  },
  {
    id: 'documents.retried',
    section: 'D3 §4.3',
    title: 'a file is retried after 503',
    sends: '503 to the first POST /documents',
    expects: 'the same request_id, Idempotency-Key, fields and bytes',
    needs: ['documents.manifest'],
    async run(run) {
      if (!run.memory.calls.some(({ name }) => name === 'documents')) throw new Skip('the lead announces no file')
      await expectCallRetried(run, 'documents')
    },
  },
]

export const application = checks([...leadChecks, ...registration, ...fileChecks])
