// The checks of a case as they stand, and what a provider's newest word does to them (D3 §3, §6 rules 1 and 2).

import { kycMachine } from '#contract/exchange/event/kyc.ts'
import { esignMachine, mandateMachine } from '#contract/exchange/event/mandate.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { NotYet } from '#kit/messaging/inbox.ts'
import { next, type Table } from '#kit/runtime/machine.ts'
import type { CheckName, Checks } from './check.ts'
import { type Case, checkContext, isBeingChecked, isOver } from './lifecycle.ts'
import { addSearchKeys, keysOfReferences } from './search/store.ts'
import { putCheck, readChecks, type StoredCheck } from './store.ts'

/** Every check of the case; one that nothing was said of has not started. */
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

/** What a row says, its facts opened; a check without one has not started. */
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

/** Keeps what was said of a check; the case is found by its references from then on. */
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

/** What may follow what, of one and the same request to a provider. The same again may always be said. */
const machines: Record<ProviderCheck, Table<string, string>> = {
  kyc: kycMachine,
  mandate: mandateMachine,
  esign: esignMachine,
}

/** After these nobody is asked again under another reference: what was approved or signed stays so. */
const settled: Record<ProviderCheck, string[]> = { kyc: ['APPROVED'], mandate: [], esign: ['COMPLETED'] }

interface HeldCheck {
  status: string
  facts: { providerReferenceId: string } | null
}

/**
 * Passes when a provider's word may be recorded now, is held, or is refused as `wrong-state`: KYC needs an accepted offer, mandate
 * and signature need a verified KYC besides (D3 §1.1), and nothing goes back on a final word.
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
  // A mandate that comes into force after the end is recorded, so that it can be cancelled at the bank.
  const isLate = isOver(loanCase.status) && name === 'mandate'
  if (!isBeingChecked(loanCase.status) && !isLate && !(afterwards(loanCase.status) && (repeated || name === 'mandate')))
    throw new Refusal('wrong-state', `the case is ${loanCase.status}: ${name} cannot be recorded now`, {
      status: loanCase.status,
    })
  if (name !== 'kyc' && !isKycDone(checks)) {
    // What only our own review still lacks will come without another word of the platform: the event waits for it.
    if (isAwaitingReview(checks)) throw new NotYet('the lender has not reviewed the KYC yet')
    throw new Refusal('wrong-state', `KYC is not verified: ${name} cannot be recorded`, { kyc: checks.kyc.status })
  }
  if (repeated) return
  if (again && !next(machines[name], before.status, report.status))
    throw new Refusal('wrong-state', `${name} is ${before.status}: it cannot become ${report.status}`)
  // Who was rejected by our own review may be checked anew.
  const mayBeAnew = name === 'kyc' && checks.lenderKycReview.status === 'REJECTED'
  if (!again && !mayBeAnew && settled[name].includes(before.status))
    throw new Refusal('wrong-state', `${name} is ${before.status} already under another reference`)
}

const afterwards = (status: string): boolean => status === 'DISBURSEMENT_PENDING' || status === 'DISBURSED'

const isAwaitingReview = ({ kyc, lenderKycReview }: Checks): boolean =>
  kyc.status === 'APPROVED' && kyc.verified && lenderKycReview.status === 'NOT_STARTED'

const isKycDone = ({ kyc, lenderKycReview }: Checks): boolean =>
  kyc.status === 'APPROVED' && kyc.verified && ['APPROVED', 'NOT_REQUIRED'].includes(lenderKycReview.status)
