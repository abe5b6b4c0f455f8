// A snapshot of a case, and the rules between its parts (D3 §2.5, §3, §4.4).
import type { FieldError } from '@lendloom/foundation/refusal'
import { faults, fits, OneOf, orNull, type Static, Type, Uuid } from '@lendloom/foundation/schema'
import {
  AmortizationSchedule,
  checkDisbursement,
  checkPayment,
  checkSchedule,
  checkSoa,
  Disbursement,
  PaymentStatusReport,
  Soa,
} from './account.ts'
import { type DocumentType, ManifestEntry } from './document.ts'
import { loanStatuses } from './event/account.ts'
import { offerDecisions } from './event/decision.ts'
import { kycReviewDecisions, kycStatuses } from './event/kyc.ts'
import { esignStatuses, mandateStatuses } from './event/mandate.ts'
import { brokenRules, Id, Ids, Instant, isLater, LoanId, paiseOf, repeatedIndexes, Version } from './fields.ts'

const beforeRegistration: readonly CaseStatus[] = ['RECEIVED', 'REJECTED', 'EXPIRED']
const offeredStatuses: readonly CaseStatus[] = ['OFFERED']
const acceptedStatuses: readonly CaseStatus[] = [
  'OFFER_ACCEPTED',
  'KYC_PENDING',
  'MANDATE_PENDING',
  'ESIGN_PENDING',
  'READY_TO_DISBURSE',
  'DISBURSEMENT_PENDING',
  'DISBURSED',
]
/** Document types that prove an approved KYC; the provider's workflow determines which exist (D3 §4.3). */
const kycEvidence: readonly DocumentType[] = [
  'KYC_REPORT',
  'AADHAAR_VERIFICATION_PDF',
  'PAN_VERIFICATION_PDF',
  'VKYC_RECORDING',
]
const clearedStatuses: readonly CaseStatus[] = ['READY_TO_DISBURSE', 'DISBURSEMENT_PENDING', 'DISBURSED']

/** Contradictions between parts of a snapshot. */
const contradictions = (status: SnapshotStatus): FieldError[] => [
  ...identityFaults(status),
  ...offerFaults(status),
  ...disbursementFaults(status),
  ...accountFaults(status),
  ...paymentFaults(status),
  ...timeFaults(status),
]

function identityFaults({
  celestium_lead_id: lead,
  celestium_loan_id: loan,
  case_status,
  documents,
}: SnapshotStatus): FieldError[] {
  const stored = documents.stored.map(({ document_reference_id }) => document_reference_id)
  const isRegistered = !beforeRegistration.includes(case_status)
  return [
    ...brokenRules(
      '',
      [isRegistered && lead === null, 'celestium_lead_id', `is required when case_status is ${case_status}`],
      [isRegistered && loan === null, 'celestium_loan_id', `is required when case_status is ${case_status}`],
      [
        !isRegistered && (lead === null) !== (loan === null),
        'celestium_loan_id',
        'is known or unknown with celestium_lead_id',
      ],
      [
        case_status === 'DOCUMENTS_PENDING' && documents.pending.length === 0,
        'documents.pending',
        'must not be empty when case_status is DOCUMENTS_PENDING',
      ],
    ),
    ...repeatedIndexes(stored).map((i) => ({
      path: `documents.stored.${i}.document_reference_id`,
      message: 'appears twice',
    })),
    ...documents.pending.flatMap((id, i) =>
      stored.includes(id) ? [{ path: `documents.pending.${i}`, message: 'is stored already' }] : [],
    ),
  ]
}

function offerFaults({ offer, case_status }: SnapshotStatus): FieldError[] {
  const isAccepted = acceptedStatuses.includes(case_status)
  const isPending = offer?.decision === 'PENDING'
  const isUnrecorded = offer !== null && (offer.source_event_id === null || offer.recorded_at === null)
  const isRecordedEarly = offer !== null && isPending && (offer.source_event_id !== null || offer.recorded_at !== null)
  return brokenRules(
    '',
    [
      offer === null && (isAccepted || offeredStatuses.includes(case_status)),
      'offer',
      `is required when case_status is ${case_status}`,
    ],
    [
      offer !== null && isAccepted && offer.decision !== 'ACCEPT',
      'offer.decision',
      `must be ACCEPT when case_status is ${case_status}`,
    ],
    [offer?.decision === 'ACCEPT' && isUnrecorded, 'offer.recorded_at', 'is required with the event of a decision'],
    [isRecordedEarly, 'offer.recorded_at', 'must be null, and source_event_id too, until a decision is recorded'],
  )
}

