// Finds the credit bureau whose report led to a partner's rejection (D3 §2.3, §2.4).

import { type BureauName, bureauNamed } from '@lendloom/lending/reason/advice'
import type { Run } from '@lendloom/postgres/sql'
import type { ManualReviewDecided } from '@lendloom/wire/exchange/event/decision'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import type { Evidence } from './lead.ts'
import { caseContext, type PartnerCase } from './loan-case.ts'
import { listCases } from './store.ts'

/** Matches rejection codes about the credit report; each partner has its own codes. */
const creditReportCode = /(^|_)(BUREAU|CREDIT_(REPORT|SCORE|HISTORY))(_|$)/

type Rejection = Pick<ManualReviewDecided, 'reason_code' | 'reason_message'>

/** Returns whether a rejection is based on the credit report, and the bureau if the rejection names it. */
export function creditRejection({ reason_code, reason_message }: Rejection): {
  isCreditReason: boolean
  bureau: BureauName | null
} {
  const bureau = bureauNamed(`${reason_code ?? ''} ${reason_message ?? ''}`)
  return { isCreditReason: bureau !== null || creditReportCode.test(reason_code ?? ''), bureau }
}

/** Returns the first known bureau among the journey's cases at these lenders; null without a known bureau. */
export async function findRejectingBureau(
  db: Run,
  ctx: Pick<Context, 'seal'>,
  journey: Pick<Journey, 'tenantId' | 'journeyId'>,
  lenderIds: readonly string[],
): Promise<BureauName | null> {
  const cases = (await listCases(db, journey)).filter(
    ({ lenderId }) => lenderId !== null && lenderIds.includes(lenderId),
  )
  return (
    cases.map((each) => bureauNamed(each.endedBecause ?? '') ?? queriedBureau(ctx, each)).find((bureau) => bureau) ??
    null
  )
}

/** Returns the queried bureau; null without an available report, because the report then cannot be the reason. */
function queriedBureau({ seal }: Pick<Context, 'seal'>, loanCase: PartnerCase): BureauName | null {
  if (!loanCase.evidenceSealed) return null
  const { bureau } = seal.openJson<Evidence>(loanCase.evidenceSealed, caseContext(loanCase, 'evidence'))
  return bureau.status === 'AVAILABLE' ? bureauNamed(bureau.provider) : null
}
