// The checks of a case, and the rules for recording a provider's report (D3 §3, §6 rules 1 and 2).

import { kycMachine } from '#contract/exchange/event/kyc.ts'
import { esignMachine, mandateMachine } from '#contract/exchange/event/mandate.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { PrerequisiteError } from '#kit/messaging/inbox.ts'
import { next, type Table } from '#kit/runtime/machine.ts'
import type { CheckName, Checks } from './check.ts'
import { type Case, checkContext, hasEndedWithoutLoan, isBeingChecked } from './lifecycle.ts'
import { addSearchKeys, keysOfReferences } from './search/store.ts'
import { putCheck, readChecks, type StoredCheck } from './store.ts'

/** Returns all checks of the case; a check without a report is NOT_STARTED. */
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

/** Returns a check with decrypted facts; NOT_STARTED without a row. */
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

interface CheckRecord {
  name: CheckName
  report: CheckReport
  at: Date
}

/** Stores a report, and makes the case searchable by its references. */
export async function storeCheck(
  tx: Tx,
  seal: Seal,
  { caseRef }: Case,
  { name, report: { facts, ...result }, at }: CheckRecord,
): Promise<void> {
  const factsSealed = seal.json(facts, checkContext(caseRef, name))
  await Promise.all([
    putCheck(tx, { caseRef, name, ...result, factsSealed, recordedAt: at }),
    addSearchKeys(tx, caseRef, keysOfReferences(seal, facts)),
  ])
}

type ProviderCheck = 'kyc' | 'mandate' | 'esign'

/** The allowed transitions of a provider request. Repeating a status is always allowed. */
const machines: Record<ProviderCheck, Table<string, string>> = {
  kyc: kycMachine,
  mandate: mandateMachine,
  esign: esignMachine,
}

/** Final statuses, after which another request is rejected, so that an approval or signature stays. */
const finalStatuses: Record<ProviderCheck, string[]> = { kyc: ['APPROVED'], mandate: [], esign: ['COMPLETED'] }

interface CurrentCheck {
  status: string
  facts: { providerReferenceId: string } | null
}

/**
 * Throws `wrong-state` unless a provider's report may be recorded now: KYC requires an accepted offer, mandate and
 * signature also a verified KYC (D3 §1.1), and a final status stays. Throws `PrerequisiteError` while the lender's KYC review is
 * missing.
 */
export function requireRecordable(
  loanCase: Pick<Case, 'status'>,
  checks: Checks,
  name: ProviderCheck,
  report: { status: string; providerReferenceId: string },
): void {
  const before: CurrentCheck = checks[name]
  const isSameRequest = before.facts?.providerReferenceId === report.providerReferenceId
  const isRepeated = isSameRequest && before.status === report.status
  // A mandate that becomes active after the case ended is recorded, so that it can be cancelled at the bank.
  const isLate = hasEndedWithoutLoan(loanCase.status) && name === 'mandate'
  if (
    !isBeingChecked(loanCase.status) &&
    !isLate &&
    !(isDisbursing(loanCase.status) && (isRepeated || name === 'mandate'))
  )
    throw new Refusal('wrong-state', `the case is ${loanCase.status}: ${name} cannot be recorded now`, {
      status: loanCase.status,
    })
  if (name !== 'kyc' && !isKycDone(checks)) {
    // Only the lender's review is missing, which needs no event of the platform, so the event waits.
    if (isAwaitingReview(checks)) throw new PrerequisiteError('the lender has not reviewed the KYC yet')
    throw new Refusal('wrong-state', `KYC is not verified: ${name} cannot be recorded`, { kyc: checks.kyc.status })
  }
  if (isRepeated) return
  if (isSameRequest && !next(machines[name], before.status, report.status))
    throw new Refusal('wrong-state', `${name} is ${before.status} and cannot become ${report.status}`)
  // After a rejection by the lender's review, the borrower may do another KYC.
  const mayRepeatKyc = name === 'kyc' && checks.lenderKycReview.status === 'REJECTED'
  if (!isSameRequest && !mayRepeatKyc && finalStatuses[name].includes(before.status))
    throw new Refusal('wrong-state', `${name} is already ${before.status} under another reference`)
}

const isDisbursing = (status: string): boolean => status === 'DISBURSEMENT_PENDING' || status === 'DISBURSED'

const isAwaitingReview = ({ kyc, lenderKycReview }: Checks): boolean =>
  kyc.status === 'APPROVED' && kyc.verified && lenderKycReview.status === 'NOT_STARTED'

const isKycDone = ({ kyc, lenderKycReview }: Checks): boolean =>
  kyc.status === 'APPROVED' && kyc.verified && ['APPROVED', 'NOT_REQUIRED'].includes(lenderKycReview.status)
