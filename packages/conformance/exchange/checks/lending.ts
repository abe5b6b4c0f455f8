// Checks from the provider results to the payout, and of a payment claimed by the borrower (D3 §1.1, §6).

import { required } from '@lendloom/foundation/required'
import { uuidv4 } from '@lendloom/seal/id'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import { paiseOf } from '@lendloom/wire/exchange/fields'
import { checks, expect } from '#conformance/exchange/check.ts'
import { expectFailure, expectRefusal } from '#conformance/exchange/refusal-checks.ts'
import type { Run } from '#conformance/exchange/run.ts'
import { claim, kyc, mandate, providerFields } from '#conformance/exchange/test-borrower.ts'
import { storeDocument } from './documents.ts'

const outstanding = async (run: Run): Promise<string> =>
  required((await run.status()).soa, 'the statement of a disbursed loan').total_outstanding

const lendingChecks = checks([
  {
    id: 'events.gap',
    section: 'D3 §6',
    title: 'events are applied by entity_version, not by arrival',
    sends: 'KYC_UPDATED APPROVED, then KYC_UPDATED REQUESTED of the previous version',
    expects: '202 for both; Status shows neither until both have arrived, then APPROVED',
    needs: ['offer.accepted'],
    async run(run) {
      const document_ids = [await storeDocument(run, 'kyc', { type: 'KYC_REPORT' })]
      const requested = kyc(run, { status: 'REQUESTED', verified: false, document_ids: [], provider_event_id: null })
      const earlier = run.event('kyc requested', 'KYC_UPDATED', requested)
      const later = run.event('kyc approved', 'KYC_UPDATED', kyc(run, { document_ids }))
      const wasGapClosed = run.sentAs('kyc requested').tries > 0
      await run.submitRaw('kyc approved', later)
      if (!wasGapClosed) {
        await run.waitUntilQuiet()
        const { checks: before } = await run.status()
        expect(before.kyc === 'NOT_STARTED', `checks.kyc is ${before.kyc} while the previous version is missing`)
      }
      await run.submitRaw('kyc requested', earlier)
      await run.statusUntil(({ checks: current }) => current.kyc === 'APPROVED', 'checks.kyc is not APPROVED')
    },
  },
  {
    id: 'kyc.reviewed',
    section: 'D3 §6',
    title: 'the lender reviews the KYC, if it requires a review',
    sends: 'nothing more; reads Status, and waits for KYC_REVIEW_DECIDED if a review is due',
    expects: 'lender_kyc_review NOT_REQUIRED, or KYC_REVIEW_DECIDED with APPROVED for this KYC',
    needs: ['events.gap'],
    async run(run) {
      const { checks: current } = await run.status()
      if (current.lender_kyc_review === 'NOT_REQUIRED') return
      const person = `staff of the lender must approve the KYC of ${run.memory.caseRef}`
      const { data } = await run.awaitEvent({ type: 'KYC_REVIEW_DECIDED', person })
      const { provider_reference_id } = providerFields(run, 'kyc')
      expect(data.provider_reference_id === provider_reference_id, 'provider_reference_id is not that of the KYC')
      expect(data.decision === 'APPROVED', `the lender decided ${data.decision}`)
    },
  },
  {
    id: 'mandate.active',
    section: 'D3 §6',
    title: 'an active mandate is recorded',
    sends: 'MANDATE_UPDATED ACTIVE, verified',
    expects: '202; checks.mandate ACTIVE in Status',
    needs: ['kyc.reviewed'],
    async run(run) {
      await run.submit('mandate', 'MANDATE_UPDATED', mandate(run))
      await run.statusUntil(({ checks: current }) => current.mandate === 'ACTIVE', 'checks.mandate is not ACTIVE')
    },
  },
  {
    id: 'esign.completed',
    section: 'D3 §6',
    title: 'a completed signature is recorded',
    sends: 'ESIGN_UPDATED COMPLETED, verified',
    expects: '202; checks.esign COMPLETED in Status',
    needs: ['mandate.active'],
    async run(run) {
      const data = { ...exampleData('ESIGN_UPDATED'), ...providerFields(run, 'esign') }
      await run.submit('esign', 'ESIGN_UPDATED', data)
      await run.statusUntil(({ checks: current }) => current.esign === 'COMPLETED', 'checks.esign is not COMPLETED')
    },
  },
  {
    id: 'disbursement.not-early',
    section: 'D3 §1.1',
    title: 'nothing is paid out without the signed agreement',
    sends: 'nothing more; reads Status after a short wait',
    expects: 'no disbursement while the SIGNED_LOAN_AGREEMENT is not stored',
    needs: ['esign.completed'],
    async run(run) {
      if (run.memory.found['upload agreement'] !== undefined) return
      await run.waitUntilQuiet()
      const { disbursement, case_status } = await run.status()
      expect(disbursement === null, `there is a disbursement, ${disbursement?.status}; the case is ${case_status}`)
      expect(run.received('DISBURSEMENT_UPDATED').length === 0, 'DISBURSEMENT_UPDATED came before the agreement')
    },
  },
  {
    id: 'disbursement.paid',
    section: 'D3 §1.1',
    title: 'the loan is paid out',
    sends: 'POST /documents with the SIGNED_LOAN_AGREEMENT',
    expects: 'DISBURSEMENT_UPDATED DISBURSED with a bank_reference and net_disbursed_amount of the offer',
    needs: ['disbursement.not-early'],
    async run(run) {
      await storeDocument(run, 'agreement', { type: 'SIGNED_LOAN_AGREEMENT' })
      const person = `staff of the lender must pay out ${run.memory.caseRef}, to the account in the lead`
      const matches = ({ data }: { data: Record<string, unknown> }) => data.status !== 'PENDING'
      const { data } = await run.awaitEvent({ type: 'DISBURSEMENT_UPDATED', matches, person })
      expect(data.status === 'DISBURSED', `the disbursement is ${data.status}: ${data.reason_code}`)
      expect(typeof data.bank_reference === 'string', 'there is no bank_reference')
      expect(data.amount === run.found('net'), `amount is ${data.amount}, but the offer has ${run.found('net')}`)
    },
  },
  {
    id: 'loan.active',
    section: 'D3 §6',
    title: 'the loan is active',
    sends: 'nothing more; waits for LOAN_STATUS_UPDATED',
    expects: 'LOAN_STATUS_UPDATED ACTIVE, with a snapshot_version that Status has reached',
    needs: ['disbursement.paid'],
    async run(run) {
      const { data } = await run.awaitEvent({
        type: 'LOAN_STATUS_UPDATED',
        matches: ({ data }) => data.loan_status === 'ACTIVE',
      })
      const { snapshot_version } = await run.status()
      expect(
        snapshot_version >= Number(data.snapshot_version),
        `Status has version ${snapshot_version}, but the event names ${data.snapshot_version}`,
      )
    },
  },
  {
    id: 'status.disbursed',
    section: 'D3 §2.5',
    title: 'Status shows a disbursed loan',
    sends: 'GET /status',
    expects:
      'DISBURSED and ACTIVE, with account, statement and 22 weekly installments that add up to total_payable_amount',
    needs: ['loan.active'],
    async run(run) {
      const { case_status, loan_status, soa, amortization_schedule: schedule } = await run.status()
      expect(
        case_status === 'DISBURSED' && loan_status === 'ACTIVE',
        `case_status is ${case_status}, loan_status is ${loan_status}`,
      )
      expect(soa !== null && schedule !== null, 'statement or schedule is missing')
      const total = schedule.installments.reduce((sum, { amount }) => sum + paiseOf(amount), 0n)
      const agreed = run.found('total')
      expect(
        total === paiseOf(agreed),
        `the installments add up to ${total} paise, but total_payable_amount is ${agreed}`,
      )
    },
  },
  {
    id: 'claim.foreclosure',
    section: 'D3 §6',
    title: 'a claim of FORECLOSURE is refused',
    sends: 'PAYMENT_CLAIM_SUBMITTED with service_type FORECLOSURE, about this case',
    expects: 'a refusal with the error body of D3 §7, or EVENT_PROCESSING_FAILED',
    needs: ['status.disbursed'],
    async run(run) {
      const data = { ...claim('CONFORM-FORECLOSURE'), service_type: 'FORECLOSURE' }
      const { caseRef, version } = run.memory
      const event = run.envelope('PAYMENT_CLAIM_SUBMITTED', data, { reference: caseRef, version: version + 1 })
      const isStored = await expectFailure(run, Buffer.from(JSON.stringify(event)), {
        statuses: [400, 409, 422],
        codes: ['VALIDATION_ERROR', 'INVALID_STATE'],
      })
      if (isStored) run.memory.version++
    },
  },
  {
    id: 'claim.verified',
    section: 'D3 §6',
    title: 'a claim of a payment that was not received changes no balance',
    sends: 'PAYMENT_CLAIM_SUBMITTED of a payment that was never made',
    expects: '202, PAYMENT_UPDATED with the claim_reference, not POSTED, and the same total_outstanding',
    needs: ['status.disbursed'],
    async run(run) {
      const before = await outstanding(run)
      if (run.memory.found.claim === undefined) run.remember({ claim: `CLAIM-${uuidv4()}` })
      const reference = run.found('claim')
      const eventId = await run.submit('claim', 'PAYMENT_CLAIM_SUBMITTED', claim(reference))
      const { data } = await run.awaitEvent({
        type: 'PAYMENT_UPDATED',
        matches: ({ data }) => data.claim_reference === reference,
        causedBy: eventId,
      })
      const isOpen = data.status === 'PENDING_VERIFICATION' || data.status === 'FAILED'
      expect(isOpen, `the payment is ${data.status}, although none was made`)
      const after = await outstanding(run)
      expect(after === before, `total_outstanding changed from ${before} to ${after}`)
    },
  },
  {
    id: 'claim.once',
    section: 'D3 §6',
    title: 'a repeated claim creates no second payment',
    sends: 'the same PAYMENT_CLAIM_SUBMITTED, byte for byte',
    expects: '200, and one payment of this claim in Status',
    needs: ['claim.verified'],
    async run(run) {
      const { status } = await run.postEvent(Buffer.from(run.sentAs('claim').raw))
      expect(status === 200, `got status ${status}, expected 200`)
      await run.waitUntilQuiet()
      const { payments } = await run.status()
      const claimPayments = payments.filter(({ claim_reference }) => claim_reference === run.found('claim'))
      expect(claimPayments.length === 1, `${claimPayments.length} payments in Status have this claim_reference`)
    },
  },
])

