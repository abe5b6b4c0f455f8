// The stored checks of a case, and which reports of providers are stored (D3 §3, §6 rules 1 and 2).

import { PrerequisiteError } from '@lendloom/event-log/inbox'
import { next, type Table } from '@lendloom/foundation/machine'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Run, Tx } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import { kycMachine } from '@lendloom/wire/exchange/event/kyc'
import { esignMachine, mandateMachine } from '@lendloom/wire/exchange/event/mandate'
import { railOf } from '#partner/bank/rail/rails.ts'
import type { CheckName, Checks } from './checks.ts'
import { type Case, checkContext, hasEndedWithoutLoan, isBeingChecked } from './lifecycle.ts'
import { keysOfReferences } from './search/search-key.ts'
import { addSearchKeys } from './search/store.ts'
import { putCheck, readChecks, type StoredCheck } from './store.ts'

/** Returns all checks of a case. A check without a report is NOT_STARTED. */
export async function checksOf(db: Run, seal: Seal, caseRef: string): Promise<Checks> {
  const rows = await readChecks(db, caseRef)
  return {
    kyc: openCheck(
      seal,
      rows.find((row) => row.name === 'kyc'),
    ),
    lenderKycReview: openCheck(
      seal,
      rows.find((row) => row.name === 'lender_kyc_review'),
    ),
    mandate: openCheck(
      seal,
      rows.find((row) => row.name === 'mandate'),
    ),
    esign: openCheck(
      seal,
      rows.find((row) => row.name === 'esign'),
    ),
  }
}

function openCheck<Status extends string, Facts>(
  seal: Seal,
  row: StoredCheck<CheckName, Status> | undefined,
): { status: Status | 'NOT_STARTED'; verified: boolean; facts: Facts | null } {
  if (!row) return { status: 'NOT_STARTED', verified: false, facts: null }
  const { caseRef, name, status, verified, factsSealed } = row
  return { status, verified, facts: seal.openJson<Facts>(factsSealed, checkContext(caseRef, name)) }
}

export interface CheckReport {
  status: string
  verified: boolean
  facts: object
  happenedAt: Date
}

interface NewCheck {
  name: CheckName
  report: CheckReport
  at: Date
}

/** Stores a report, and makes the case searchable by the report's references. */
export async function storeCheck(
  tx: Tx,
  seal: Seal,
  { caseRef }: Case,
  { name, report: { facts, ...result }, at }: NewCheck,
): Promise<void> {
  const rail = 'umrn' in facts && typeof facts.umrn === 'string' ? railOf(facts.umrn).method : null
  const factsSealed = seal.json(facts, checkContext(caseRef, name))
  await Promise.all([
    putCheck(tx, { caseRef, name, ...result, factsSealed, rail, recordedAt: at }),
    addSearchKeys(tx, caseRef, keysOfReferences(seal, facts)),
  ])
}

type ProviderCheck = 'kyc' | 'mandate' | 'esign'

/** The allowed transitions of one request to a provider. The same status may be reported again. */
const machines: Record<ProviderCheck, Table<string, string>> = {
  kyc: kycMachine,
  mandate: mandateMachine,
  esign: esignMachine,
}

/** The status of each check that counts only when the provider confirmed it (D3 §6 KYC_UPDATED, MANDATE_UPDATED). */
const successStatuses: Record<ProviderCheck, string> = { kyc: 'APPROVED', mandate: 'ACTIVE', esign: 'COMPLETED' }

/**
 * Whether a report claims a success that the provider did not confirm. It is not recorded: it would show a success in
 * Status, lock out the confirmed result of another request, and undo a confirmed one (D3 §6).
 */
export const isUnconfirmedSuccess = (
  name: ProviderCheck,
  { status, verified }: Pick<CheckReport, 'status' | 'verified'>,
): boolean => status === successStatuses[name] && !verified

/** Statuses after which reports of another request are rejected, so that an approval or a signature stays. */
const finalStatuses: Record<ProviderCheck, string[]> = { kyc: ['APPROVED'], mandate: [], esign: ['COMPLETED'] }

interface CurrentCheck {
  status: string
  facts: { providerReferenceId: string } | null
}

/**
 * Throws `wrong-state` if a provider's report may not be recorded now. KYC requires an accepted offer; a mandate and a
 * signature also require a verified KYC (D3 §1.1). A report must not replace a final status. Throws `PrerequisiteError`
 * while only the lender's KYC review is missing.
 */
export function requireReportAllowed(
  loanCase: Pick<Case, 'status'>,
  checks: Checks,
  name: ProviderCheck,
  report: { status: string; providerReferenceId: string },
): void {
  const before: CurrentCheck = checks[name]
  const isSameRequest = before.facts?.providerReferenceId === report.providerReferenceId
  const isRepeated = isSameRequest && before.status === report.status
  // A mandate that becomes active after the case ended is recorded, so that it can be cancelled at the bank.
  const isLateMandate = hasEndedWithoutLoan(loanCase.status) && name === 'mandate'
  if (
    !isBeingChecked(loanCase.status) &&
    !isLateMandate &&
    !(isDisbursing(loanCase.status) && (isRepeated || name === 'mandate'))
  )
    throw new Refusal('wrong-state', `the case is ${loanCase.status}: ${name} cannot be recorded now`, {
      status: loanCase.status,
    })
  if (name !== 'kyc' && !isKycDone(checks)) {
    // The lender can finish the review without another event of the platform, so the event waits for the review.
    if (isAwaitingReview(checks)) throw new PrerequisiteError('the lender has not reviewed the KYC yet')
    throw new Refusal('wrong-state', `KYC is not verified: ${name} cannot be recorded`, { kyc: checks.kyc.status })
  }
  if (isRepeated) return
  if (isSameRequest && !next(machines[name], before.status, report.status))
    throw new Refusal('wrong-state', `${name} is ${before.status} and cannot become ${report.status}`)
  // If the lender's review rejected the KYC, the borrower may repeat the KYC.
  const mayRepeatKyc = name === 'kyc' && checks.lenderKycReview.status === 'REJECTED'
  if (!isSameRequest && !mayRepeatKyc && finalStatuses[name].includes(before.status))
    throw new Refusal('wrong-state', `${name} is already ${before.status} under another reference`)
}

const isDisbursing = (status: string): boolean => status === 'DISBURSEMENT_PENDING' || status === 'DISBURSED'

const isAwaitingReview = ({ kyc, lenderKycReview }: Checks): boolean =>
  kyc.status === 'APPROVED' && kyc.verified && lenderKycReview.status === 'NOT_STARTED'

const isKycDone = ({ kyc, lenderKycReview }: Checks): boolean =>
  kyc.status === 'APPROVED' && kyc.verified && ['APPROVED', 'NOT_REQUIRED'].includes(lenderKycReview.status)
