// Checks from the confirmed decision to a payment: provider results, and reads of Status (D3 §1.1, §4.4, §6).

import type { EventType } from '@lendloom/wire/exchange/envelope'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import { type Check, checks, expect, Skip } from '#conformance/exchange/check.ts'
import { disbursementOf, paymentOf } from '#conformance/exchange/played-loan.ts'
import { filesOf } from '#conformance/exchange/played-status.ts'
import { expectStored } from '#conformance/exchange/receipt-checks.ts'
import { expectRetried } from '#conformance/exchange/retry-checks.ts'
import type { Run } from '#conformance/exchange/run.ts'
import { checkTypes } from './offer.ts'

const now = (): string => new Date().toISOString()

/** Waits for a provider's verified result; the run reviews a video KYC as the lender. */
async function awaitVerified(
  run: Run,
  type: (typeof checkTypes)[number],
  status: string,
  person: string,
): Promise<void> {
  const isDone = (data: Record<string, unknown>) => data.status === status
  const needsReview = (data: Record<string, unknown>) =>
    data.status === 'REVIEW_READY' && data.mode === 'VIDEO_AND_MANUAL_REVIEW'
  const { data } = await run.awaitEvent({
    type,
    person,
    matches: (each) => isDone(each.data) || needsReview(each.data),
  })
  if (needsReview(data)) {
    const { provider, provider_reference_id } = data
    const review = { ...exampleData('KYC_REVIEW_DECIDED'), reviewed_at: now() }
    const about = { provider: String(provider), provider_reference_id: String(provider_reference_id) }
    run.event('kyc review', 'KYC_REVIEW_DECIDED', { ...review, ...about })
    await expectStored(run, 'kyc review')
  }
  const done = await run.awaitEvent({ type, person, matches: (each) => isDone(each.data) })
  expect(done.data.verified === true, `${type} has the status ${status}, but is not verified by the provider`)
}

/** The position of the first such event among the arrivals, or -1. */
function arrivalIndexOf(run: Run, type: EventType, status: string): number {
  const event = run.received(type).find(({ data }) => data.status === status)
  return event ? run.memory.arrivals.indexOf(event.arrival) : -1
}

const providers: Check[] = [
  {
    id: 'checks.kyc',
    section: 'D3 §6',
    title: 'the provider’s KYC is sent',
    sends: 'nothing more; waits for KYC_UPDATED, and reviews a video KYC',
    expects: 'APPROVED, verified',
    needs: ['offer.confirmed'],
    run: (run) => awaitVerified(run, 'KYC_UPDATED', 'APPROVED', 'the borrower has to do the KYC'),
  },
  {
    id: 'checks.unanswered',
    section: 'D3 §8',
    title: 'an unanswered event is retried',
    sends: 'no response to the first attempt of KYC_UPDATED',
    expects: 'a retry of the same bytes, signed with its own time',
    needs: ['checks.kyc'],
    run: async (run) => expectRetried(run, 'KYC_UPDATED', 0),
  },
  {
    id: 'checks.mandate',
    section: 'D3 §1.1',
    title: 'the mandate follows the KYC',
    sends: 'nothing more; waits for MANDATE_UPDATED',
    expects: 'ACTIVE, verified, after KYC was APPROVED',
    needs: ['checks.kyc'],
    async run(run) {
      await awaitVerified(run, 'MANDATE_UPDATED', 'ACTIVE', 'the borrower has to register the mandate')
      const kyc = arrivalIndexOf(run, 'KYC_UPDATED', 'APPROVED')
      const mandate = arrivalIndexOf(run, 'MANDATE_UPDATED', 'ACTIVE')
      expect(mandate > kyc, 'the mandate was active before KYC was approved')
    },
  },
  {
    id: 'checks.esign',
    section: 'D3 §6',
    title: 'the signature is sent',
    sends: 'nothing more; waits for ESIGN_UPDATED',
    expects: 'COMPLETED, verified',
    needs: ['checks.kyc'],
    run: (run) => awaitVerified(run, 'ESIGN_UPDATED', 'COMPLETED', 'the borrower has to sign the agreement'),
  },
  {
    id: 'checks.files',
    section: 'D3 §4.3',
    title: 'the evidence of KYC and the signed agreement are sent',
    sends: 'nothing more; waits for POST /documents',
    expects: 'SIGNED_LOAN_AGREEMENT, and at least one KYC document',
    needs: ['checks.esign'],
    async run(run) {
      const evidence = ['KYC_REPORT', 'AADHAAR_VERIFICATION_PDF', 'PAN_VERIFICATION_PDF', 'VKYC_RECORDING']
      const find = () => {
        const types = filesOf(run.memory).map(({ document_type }) => document_type)
        return types.includes('SIGNED_LOAN_AGREEMENT') && evidence.some((type) => types.includes(type))
          ? true
          : undefined
      }
      await run.waitFor({ what: 'the files of KYC and signature', find })
    },
  },
  {
    id: 'checks.document-ids',
    section: 'D3 §6',
    title: 'events name stored files only',
    sends: 'nothing; checks KYC_UPDATED, MANDATE_UPDATED and ESIGN_UPDATED',
    expects: 'document_ids returned by POST /documents',
    needs: ['checks.files'],
    async run(run) {
      const storedIds = filesOf(run.memory).map(({ document_id }) => document_id)
      for (const type of checkTypes)
        for (const { data } of run.received(type)) {
          const ids: unknown[] = Array.isArray(data.document_ids) ? data.document_ids : []
          for (const id of ids)
            expect(
              storedIds.some((each) => each === id),
              `${type} names ${id}, which is not a stored file`,
            )
        }
    },
  },
]

