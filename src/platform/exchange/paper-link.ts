// The address of a paper: sealed, and good for a day, because whoever has it reads the account.
import { type LoanPaper, loanPapers } from '#contract/hosted/embed-servicing.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Context } from '#platform/context.ts'
import { dayUrl, openDayLink } from '#platform/day-link.ts'

export const paperPrefix = '/papers'
const link = { prefix: paperPrefix, context: 'paper link' }

export interface PaperPlace {
  tenantId: string
  caseRef: string
  name: LoanPaper
}

export const paperUrl = (
  ctx: Pick<Context, 'seal' | 'config'>,
  { tenantId, caseRef, name }: PaperPlace,
  at: Date,
): string => dayUrl(ctx, link, [tenantId, caseRef, name], at)

/** Refused as `absent` when we never made it, and once its day is over. */
export function openPaperLink(ctx: Pick<Context, 'seal'>, token: string, at: Date): PaperPlace {
  const [tenantId = '', caseRef = '', name] = openDayLink(ctx, link, token, at)
  const paper = loanPapers.find((each) => each === name)
  if (!paper) throw new Refusal('absent', 'there is no such paper')
  return { tenantId, caseRef, name: paper }
}
