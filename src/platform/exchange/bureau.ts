// The credit bureau behind a lending partner's rejection: named by the partner, or the one that we pulled for it (D3
// §2.3, §2.4).

import type { ManualReviewDecided } from '#contract/exchange/event/decision.ts'
import { type BureauName, bureauNamed } from '#contract/reason/advice.ts'
import type { Run } from '#kit/db/sql.ts'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { caseContext, type PartnerCase } from './case.ts'
import type { Evidence } from './lead.ts'
import { listCases } from './store.ts'

/** Rejection codes about the credit report: partners use their own. */
const onReport = /(^|_)(BUREAU|CREDIT_(REPORT|SCORE|HISTORY))(_|$)/

type Rejection = Pick<ManualReviewDecided, 'reason_code' | 'reason_message'>

/** Whether a partner has rejected a borrower by the credit report, and the bureau where its words name one. */
export function creditRejection({ reason_code, reason_message }: Rejection): {
  isOnCredit: boolean
  bureau: BureauName | null
} {
  const bureau = bureauNamed(`${reason_code ?? ''} ${reason_message ?? ''}`)
  return { isOnCredit: bureau !== null || onReport.test(reason_code ?? ''), bureau }
}

/** The first known bureau among the cases of a journey at these lenders; null when there is none. */
export async function bureauBehind(
  db: Run,
  ctx: Pick<Context, 'seal'>,
  journey: Pick<Journey, 'tenantId' | 'journeyId'>,
  lenderIds: readonly string[],
): Promise<BureauName | null> {
  const cases = (await listCases(db, journey)).filter(
    ({ lenderId }) => lenderId !== null && lenderIds.includes(lenderId),
  )
  return cases.map((each) => bureauNamed(each.endedBecause ?? '') ?? pulledAt(ctx, each)).find((found) => found) ?? null
}

/** A report that was not there has decided nothing. */
function pulledAt({ seal }: Pick<Context, 'seal'>, application: PartnerCase): BureauName | null {
  if (!application.evidenceSealed) return null
  const { bureau } = seal.openJson<Evidence>(application.evidenceSealed, caseContext(application, 'evidence'))
  return bureau.status === 'AVAILABLE' ? bureauNamed(bureau.provider) : null
}
