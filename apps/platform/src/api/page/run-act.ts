// Runs a borrower's act in a transaction that locks the journey, and returns the new view.

import { Refusal } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import type { EmbedViewReply } from '@lendloom/wire/hosted/embed-view'
import type { Context } from '#platform/context.ts'
import type { SessionBorrower } from '#platform/integrators/access/embed-session.ts'
import type { ConsentOrigin } from '#platform/lending/borrower/consent.ts'
import { isLive, type Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { pageViewOf } from './page-view.ts'
import { isOnOtherPage } from './screen.ts'

/** The origin of consents that the borrower gives on this page. */
export const hostedOrigin = (ip: string): ConsentOrigin => ({ channel: 'hosted', ip })

interface ActOptions extends ActPolicy {
  at: Date
}

interface ActPolicy {
  /** False by default. Borrowers may raise grievances after the journey has ended, for example. */
  isAllowedAfterEnd?: boolean
}

/** Runs `act` under the journey's lock and returns its result. */
export const withLockedJourney = <T>(
  ctx: Context,
  who: SessionBorrower,
  act: (tx: Tx, journey: Journey) => Promise<T>,
  { isAllowedAfterEnd = false }: ActPolicy = {},
): Promise<T> =>
  ctx.db.tx(async (tx) => {
    const journey = await lockJourney(tx, who.tenantId, who.journeyId)
    if (!journey) throw new Refusal('absent', 'there is no such journey')
    if (!isLive(journey) && !isAllowedAfterEnd)
      throw new Refusal('wrong-state', 'this application has ended', { status: journey.status })
    if (isOnOtherPage(journey, who))
      throw new Refusal('wrong-state', 'this application is open in another window', { status: journey.status })
    return act(tx, journey)
  })

/** Runs `act` like `withLockedJourney` and returns the new view. */
export async function runAct(
  ctx: Context,
  who: SessionBorrower,
  { at, ...policy }: ActOptions,
  act: (tx: Tx, journey: Journey) => Promise<unknown>,
): Promise<EmbedViewReply> {
  await withLockedJourney(ctx, who, act, policy)
  return { view: await pageViewOf(ctx, who, null, at) }
}
