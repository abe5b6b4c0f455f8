// After a lender's refusal: the borrower asks the other lenders in a new journey with the same details (D1 §2.6).

import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { EmbedSessionReply, EmbedSubmitRequest } from '@lendloom/wire/hosted/embed-requests'
import { route, type TxContext } from '#platform/context.ts'
import { requireProduct } from '#platform/integrators/access/api-key.ts'
import {
  embedSession,
  exchangeEmbedToken,
  issueEmbedToken,
  type SessionBorrower,
} from '#platform/integrators/access/embed-session.ts'
import { findApplication } from '#platform/integrators/access/tenant/store.ts'
import { lockBorrowerById } from '#platform/lending/borrower/store.ts'
import { callbackUrlOf, type Journey, returnUrlOf } from '#platform/lending/journey/journey.ts'
import { openJourney } from '#platform/lending/journey/open-journey.ts'
import { findJourney, findNewestJourney, lockJourney, setPage, updateJourney } from '#platform/lending/journey/store.ts'
import { lenderKeyText, listLenderNames } from '#platform/lending/lender/switch/store.ts'
import { findSelected } from '#platform/lending/offer/store.ts'
import { readProfile } from '#platform/lending/profile/edit-profile.ts'
import { type ProfileSubmission, submitProfile } from '#platform/lending/profile/submit-profile.ts'
import { pageViewOf } from './page-view.ts'
import { hostedOrigin } from './run-act.ts'
import { isOnOtherPage, mayAskOthers } from './screen.ts'

export const askOtherLenders = route({
  method: 'POST',
  path: '/api/embed/journey/other-lenders',
  section: 'D1 §2.6',
  summary: 'Ask the other lenders in a new journey, after a refusal',
  auth: embedSession,
  hidden: true,
  body: EmbedSubmitRequest,
  reply: { 200: EmbedSessionReply },
  async handle({ who, body, ip, at }, ctx) {
    const submission = { consents: body.consents, origin: hostedOrigin(ip) }
    const { expiresAt, ...session } = await ctx.db.tx((tx) => openNext({ ...ctx, tx, at }, who, submission))
    const view = await pageViewOf(ctx, { ...session, pageId: who.pageId ?? null }, null, at)
    return { sessionToken: session.sessionToken, expiresAt: expiresAt.toISOString(), view }
  },
})

/** Opens a session of the active journey, such as after a repeated tap; else of one that follows the newest journey. */
async function openNext(ctx: TxContext, who: SessionBorrower, submission: ProfileSubmission) {
  const { tx } = ctx
  const journey = await findJourney(tx, who.tenantId, who.journeyId)
  const borrower = journey && (await lockBorrowerById(tx, who.tenantId, journey.borrowerId))
  if (!borrower) throw new Refusal('absent', 'there is no such journey')
  if (!mayAskOthers(journey) || isOnOtherPage(journey, who))
    throw new Refusal('wrong-state', 'the other lenders can be asked only after a refusal', { status: journey.status })
  const { externalId } = borrower
  const last = required(await findNewestJourney(tx, journey), "the borrower's newest journey")
  const next = last.active ? last : await submitNext(ctx, last, { ...submission, externalId })
  if (who.pageId) await setPage(tx, next, who.pageId)
  return exchangeEmbedToken(ctx, await issueEmbedToken(ctx, next, who.linkId))
}

async function submitNext(
  ctx: TxContext,
  last: Journey,
  { externalId, ...submission }: ProfileSubmission & { externalId: string },
): Promise<Journey> {
  const { tx, at } = ctx
  const { tenantId, applicationId, type, endUse } = last
  requireProduct((await findApplication(tx, tenantId, applicationId)) ?? { products: [] }, type)
  const { person } = await readProfile(tx, ctx, last)
  const journeyId = await openJourney(ctx, last, {
    externalId,
    type,
    person,
    endUse,
    bureauConsent: null,
    callbackUrl: callbackUrlOf(ctx, last),
    returnUrl: returnUrlOf(ctx, last),
  })
  const chosen = last.status === 'REJECTED' ? await chosenLender(ctx, last) : []
  const refusedLenders = [...last.refusedLenders, ...chosen]
  await updateJourney(tx, { tenantId, journeyId }, { refusedLenders }, at)
  const next = await lockJourney(tx, tenantId, journeyId)
  if (!next) throw new Error(`journey ${journeyId} was just opened`)
  await submitProfile(ctx, next, submission)
  return next
}

async function chosenLender({ tx }: TxContext, journey: Journey): Promise<string[]> {
  const offer = await findSelected(tx, journey)
  return offer ? (await listLenderNames(tx, journey.tenantId, [offer.lenderId])).map(lenderKeyText) : []
}
