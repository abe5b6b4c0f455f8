// What the hosted page shows of the fund statement that registrars supply.

import type { EmbedFundStatement } from '@lendloom/wire/hosted/embed-funds'
import type { Portfolio } from '@lendloom/wire/hosted/read-portfolio'
import type { Context } from '#platform/context.ts'
import { type FundStatement, isFetchable } from '#platform/lending/fund-statement/fund-statement.ts'
import { registrarFor } from '#platform/lending/fund-statement/request-statement.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'

export const fundsPollMs = (newest: FundStatement | undefined): number | null =>
  newest?.status === 'PENDING' ? 1500 : null

/** Returns null if no statement may be fetched, or if a statement is neither stored nor available from a registrar. */
export function fundsView(
  ctx: Pick<Context, 'config'>,
  journey: Journey,
  portfolio: Portfolio | null,
  newest: FundStatement | undefined,
): EmbedFundStatement | null {
  const { name, isConfigured } = registrarFor(ctx, journey)
  if (!isFetchable(journey)) return null
  const hasHoldings = portfolio !== null && portfolio.holdings.length > 0
  if (!hasHoldings && !isConfigured(ctx)) return null
  const standing = newest?.status ?? (hasHoldings ? 'READY' : 'NONE')
  return { registrar: name, standing, fault: newest?.reason ?? null }
}
