// Status of the case as the played lending partner reports it, with a fault if a check has ordered one (D3 §4.4).

import { fieldsOf } from '@lendloom/foundation/record'
import { kycStatuses } from '@lendloom/wire/exchange/event/kyc'
import { esignStatuses, mandateStatuses } from '@lendloom/wire/exchange/event/mandate'
import type { CaseStatus, SnapshotChecks } from '@lendloom/wire/exchange/snapshot'
import { accountOf, claimedPaymentOf, disbursementOf, newestDataOf, paymentOf, receivedLead } from './played-loan.ts'
import type { Memory } from './run-memory.ts'

/** The fault of a snapshot, which a check orders. */
export type SnapshotFault = 'inconsistent' | 'stale'

/** More than the 15 minutes that D3 §8 allows. */
const staleMs = 16 * 60_000

/** The stored files with their document IDs. */
export function filesOf({ calls, found }: Memory) {
  const stored = calls.filter(({ name, answered }) => name === 'documents' && (answered === 201 || answered === 200))
  const byReference = new Map(
    stored.map(({ content }) => {
      const fields = fieldsOf(fieldsOf(JSON.parse(content)).fields)
      return [String(fields.document_reference_id), String(fields.document_type)]
    }),
  )
  return [...byReference].map(([document_reference_id, document_type]) => ({
    document_reference_id,
    document_type,
    document_id: String(found[`file ${document_reference_id}`]),
  }))
}

/** The references of announced files that are not stored. */
export function pendingOf(memory: Memory): string[] {
  const stored = filesOf(memory).map(({ document_reference_id }) => document_reference_id)
  const expected = receivedLead(memory)?.documents_expected ?? []
  return expected.flatMap(({ document_reference_id: id }) => (stored.includes(id) ? [] : [id]))
}

function checksOf(memory: Memory): SnapshotChecks {
  const statusOf = <T extends string>(type: string, all: readonly T[]): T | 'NOT_STARTED' =>
    all.find((status) => status === newestDataOf(memory, type)?.status) ?? 'NOT_STARTED'
  return {
    kyc: statusOf('KYC_UPDATED', kycStatuses),
    lender_kyc_review: memory.sent['kyc review'] ? 'APPROVED' : 'NOT_REQUIRED',
    mandate: statusOf('MANDATE_UPDATED', mandateStatuses),
    esign: statusOf('ESIGN_UPDATED', esignStatuses),
  }
}

function caseStatusOf(memory: Memory, { kyc, mandate, esign }: SnapshotChecks): CaseStatus {
  const { leadId, offerId, recordedAt, rejectedAt, disbursedAt } = memory.found
  if (disbursedAt !== undefined) return 'DISBURSED'
  if (rejectedAt !== undefined) return 'REJECTED'
  if (recordedAt !== undefined) {
    if (kyc !== 'APPROVED') return 'KYC_PENDING'
    return mandate === 'ACTIVE' && esign !== 'COMPLETED' ? 'ESIGN_PENDING' : 'MANDATE_PENDING'
  }
  if (offerId !== undefined) return 'OFFERED'
  if (leadId === undefined) return 'RECEIVED'
  return pendingOf(memory).length > 0 ? 'DOCUMENTS_PENDING' : 'UNDER_REVIEW'
}

/** Creates the next snapshot. */
export function playedStatus(memory: Memory, requestId: string, fault: SnapshotFault | undefined): object {
  const { leadId = null, loanId = null, offerId, disbursedAt, paidAt } = memory.found
  const { rejectedAt, recordedAt = rejectedAt ?? null } = memory.found
  const claimedPayment = claimedPaymentOf(memory)
  const checks = checksOf(memory)
  const account = accountOf(memory)
  const status = {
    request_id: requestId,
    external_reference_id: memory.caseRef,
    celestium_lead_id: leadId,
    celestium_loan_id: loanId,
    snapshot_version: ++memory.lastSnapshot,
    snapshot_at: new Date().toISOString(),
    case_status: caseStatusOf(memory, checks),
    loan_status: disbursedAt === undefined ? 'NOT_CREATED' : 'ACTIVE',
    ...account,
    offer:
      offerId === undefined
        ? null
        : {
            offer_id: offerId,
            decision: recordedAt === null ? 'PENDING' : rejectedAt === undefined ? 'ACCEPT' : 'REJECT',
            source_event_id: recordedAt === null ? null : String(memory.found.decisionEventId),
            recorded_at: recordedAt,
          },
    checks,
    documents: { stored: filesOf(memory), pending: pendingOf(memory) },
    disbursement: disbursedAt === undefined ? null : disbursementOf(memory),
    payments: [...(paidAt === undefined ? [] : [paymentOf(memory)]), ...(claimedPayment ? [claimedPayment] : [])],
  }
  if (fault === 'inconsistent')
    return { ...status, ...(account.soa && { soa: { ...account.soa, total_outstanding: '1.00' } }) }
  return fault === 'stale' ? agedBy(status, staleMs) : status
}

/** Moves all times of a snapshot back. */
const agedBy = (status: object, ms: number): object =>
  JSON.parse(JSON.stringify(status), (key, value) =>
    key.endsWith('_at') && typeof value === 'string' ? new Date(Date.parse(value) - ms).toISOString() : value,
  )
