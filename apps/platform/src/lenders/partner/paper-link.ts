// The links with which a borrower opens a loan paper. A link is valid for a day, because anyone with it can read the account.

import { Refusal } from '@lendloom/foundation/refusal'
import { type LoanPaper, loanPapers } from '@lendloom/wire/hosted/embed-servicing'
import type { Context } from '#platform/context.ts'
import { dayUrl, openDayLink } from '#platform/day-link.ts'

export type PaperName = LoanPaper | 'receipt'

/** Path prefix of links to papers. */
export const paperPrefix = '/papers'

const link = { prefix: paperPrefix, context: 'paper link' }

export interface PaperKey {
  tenantId: string
  caseRef: string
  name: PaperName
  paymentId?: string
}

/** Returns a new link to a paper. */
export const paperUrl = (
  ctx: Pick<Context, 'seal' | 'config'>,
  { tenantId, caseRef, name, paymentId }: PaperKey,
  at: Date,
): string => dayUrl(ctx, link, [tenantId, caseRef, name, ...(paymentId ? [paymentId] : [])], at)

/** Throws `absent` for a forged or expired token. */
export function openPaperLink(ctx: Pick<Context, 'seal'>, token: string, at: Date): PaperKey {
  const [tenantId = '', caseRef = '', name, paymentId] = openDayLink(ctx, link, token, at)
  const paper = ([...loanPapers, 'receipt'] as const).find((each) => each === name)
  if (!paper) throw new Refusal('absent', 'the paper does not exist')
  return { tenantId, caseRef, name: paper, ...(paymentId !== undefined && { paymentId }) }
}