const failureChecks = checks([
  {
    id: 'events.failure',
    section: 'D3 §6',
    title: 'a failure is never sent in response to a failure',
    sends: 'EVENT_PROCESSING_FAILED about LEAD_REGISTERED',
    expects: '202, and no EVENT_PROCESSING_FAILED about it',
    needs: ['lead.once'],
    async run(run) {
      const [registered] = run.received('LEAD_REGISTERED')
      const data = { ...exampleData('EVENT_PROCESSING_FAILED'), failed_at: new Date().toISOString() }
      const source_event_id = required(registered, 'LEAD_REGISTERED').eventId
      const eventId = await run.submit('failure', 'EVENT_PROCESSING_FAILED', { ...data, source_event_id })
      await run.waitUntilQuiet()
      expect(run.failureOf(eventId) === undefined, 'EVENT_PROCESSING_FAILED came about the failure event')
    },
  },
  {
    id: 'status.of-others',
    section: 'D3 §5.1',
    title: 'a case is found by its reference only',
    sends: 'GET /status with the partner IDs as references',
    expects: '404: only external_reference_id names a case',
    needs: ['lead.registered'],
    async run(run) {
      expectRefusal(await run.getStatus(run.found('leadId'), uuidv4()), [404])
    },
  },
])

export const lending = [...lendingChecks, ...failureChecks]