/** The platform's reads of Status so far. */
export const readsOf = ({ memory }: Run) => memory.calls.filter(({ name }) => name === 'status')

/** Waits for the read of Status after the first `readCount`. */
export const nextRead = (run: Run, readCount: number, what: string) =>
  run.waitFor({ what, find: () => readsOf(run)[readCount] })

/** Passes if Status is read again after a faulty snapshot. Otherwise skips: showing pending data is allowed too. */
async function expectReadAgain(run: Run, fault: string): Promise<void> {
  const readIndex = readsOf(run).findIndex(({ content }) => content.includes(`"${fault}"`))
  if (readIndex < 0) throw new Skip('no such snapshot was read')
  await nextRead(run, readIndex + 1, `another GET /status after a snapshot that was ${fault}`).catch((error) => {
    throw new Skip(`${error.message}; check by hand if the platform shows pending data instead`)
  })
}

const loan: Check[] = [
  {
    id: 'loan.disbursed',
    section: 'D3 §6',
    title: 'Status is read after the payout',
    sends: 'DISBURSEMENT_UPDATED, DISBURSED, with the bank’s reference',
    expects: '202, then GET /status',
    needs: ['checks.files', 'checks.mandate'],
    async run(run) {
      if (run.memory.found.disbursedAt === undefined)
        run.remember({
          disbursedAt: now(),
          nextSnapshots: 'inconsistent stale',
          readsBefore: String(readsOf(run).length),
        })
      run.event('disbursed', 'DISBURSEMENT_UPDATED', disbursementOf(run.memory))
      await expectStored(run, 'disbursed')
      await nextRead(run, Number(run.found('readsBefore')), 'GET /status')
    },
  },
  {
    id: 'status.inconsistent',
    section: 'D3 §4.4',
    title: 'an inconsistent snapshot is read again',
    sends: 'a snapshot whose total_outstanding is not the sum of its parts',
    expects: 'another GET /status; check by hand if the platform shows pending data instead',
    needs: ['loan.disbursed'],
    run: (run) => expectReadAgain(run, 'inconsistent'),
  },
  {
    id: 'status.stale',
    section: 'D3 §8',
    title: 'a snapshot from 16 minutes ago is read again',
    sends: 'a snapshot of the same state, 16 minutes old',
    expects: 'another GET /status; check by hand if the platform shows pending data instead',
    needs: ['status.inconsistent'],
    run: (run) => expectReadAgain(run, 'stale'),
  },
  {
    id: 'loan.news',
    section: 'D3 §6',
    title: 'Status is read after a change of the account',
    sends: 'LOAN_STATUS_UPDATED with an unread snapshot_version',
    expects: '202, then GET /status',
    needs: ['loan.disbursed'],
    async run(run) {
      const readCount = readsOf(run).length
      const snapshot_version = run.memory.lastSnapshot + 1
      const change = { ...exampleData('LOAN_STATUS_UPDATED'), snapshot_version, updated_at: now() }
      run.event('news', 'LOAN_STATUS_UPDATED', change)
      await expectStored(run, 'news')
      await nextRead(run, readCount, 'GET /status')
    },
  },
  {
    id: 'loan.payment',
    section: 'D3 §6',
    title: 'Status is read after a payment',
    sends: 'PAYMENT_UPDATED, POSTED, entity_version 1 of the payment',
    expects: '202, then GET /status',
    needs: ['loan.news'],
    async run(run) {
      const readCount = readsOf(run).length
      run.remember({ paidAt: run.memory.found.paidAt ?? now() })
      const payment = paymentOf(run.memory)
      run.event('payment', 'PAYMENT_UPDATED', payment, { entity_id: payment.payment_id, entity_version: 1 })
      await expectStored(run, 'payment')
      await nextRead(run, readCount, 'GET /status')
    },
  },
]

export const platformLending = checks([...providers, ...loan])
