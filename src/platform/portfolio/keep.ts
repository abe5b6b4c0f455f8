// Keeps what an integrator says of mutual funds and of the loan that is wanted, name by name; null takes it back (D1 §4).
import type { Tx } from '#kit/db/sql.ts'
import type { Context } from '#platform/context.ts'
import type { LoanPreferences, Of } from './loan-preferences.ts'
import { mfcContext } from './portfolio.ts'
import { upsertPortfolio } from './store.ts'

export interface GivenPortfolio {
  /** Free-form; kept as it was said, and read when it is needed. */
  mfc?: Record<string, unknown> | null | undefined
  loanPreferences?: LoanPreferences | null | undefined
}

export async function keepPortfolio(
  tx: Tx,
  { seal }: Pick<Context, 'seal'>,
  journey: Of,
  { mfc, loanPreferences, at }: GivenPortfolio & { at: Date },
): Promise<void> {
  if (mfc === undefined && loanPreferences === undefined) return
  const mfcSealed = mfc ? seal.json(mfc, mfcContext(journey)) : mfc
  await upsertPortfolio(tx, journey, { mfcSealed, preferences: loanPreferences }, at)
}
