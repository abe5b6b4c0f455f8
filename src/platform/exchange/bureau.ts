// The credit bureau behind a partner's rejection: named by the partner, or the one that we pulled the report from (D3
// §2.3, §2.4).

import type { ManualReviewDecided } from '#contract/exchange/event/decision.ts'
import { type BureauName, bureauNamed } from '#contract/reason/advice.ts'
import type { Run } from '#kit/db/sql.ts'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { caseContext, type PartnerCase } from './case.ts'
import type { Evidence } from './lead.ts'
import { listCases } from './store.ts'

/** Matches rejection codes about the credit report; each partner has its own codes. */
const onReport = /(^|_)(BUREAU|CREDIT_(REPORT|SCORE|HISTORY))(_|$)/

type Rejection = Pick<ManualReviewDecided, 'reason_code' | 'reason_message'>

/** Whether a partner rejected because of the credit report, and the bureau if the rejection names one. */
export function creditRejection({ reason_code, reason_message }: Rejection): {
  isOnCredit: boolean
  bureau: BureauName | null
} {
  const bureau = bureauNamed(`${reason_code ?? ''} ${reason_message ?? ''}`)
  return { isOnCredit: bureau !== null || onReport.test(reason_code ?? ''), bureau }
}

/** The first known bureau of the journey's cases at these lenders; null without one. */
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
    cases.map((each) => bureauNamed(each.endedBecause ?? '') ?? pulledBureau(ctx, each)).find((found) => found) ?? null
  )
}

/** The bureau of an available report; an unavailable one cannot be the reason. */
function pulledBureau({ seal }: Pick<Context, 'seal'>, application: PartnerCase): BureauName | null {
  if (!application.evidenceSealed) return null
  const { bureau } = seal.openJson<Evidence>(application.evidenceSealed, caseContext(application, 'evidence'))
  return bureau.status === 'AVAILABLE' ? bureauNamed(bureau.provider) : null
}
