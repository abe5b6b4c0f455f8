// What the hosted page shows of the statement of mutual funds that the borrower may fetch (FIS12 §10.1).
import type { EmbedFunds } from '#contract/hosted/embed-consents.ts'
import type { Portfolio } from '#contract/hosted/read-portfolio.ts'
import type { Context } from '#platform/context.ts'
import { registrarFor } from '#platform/fund-statement/begin.ts'
import { type FundStatement, isFetchable } from '#platform/fund-statement/fund-statement.ts'
import type { Journey } from '#platform/journey/journey.ts'

/** Milliseconds until the page should ask again whether the statement is there. */
export const fundsPollMs = (newest: FundStatement | undefined): number | null =>
  newest?.status === 'PENDING' ? 1500 : null

/** Null where the loan rests on no funds, where the lenders have been asked, or where no registrar can be asked. */
export function fundsPart(
  ctx: Pick<Context, 'config'>,
  journey: Journey,
  portfolio: Portfolio | null,
  newest: FundStatement | undefined,
): EmbedFunds | null {
  const { name, isAgreed } = registrarFor(ctx, journey)
  if (!isFetchable(journey)) return null
  const isKnown = portfolio !== null && portfolio.holdings.length > 0
  if (!isKnown && !isAgreed(ctx)) return null
  const standing = newest?.status ?? (isKnown ? 'READY' : 'NONE')
  return { registrar: name, standing, fault: newest?.reason ?? null }
}
