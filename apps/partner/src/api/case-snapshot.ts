// Reads the snapshot of a case, in wire format, from one database snapshot (D3 §2.5, §4.4).

import { rupees } from '@lendloom/lending/money'
import type { Run } from '@lendloom/postgres/sql'
import type { AmortizationSchedule, Soa } from '@lendloom/wire/exchange/account'
import type { SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import type { Context } from '#partner/context.ts'
import { missingFileTypes } from '#partner/origination/case/disbursement-blockers.ts'
import { factsOf } from '#partner/origination/case/recheck-case.ts'
import { findCase, isLeadReceived, readStop } from '#partner/origination/case/store.ts'
import { storedDocuments } from '#partner/origination/document/manifest.ts'
import type { Offer } from '#partner/origination/review/offer.ts'
import { currentOffer } from '#partner/origination/review/store.ts'
import { disbursementOf, paymentsOf } from '#partner/servicing/collection/reported-payments.ts'
import { loanStatusOf } from '#partner/servicing/collection/stop-case.ts'
import { type AccountView, accountOf } from '#partner/servicing/loan/account-view.ts'

export type Snapshot = Omit<SnapshotStatus, 'request_id' | 'external_reference_id'>

/** Returns null if the sender has no case or lead with this reference. A lead that is not applied yet is `RECEIVED`. */
export async function readCaseSnapshot(
  db: Run,
  ctx: Pick<Context, 'seal' | 'clock'>,
  sender: string,
  caseRef: string,
): Promise<Snapshot | null> {
  const loanCase = await findCase(db, sender, caseRef)
  // The clock is read after the database snapshot is taken, so that no change is later than `snapshot_at`.
  const at = ctx.clock()
  if (!loanCase) return (await isLeadReceived(db, sender, caseRef)) ? receivedSnapshot(at) : null
  const [facts, stored, offer, disbursement, account, payments, stop] = await Promise.all([
    factsOf(db, ctx, loanCase, at),
    storedDocuments(db, caseRef),
    currentOffer(db, caseRef),
    disbursementOf(db, caseRef),
    accountOf(db, caseRef),
    paymentsOf(db, caseRef),
    readStop(db, caseRef),
  ])
  const { kyc, lenderKycReview, mandate, esign } = facts.checks
  return {
    celestium_lead_id: loanCase.leadId,
    celestium_loan_id: loanCase.loanId,
    snapshot_version: loanCase.snapshotVersion,
    snapshot_at: at.toISOString(),
    case_status: loanCase.status,
    loan_status: account?.loanStatus ?? loanStatusOf(stop),
    loan_account_id: account?.loanAccountId ?? null,
    offer: offer ? wireDecision(offer) : null,
    checks: {
      kyc: kyc.status,
      lender_kyc_review: lenderKycReview.status,
      mandate: mandate.status,
      esign: esign.status,
    },
    documents: {
      stored: stored.map(({ documentReferenceId, documentId, documentType }) => ({
        document_reference_id: documentReferenceId,
        document_id: documentId,
        document_type: documentType,
      })),
      // A required file without an announced reference is listed by its type.
      pending: [...facts.pending, ...missingFileTypes(facts)],
    },
    disbursement,
    soa: account && wireSoa(account),
    amortization_schedule: account && wireSchedule(account),
    payments,
  }
}

const receivedSnapshot = (at: Date): Snapshot => ({
  celestium_lead_id: null,
  celestium_loan_id: null,
  snapshot_version: 1,
  snapshot_at: at.toISOString(),
  case_status: 'RECEIVED',
  loan_status: 'NOT_CREATED',
  loan_account_id: null,
  offer: null,
  checks: { kyc: 'NOT_STARTED', lender_kyc_review: 'NOT_STARTED', mandate: 'NOT_STARTED', esign: 'NOT_STARTED' },
  documents: { stored: [], pending: [] },
  disbursement: null,
  soa: null,
  amortization_schedule: null,
  payments: [],
})

const wireDecision = (offer: Offer): NonNullable<Snapshot['offer']> => ({
  offer_id: offer.offerId,
  decision: offer.decision,
  source_event_id: offer.sourceEventId,
  recorded_at: offer.recordedAt?.toISOString() ?? null,
})

const wireSoa = ({ soa }: AccountView): Soa => ({
  currency: soa.currency,
  updated_at: soa.updatedAt.toISOString(),
  disbursed_amount: rupees(soa.disbursedPaise),
  principal_outstanding: rupees(soa.principalPaise),
  interest_outstanding: rupees(soa.interestPaise),
  penalty_outstanding: rupees(soa.penaltyPaise),
  charges_outstanding: rupees(soa.chargesPaise),
  total_outstanding: rupees(soa.totalPaise),
  total_overdue: rupees(soa.overduePaise),
})

const wireSchedule = ({ schedule }: AccountView): AmortizationSchedule => ({
  schedule_version: schedule.scheduleVersion,
  updated_at: schedule.updatedAt.toISOString(),
  frequency: schedule.frequency,
  installments: schedule.installments.map((row) => ({
    installment_id: row.installmentId,
    installment_number: row.number,
    due_date: row.dueOn,
    principal: rupees(row.principalPaise),
    interest: rupees(row.interestPaise),
    charges: rupees(row.chargesPaise),
    amount: rupees(row.amountPaise),
    paid_amount: rupees(row.paidPaise),
    unpaid_amount: rupees(row.unpaidPaise),
    status: row.status,
    updated_at: row.updatedAt.toISOString(),
  })),
})
