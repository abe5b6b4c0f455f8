// Checks the borrower's exposure limits under the borrower's lock, at the offer and again at disbursement.

import { Refusal } from '#kit/http/refusal.ts'
import type { Paise } from '#kit/money/money.ts'
import type { Context, TxContext } from '#partner/context.ts'
import {
  countedSince,
  type ExposureFault,
  type ExposureLimits,
  exposureFault,
  lockBorrower,
  otherExposures,
} from './store.ts'

export const limitsOf = ({ PARTNER_MOST_LOANS, PARTNER_MOST_EXPOSURE }: Context['config']): ExposureLimits => ({
  maxLoans: PARTNER_MOST_LOANS,
  maxPaise: BigInt(PARTNER_MOST_EXPOSURE) * 100n,
})

interface ExposureChange {
  caseRef: string
  paise: Paise
  /**
   * `offer`: counts every open application except later ones without an offer, which would block each other. `payout`:
   * counts disbursed loans and pending disbursements.
   */
  at: 'offer' | 'payout'
}

/**
 * Returns why another loan of this amount exceeds a limit; null if it does not. Locks the borrower until the commit.
 */
export async function limitFault(
  { tx, at: now, config }: Pick<TxContext, 'tx' | 'at' | 'config'>,
  { caseRef, paise, at }: ExposureChange,
): Promise<ExposureFault | null> {
  await lockBorrower(tx, caseRef)
  const others = await otherExposures(tx, caseRef, countedSince(now))
  const counted = others.filter(({ isPaid, isLater }) => (at === 'offer' ? !isLater : isPaid))
  return exposureFault(counted, paise, limitsOf(config))
}

const messages: Record<ExposureFault, string> = {
  TOO_MANY_LOANS: 'this borrower already has the maximum number of loans and applications',
  TOO_MUCH_OWED: 'this loan would exceed the maximum exposure of the borrower',
}

/** Throws `wrong-state` with the fault as a code when a limit is exceeded. */
export async function requireLimit(ctx: Pick<TxContext, 'tx' | 'at' | 'config'>, added: ExposureChange): Promise<void> {
  const fault = await limitFault(ctx, added)
  if (fault) throw new Refusal('wrong-state', messages[fault], { exposure: fault })
}
