// Keeps what an integrator says of mutual funds and of the loan that is wanted, name by name; null takes it back (D1 §4).

import type { TxContext } from '#platform/context.ts'
import type { LoanPreferences, Of } from './loan-preferences.ts'
import { mfcContext } from './portfolio.ts'
import { upsertPortfolio } from './store.ts'

export interface GivenPortfolio {
  /** Free-form; kept as it was said, and read when it is needed. */
  mfc?: Record<string, unknown> | null | undefined
  loanPreferences?: LoanPreferences | null | undefined
}

export async function keepPortfolio(
  { tx, at, seal }: Pick<TxContext, 'tx' | 'at' | 'seal'>,
  journey: Of,
  { mfc, loanPreferences }: GivenPortfolio,
): Promise<void> {
  if (mfc === undefined && loanPreferences === undefined) return
  const mfcSealed = mfc ? seal.json(mfc, mfcContext(journey)) : mfc
  await upsertPortfolio(tx, journey, { mfcSealed, preferences: loanPreferences }, at)
}
