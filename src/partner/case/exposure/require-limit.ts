// Whether a borrower may have another loan, checked under the borrower's lock: at the offer, and again at the payout.

import { Refusal } from '#kit/http/refusal.ts'
import type { Paise } from '#kit/money/money.ts'
import type { Context, TxContext } from '#partner/context.ts'
import {
  countedSince,
  type ExposureFault,
  type ExposureLimits,
  exposureFault,
  lockBorrower,
  othersOf,
} from './store.ts'

export const limitsOf = ({ PARTNER_MOST_LOANS, PARTNER_MOST_EXPOSURE }: Context['config']): ExposureLimits => ({
  mostLoans: PARTNER_MOST_LOANS,
  mostPaise: BigInt(PARTNER_MOST_EXPOSURE) * 100n,
})

interface ExposureChange {
  caseRef: string
  paise: Paise
  /**
   * An offer counts every open application except later ones without an offer: otherwise they would block each other. A
   * payout counts paid loans and those being paid: the first one is paid.
   */
  at: 'offer' | 'payout'
}

/** Why another loan of this amount is too much; null when it is not. Holds the borrower until the commit. */
export async function limitFault(
  { tx, at: now, config }: Pick<TxContext, 'tx' | 'at' | 'config'>,
  { caseRef, paise, at }: ExposureChange,
): Promise<ExposureFault | null> {
  await lockBorrower(tx, caseRef)
  const others = await othersOf(tx, caseRef, countedSince(now))
  const counted = others.filter(({ isPaid, isLater }) => (at === 'offer' ? !isLater : isPaid))
  return exposureFault(counted, paise, limitsOf(config))
}

const words: Record<ExposureFault, string> = {
  TOO_MANY_LOANS: 'this borrower has as many loans and applications as one may have',
  TOO_MUCH_OWED: 'with this loan the borrower would owe more than one may owe',
}

/** Refused as `wrong-state`, with the fault as its code. */
export async function requireLimit(ctx: Pick<TxContext, 'tx' | 'at' | 'config'>, added: ExposureChange): Promise<void> {
  const fault = await limitFault(ctx, added)
  if (fault) throw new Refusal('wrong-state', words[fault], { exposure: fault })
}
