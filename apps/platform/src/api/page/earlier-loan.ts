// The borrower's last closed loan, which a page of their next application can open until it asks lenders (D1 §2.3).

import { Refusal } from '@lendloom/foundation/refusal'
import { EmbedEarlierLoanReply } from '@lendloom/wire/hosted/embed-requests'
import { route, type TxContext } from '#platform/context.ts'
import {
  embedSession,
  exchangeEmbedToken,
  issueEmbedToken,
  type SessionBorrower,
} from '#platform/integrators/access/embed-session.ts'
import { findJourney, setPage } from '#platform/lending/journey/store.ts'
import { closedLoanBefore, pageViewOf } from './page-view.ts'
import { isOnOtherPage } from './screen.ts'

export const openEarlierLoan = route({
  method: 'POST',
  path: '/api/embed/journey/earlier-loan',
  section: 'D1 §2.3',
  summary: 'Open the closed loan of the same borrower',
  auth: embedSession,
  hidden: true,
  reply: { 200: EmbedEarlierLoanReply },
  async handle({ who, at }, ctx) {
    const { expiresAt, relayed, ...session } = await ctx.db.tx((tx) => openClosed({ ...ctx, tx, at }, who))
    const view = await pageViewOf(ctx, { ...session, pageId: who.pageId ?? null }, null, at)
    return { sessionToken: session.sessionToken, expiresAt: expiresAt.toISOString(), relayed, view }
  },
})

async function openClosed(ctx: TxContext, who: SessionBorrower) {
  const { tx } = ctx
  const journey = await findJourney(tx, who.tenantId, who.journeyId)
  if (!journey) throw new Refusal('absent', 'there is no such journey')
  if (isOnOtherPage(journey, who))
    throw new Refusal('wrong-state', 'this application is open in another window', { status: journey.status })
  const loan = await closedLoanBefore(tx, journey)
  if (!loan) throw new Refusal('absent', 'there is no closed loan to open')
  if (who.pageId) await setPage(tx, loan, who.pageId)
  const token = await issueEmbedToken(ctx, loan, who.linkId)
  return { ...(await exchangeEmbedToken(ctx, token)), relayed: loan.pageSequence }
}
