// Checks the borrower's exposure limits at the offer and again at disbursement, with the borrower locked.

import { Refusal } from '@lendloom/foundation/refusal'
import type { Paise } from '@lendloom/lending/money'
import type { Context, TxContext } from '#partner/context.ts'
import { countedSince, type ExposureFault, type ExposureLimits, exposureFault } from './exposure.ts'
import { lockBorrower, otherExposures } from './store.ts'

export const limitsOf = ({ PARTNER_MOST_LOANS, PARTNER_MOST_EXPOSURE }: Context['config']): ExposureLimits => ({
  maxLoans: PARTNER_MOST_LOANS,
  maxPaise: BigInt(PARTNER_MOST_EXPOSURE) * 100n,
})

interface ExposureChange {
  caseRef: string
  paise: Paise
  /**
   * `offer`: running loans and open applications count, except later applications without an offer. `disbursement`:
   * only disbursed loans and pending disbursements count.
   */
  stage: 'offer' | 'disbursement'
}

/**
 * Returns the limit that another loan of this amount would exceed; null if there is none. Locks the borrower until the
 * commit.
 */
export async function limitFault(
  { tx, at, config }: Pick<TxContext, 'tx' | 'at' | 'config'>,
  { caseRef, paise, stage }: ExposureChange,
): Promise<ExposureFault | null> {
  await lockBorrower(tx, caseRef)
  const others = await otherExposures(tx, caseRef, countedSince(at))
  const counted = others.filter(({ isDisbursed, isLater }) => (stage === 'offer' ? !isLater : isDisbursed))
  return exposureFault(counted, paise, limitsOf(config))
}

const messages: Record<ExposureFault, string> = {
  TOO_MANY_LOANS: 'this borrower already has the maximum number of loans and applications',
  TOO_MUCH_OWED: 'this loan would exceed the maximum exposure of the borrower',
}

/** Throws `wrong-state` if the loan would exceed a limit; the detail `exposure` names the limit. */
export async function requireLimit(
  ctx: Pick<TxContext, 'tx' | 'at' | 'config'>,
  change: ExposureChange,
): Promise<void> {
  const fault = await limitFault(ctx, change)
  if (fault) throw new Refusal('wrong-state', messages[fault], { exposure: fault })
}