function disbursementFaults({
  case_status,
  loan_status,
  disbursement,
  checks,
  documents,
}: SnapshotStatus): FieldError[] {
  const isDisbursed = case_status === 'DISBURSED'
  const isCleared = clearedStatuses.includes(case_status)
  const types = documents.stored.map(({ document_type }) => document_type)
  const isSigned = types.includes('SIGNED_LOAN_AGREEMENT')
  const isIdentified = types.some((type) => kycEvidence.includes(type))
  return brokenRules(
    '',
    [isCleared && checks.kyc !== 'APPROVED', 'checks.kyc', `must be APPROVED when case_status is ${case_status}`],
    [isCleared && checks.esign !== 'COMPLETED', 'checks.esign', `must be COMPLETED when case_status is ${case_status}`],
    [
      isCleared && !isSigned,
      'documents.stored',
      `must have the SIGNED_LOAN_AGREEMENT when case_status is ${case_status}`,
    ],
    [isCleared && !isIdentified, 'documents.stored', `must have a KYC file when case_status is ${case_status}`],
    [
      isCleared && documents.pending.length > 0,
      'documents.pending',
      `must be empty when case_status is ${case_status}`,
    ],
    [
      isDisbursed !== (disbursement?.status === 'DISBURSED'),
      'disbursement.status',
      'must be DISBURSED if and only if case_status is',
    ],
    [
      !isDisbursed && !['NOT_CREATED', 'CANCELLED'].includes(loan_status),
      'loan_status',
      `must not be ${loan_status} before the loan is disbursed`,
    ],
  )
}

function accountFaults(status: SnapshotStatus): FieldError[] {
  const { soa, amortization_schedule, loan_account_id, loan_status } = status
  const hasAccount = loan_account_id !== null
  const requiresAccount = ['ACTIVE', 'OVERDUE', 'CLOSED'].includes(loan_status)
  const message = hasAccount ? 'is required with loan_account_id' : 'must be null before there is an account'
  return brokenRules(
    '',
    [requiresAccount && !hasAccount, 'loan_account_id', `is required when loan_status is ${loan_status}`],
    [loan_status === 'NOT_CREATED' && hasAccount, 'loan_account_id', 'must be null when loan_status is NOT_CREATED'],
    [hasAccount !== (soa !== null), 'soa', message],
    [hasAccount !== (amortization_schedule !== null), 'amortization_schedule', message],
    [!hasAccount && status.payments.length > 0, 'payments', 'must be empty before there is an account'],
    [
      loan_status === 'CLOSED' && soa !== null && paiseOf(soa.total_outstanding) > 0n,
      'soa.total_outstanding',
      'must be "0.00" when loan_status is CLOSED',
    ],
    [
      loan_status === 'OVERDUE' && soa !== null && paiseOf(soa.total_overdue) === 0n,
      'soa.total_overdue',
      'must be above "0.00" when loan_status is OVERDUE',
    ],
  )
}

function paymentFaults({ payments }: SnapshotStatus): FieldError[] {
  const ids = payments.map(({ payment_id }) => payment_id)
  const known = new Set(ids)
  return [
    ...repeatedIndexes(ids).map((i) => ({ path: `payments.${i}.payment_id`, message: 'appears twice' })),
    ...payments.flatMap(({ reversal_of_payment_id: original }, i) =>
      original !== null && !known.has(original)
        ? [{ path: `payments.${i}.reversal_of_payment_id`, message: 'must name a payment of this snapshot' }]
        : [],
    ),
  ]
}

