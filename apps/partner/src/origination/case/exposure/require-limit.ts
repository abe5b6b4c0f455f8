// Checks the borrower's exposure limits at the offer and again at disbursement, with the borrower locked.

import { Refusal } from '@lendloom/foundation/refusal'
import { inr, type Paise } from '@lendloom/lending/money'
import type { Context, TxContext } from '#partner/context.ts'
import {
  countedSince,
  type Exposure,
  type ExposureFault,
  type ExposureLimits,
  exposureFault,
  largestAddition,
} from './exposure.ts'
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

/** Locks the borrower until the commit, and returns the exposures that count. */
async function lockExposures(
  { tx, at }: Pick<TxContext, 'tx' | 'at'>,
  { caseRef, stage }: ExposureChange,
): Promise<Exposure[]> {
  await lockBorrower(tx, caseRef)
  const others = await otherExposures(tx, caseRef, countedSince(at))
  return stage === 'offer' ? others.filter(countsForOffer) : others.filter(({ isDisbursed }) => isDisbursed)
}

const countsForOffer = ({ isLater }: { isLater: boolean }): boolean => !isLater

/** Returns the largest amount that may be offered beside these exposures; null if nothing may be offered. */
export const largestOffer = (others: (Exposure & { isLater: boolean })[], config: Context['config']): Paise | null =>
  largestAddition(others.filter(countsForOffer), limitsOf(config))

/**
 * Returns the limit that another loan of this amount would exceed; null if there is none. Locks the borrower until the
 * commit.
 */
export async function limitFault(
  ctx: Pick<TxContext, 'tx' | 'at' | 'config'>,
  change: ExposureChange,
): Promise<ExposureFault | null> {
  return exposureFault(await lockExposures(ctx, change), change.paise, limitsOf(ctx.config))
}

/** Says what may be lent to the borrower at most; null if no further loan may be. */
export const exposureText = (mostPaise: Paise | null): string =>
  mostPaise === null
    ? 'this borrower already has the maximum number of loans and applications'
    : `at most ${inr(mostPaise)} within this borrower’s exposure limit`

/** Throws `wrong-state` if the loan would exceed a limit; the detail `exposure` names the limit. */
export async function requireLimit(
  ctx: Pick<TxContext, 'tx' | 'at' | 'config'>,
  change: ExposureChange,
): Promise<void> {
  const limits = limitsOf(ctx.config)
  const others = await lockExposures(ctx, change)
  const fault = exposureFault(others, change.paise, limits)
  if (!fault) return
  const text = exposureText(largestAddition(others, limits))
  throw new Refusal('wrong-state', text, { exposure: fault, ...(change.stage === 'offer' && { field: 'amount' }) })
}
