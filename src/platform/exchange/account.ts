// What is owed on the loan of a lending partner, as its newest Status has it (D3 §2.5).

import type { Soa } from '#contract/exchange/account.ts'
import type { Run } from '#kit/db/sql.ts'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { keptStatus } from './status.ts'
import { findCaseOf } from './store.ts'

/** The account of the loan that a journey led to; null where no partner paid one out, and before its first snapshot. */
export async function accountOf(
  db: Run,
  ctx: Pick<Context, 'seal'>,
  journey: Pick<Journey, 'tenantId' | 'journeyId'>,
): Promise<Soa | null> {
  const application = await findCaseOf(db, journey)
  const status = application && keptStatus(ctx, application)
  return status ? status.soa : null
}
