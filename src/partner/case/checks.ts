// The checks of a case, and the effect of a provider's newest report on them (D3 §3, §6 rules 1 and 2).

import { kycMachine } from '#contract/exchange/event/kyc.ts'
import { esignMachine, mandateMachine } from '#contract/exchange/event/mandate.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { PrerequisiteMissing } from '#kit/messaging/inbox.ts'
import { next, type Table } from '#kit/runtime/machine.ts'
import type { CheckName, Checks } from './check.ts'
import { type Case, checkContext, isBeingChecked, isOver } from './lifecycle.ts'
import { addSearchKeys, keysOfReferences } from './search/store.ts'
import { putCheck, readChecks, type StoredCheck } from './store.ts'

/** Every check of the case; one without a report has not started. */
export async function checksOf(db: Run, seal: Seal, caseRef: string): Promise<Checks> {
  const rows = await readChecks(db, caseRef)
  return {
    kyc: stated(
      seal,
      rows.find((row) => row.name === 'kyc'),
    ),
    lenderKycReview: stated(
      seal,
      rows.find((row) => row.name === 'lender_kyc_review'),
    ),
    mandate: stated(
      seal,
      rows.find((row) => row.name === 'mandate'),
    ),
    esign: stated(
      seal,
      rows.find((row) => row.name === 'esign'),
    ),
  }
}

/** The content of a row with its facts opened; a missing row has not started. */
function stated<Status extends string, Facts>(
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

/** Stores a report; the case can be found by its references from then on. */
export async function keepCheck(
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

/** The transitions of one request at a provider. Repeating a status is always allowed. */
const machines: Record<ProviderCheck, Table<string, string>> = {
  kyc: kycMachine,
  mandate: mandateMachine,
  esign: esignMachine,
}

/** Final statuses: another request after them is refused, so an approval or signature stays. */
const settled: Record<ProviderCheck, string[]> = { kyc: ['APPROVED'], mandate: [], esign: ['COMPLETED'] }

interface HeldCheck {
  status: string
  facts: { providerReferenceId: string } | null
}

/**
 * Passes when a provider's report may be recorded now, or is refused as `wrong-state`: KYC requires an accepted offer,
 * mandate and signature also a verified KYC (D3 §1.1), and a final status stays.
 */
export function mayRecord(
  loanCase: Pick<Case, 'status'>,
  checks: Checks,
  name: ProviderCheck,
  report: { status: string; providerReferenceId: string },
): void {
  const before: HeldCheck = checks[name]
  const again = before.facts?.providerReferenceId === report.providerReferenceId
  const repeated = again && before.status === report.status
  // A mandate that becomes active after the end is recorded, so that it can be cancelled at the bank.
  const isLate = isOver(loanCase.status) && name === 'mandate'
  if (!isBeingChecked(loanCase.status) && !isLate && !(afterwards(loanCase.status) && (repeated || name === 'mandate')))
    throw new Refusal('wrong-state', `the case is ${loanCase.status}: ${name} cannot be recorded now`, {
      status: loanCase.status,
    })
  if (name !== 'kyc' && !isKycDone(checks)) {
    // Only our own review is missing, which needs no message of the platform: the event waits for it.
    if (isAwaitingReview(checks)) throw new PrerequisiteMissing('the lender has not reviewed the KYC yet')
    throw new Refusal('wrong-state', `KYC is not verified: ${name} cannot be recorded`, { kyc: checks.kyc.status })
  }
  if (repeated) return
  if (again && !next(machines[name], before.status, report.status))
    throw new Refusal('wrong-state', `${name} is ${before.status}: it cannot become ${report.status}`)
  // A borrower whom our own review rejected may be checked again.
  const mayBeAnew = name === 'kyc' && checks.lenderKycReview.status === 'REJECTED'
  if (!again && !mayBeAnew && settled[name].includes(before.status))
    throw new Refusal('wrong-state', `${name} is ${before.status} already under another reference`)
}

const afterwards = (status: string): boolean => status === 'DISBURSEMENT_PENDING' || status === 'DISBURSED'

const isAwaitingReview = ({ kyc, lenderKycReview }: Checks): boolean =>
  kyc.status === 'APPROVED' && kyc.verified && lenderKycReview.status === 'NOT_STARTED'

const isKycDone = ({ kyc, lenderKycReview }: Checks): boolean =>
  kyc.status === 'APPROVED' && kyc.verified && ['APPROVED', 'NOT_REQUIRED'].includes(lenderKycReview.status)