/** No change of the lender may be later than the snapshot. */
function timeFaults(status: SnapshotStatus): FieldError[] {
  const { snapshot_at, soa, amortization_schedule, disbursement, payments, offer } = status
  const times: [path: string, at: string | null | undefined][] = [
    ['soa.updated_at', soa?.updated_at],
    ['amortization_schedule.updated_at', amortization_schedule?.updated_at],
    ['disbursement.updated_at', disbursement?.updated_at],
    ['offer.recorded_at', offer?.recorded_at],
    ...payments.map(({ updated_at }, i): [string, string] => [`payments.${i}.updated_at`, updated_at]),
  ]
  return times.flatMap(([path, at]) =>
    at && isLater(at, snapshot_at) ? [{ path, message: 'is later than snapshot_at' }] : [],
  )
}

/** Returns why a snapshot is invalid, each reason starting with its field; empty if it is complete and consistent. */
export function inconsistencies(json: unknown): string[] {
  const found = fits(SnapshotStatus, json) ? statusFaults(json) : faults(SnapshotStatus, json)
  return found.map(({ path, message }) => `${path || 'body'} ${message}`)
}

const statusFaults = (status: SnapshotStatus) => [
  ...contradictions(status),
  ...(status.disbursement ? checkDisbursement(status.disbursement, 'disbursement') : []),
  ...(status.soa ? checkSoa(status.soa) : []),
  ...(status.amortization_schedule ? checkSchedule(status.amortization_schedule) : []),
  ...status.payments.flatMap((payment, i) => checkPayment(payment, `payments.${i}`)),
]

/** D3 §3. */
export const caseStatuses = [
  'RECEIVED',
  'DOCUMENTS_PENDING',
  'UNDER_REVIEW',
  'OFFERED',
  'OFFER_ACCEPTED',
  'KYC_PENDING',
  'MANDATE_PENDING',
  'ESIGN_PENDING',
  'READY_TO_DISBURSE',
  'DISBURSEMENT_PENDING',
  'DISBURSED',
  'REJECTED',
  'EXPIRED',
] as const
export type CaseStatus = (typeof caseStatuses)[number]

export const StatusQuery = Type.Object({ external_reference_id: Id })

const StatusOffer = Type.Object({
  offer_id: Id,
  decision: OneOf(['PENDING', ...offerDecisions]),
  source_event_id: orNull(Uuid),
  recorded_at: orNull(Instant),
})

export const SnapshotChecks = Type.Object({
  kyc: OneOf(['NOT_STARTED', ...kycStatuses]),
  lender_kyc_review: OneOf(['NOT_STARTED', 'NOT_REQUIRED', ...kycReviewDecisions]),
  mandate: OneOf(['NOT_STARTED', ...mandateStatuses]),
  esign: OneOf(['NOT_STARTED', ...esignStatuses]),
})
export type SnapshotChecks = Static<typeof SnapshotChecks>

const StoredDocument = Type.Object({ ...ManifestEntry.properties, document_id: Id })

export const SnapshotStatus = Type.Object({
  request_id: Uuid,
  external_reference_id: Id,
  celestium_lead_id: orNull(Id),
  celestium_loan_id: orNull(LoanId),
  snapshot_version: Version,
  snapshot_at: Instant,
  case_status: OneOf(caseStatuses),
  loan_status: OneOf(loanStatuses),
  loan_account_id: orNull(Id),
  offer: orNull(StatusOffer),
  checks: SnapshotChecks,
  documents: Type.Object({ stored: Type.Array(StoredDocument), pending: Ids }),
  /** Null before the transfer: its amount is unknown until then. */
  disbursement: orNull(Disbursement),
  soa: orNull(Soa),
  amortization_schedule: orNull(AmortizationSchedule),
  payments: Type.Array(PaymentStatusReport),
})
export type SnapshotStatus = Static<typeof SnapshotStatus>

/** D3 §8. Decisions about money never use an older snapshot. */
export const freshForMs = 15 * 60_000

/** Whether a snapshot is recent enough for decisions about money. A snapshot from the future is not: a clock is wrong. */
export function isFresh({ snapshot_at }: Pick<SnapshotStatus, 'snapshot_at'>, at: Date): boolean {
  const ageMs = at.getTime() - Date.parse(snapshot_at)
  return ageMs <= freshForMs && ageMs >= -freshForMs
}
