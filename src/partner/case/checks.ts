// The checks of a case as they stand, and what a provider's newest word does to them (D3 §3, §6 rules 1 and 2).
import { esignMachine } from '#contract/exchange/event/esign-updated.ts'
import { kycMachine } from '#contract/exchange/event/kyc-updated.ts'
import { mandateMachine } from '#contract/exchange/event/mandate-updated.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { NotYet } from '#kit/messaging/inbox.ts'
import { next, type Table } from '#kit/runtime/machine.ts'
import { type Case, checkContext } from './case.ts'
import type { CheckName, Checks } from './check.ts'
import { isBeingChecked } from './lifecycle.ts'
import { type CheckRow, putCheck, readChecks } from './store.ts'

const none = { status: 'NOT_STARTED', verified: false, facts: null } as const

/** Every check of the case; one that nothing was said of has not started. */
export async function checksOf(db: Run, seal: Seal, caseRef: string): Promise<Checks> {
  const rows = new Map((await readChecks(db, caseRef)).map((row) => [row.name, opened(seal, row)]))
  const of = (name: CheckName): unknown => rows.get(name) ?? none
  return {
    kyc: of('kyc'),
    lenderKycReview: of('lender_kyc_review'),
    mandate: of('mandate'),
    esign: of('esign'),
  } as Checks
}

const opened = (seal: Seal, { caseRef, name, status, verified, factsSealed }: CheckRow) => ({
  status,
  verified,
  facts: seal.openJson(factsSealed, checkContext(caseRef, name)),
})

export interface CheckReport {
  status: string
  verified: boolean
  facts: object
  happenedAt: Date
}

export const keepCheck = (
  tx: Tx,
  seal: Seal,
  { caseRef }: Case,
  name: CheckName,
  { facts, ...said }: CheckReport,
  at: Date,
): Promise<void> =>
  putCheck(tx, {
    caseRef,
    name,
    ...said,
    factsSealed: seal.json(facts, checkContext(caseRef, name)),
    recordedAt: at,
  })

type ProviderCheck = 'kyc' | 'mandate' | 'esign'

/** What may follow what, of one and the same request to a provider. The same again may always be said. */
const machines: Record<ProviderCheck, Table<string, string>> = {
  kyc: kycMachine,
  mandate: mandateMachine,
  esign: esignMachine,
}

/** After these nobody is asked again under another reference: what was approved or signed stays so. */
const settled: Record<ProviderCheck, string[]> = { kyc: ['APPROVED'], mandate: [], esign: ['COMPLETED'] }

export interface HeldCheck {
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
  said: { status: string; providerReferenceId: string },
): void {
  const before: HeldCheck = checks[name]
  const again = before.facts?.providerReferenceId === said.providerReferenceId
  const repeated = again && before.status === said.status
  if (!isBeingChecked(loanCase.status) && !(afterwards(loanCase.status) && (repeated || name === 'mandate')))
    throw new Refusal('wrong-state', `the case is ${loanCase.status}: ${name} cannot be recorded now`, {
      status: loanCase.status,
    })
  if (name !== 'kyc' && !isKycDone(checks)) {
    // What only our own review still lacks will come without another word of the platform: the event waits for it.
    if (isAwaitingReview(checks)) throw new NotYet('the lender has not reviewed the KYC yet')
    throw new Refusal('wrong-state', `KYC is not verified: ${name} cannot be recorded`, { kyc: checks.kyc.status })
  }
  if (repeated) return
  if (again && !next(machines[name], before.status, said.status))
    throw new Refusal('wrong-state', `${name} is ${before.status}: it cannot become ${said.status}`)
  if (!again && settled[name].includes(before.status))
    throw new Refusal('wrong-state', `${name} is ${before.status} already under another reference`)
}

const afterwards = (status: string): boolean => status === 'DISBURSEMENT_PENDING' || status === 'DISBURSED'

const isAwaitingReview = ({ kyc, lenderKycReview }: Checks): boolean =>
  kyc.status === 'APPROVED' && kyc.verified && lenderKycReview.status === 'NOT_STARTED'

export const isKycDone = ({ kyc, lenderKycReview }: Checks): boolean =>
  kyc.status === 'APPROVED' && kyc.verified && ['APPROVED', 'NOT_REQUIRED'].includes(lenderKycReview.status)
