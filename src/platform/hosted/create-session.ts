// POST /api/lab/sessions: creates or resumes a hosted journey and answers where to embed it (D1 §2.1, §2.2, §4).

import { gramsOf } from '#contract/hosted/profile.ts'
import {
  canonicalSession,
  type GoldLoan,
  type SessionOrder,
  SessionReply,
  SessionRequest,
} from '#contract/hosted/session.ts'
import { faultsOf } from '#kit/http/refusal.ts'
import { type Answer, answer } from '#kit/http/server.ts'
import { without } from '#kit/runtime/record.ts'
import { apiKey, type Integrator } from '#platform/access/api-key.ts'
import { idempotencyKey, once } from '#platform/access/idempotency.ts'
import { type BorrowerDetails, detailsFrom } from '#platform/borrower/borrower.ts'
import { type Context, route, type TxContext } from '#platform/context.ts'
import type { JourneyRequest } from '#platform/profile/open-journey.ts'
import { callbackFaults, deliveryPolicyOf, returnFaults } from '#platform/webhook/delivery.ts'
import { embedUrl, type Opened, openForNewBorrower, openOrResume } from './open-journey.ts'

/** How long an answer, and with it the short-lived token in it, is given again to the same Idempotency-Key. */
const replaySeconds = 60

export const createSession = route({
  method: 'POST',
  path: '/api/lab/sessions',
  section: 'D1 §4',
  summary: 'Create or resume a hosted borrower journey',
  auth: apiKey('sessions'),
  body: SessionRequest,
  reply: { 200: SessionReply, 201: SessionReply },
  also: (rest, { at }, ctx) => faultsOf(() => orderOf(rest, at, ctx)),
  async handle({ who, body, headers, at }, ctx) {
    const request = requestOf(orderOf(body, at, ctx))
    const key = idempotencyKey(headers)
    if (key !== null) {
      const operation = {
        tenantId: who.tenantId,
        principal: who.keyId,
        operation: 'POST /api/lab/sessions',
        key,
        content: body,
        replaySeconds,
      }
      return once(ctx, operation, at, async (tx) =>
        reply(ctx, who, request, await openOrResume({ ...ctx, tx, at }, who, request)),
      )
    }
    const opened =
      (await openForNewBorrower(ctx, who, request, at)) ??
      (await ctx.db.tx((tx) => openOrResume({ ...ctx, tx, at }, who, request)))
    return reply(ctx, who, request, opened)
  },
})

/** Opens a hosted journey as the call does, for whoever acts in an integrator's place; the refusals are the call's. */
export async function openHosted(
  ctx: TxContext,
  who: Integrator,
  body: SessionRequest,
): Promise<{ journeyId: string; embedUrl: string }> {
  const request = requestOf(orderOf(body, ctx.at, ctx))
  const { journeyId, token } = await openOrResume(ctx, who, request)
  return { journeyId, embedUrl: embedUrl(ctx, who, request, token) }
}

const orderOf = (body: SessionRequest, at: Date, { config }: Context): SessionOrder =>
  canonicalSession(body, at, [
    ...callbackFaults(body.callbackUrl, deliveryPolicyOf(config)),
    ...returnFaults(body.returnUrl, deliveryPolicyOf(config)),
  ])

export const requestOf = (order: SessionOrder): JourneyRequest => ({
  externalId: order.borrowerProviderID,
  type: order.journeyType,
  person: detailsOf(order),
  endUse: order.goldLoan?.endUse ?? null,
  bureauConsent: order.goldLoan?.bureauConsent ?? null,
  callbackUrl: order.callbackUrl,
  returnUrl: order.returnUrl,
})

function reply(ctx: Context, who: Integrator, request: JourneyRequest, { created, token }: Opened): Answer {
  const body = { embedUrl: embedUrl(ctx, who, request, token) }
  return answer(created ? 201 : 200, body, { 'cache-control': 'no-store' })
}

/** Only the given fields: an absent field is absent, so that a merge keeps what is known. */
const detailsOf = ({ goldLoan, ...order }: SessionOrder): BorrowerDetails => ({
  ...detailsFrom(order),
  gold: goldLoan && goldFrom(goldLoan),
})

/** `endUse` and the consent are the journey's. */
function goldFrom({
  endUse: _,
  bureauConsent: __,
  aaID: aaId,
  jewelleryWeightGrams: grams,
  requestedAmount: amount,
  requestedTenureMonths: months,
  ...given
}: GoldLoan): BorrowerDetails['gold'] {
  return without(
    {
      ...given,
      aaId,
      jewelleryWeightGrams: grams === undefined ? undefined : gramsOf(grams),
      requestedAmount: amount === undefined ? undefined : String(amount),
      requestedTenureMonths: months === undefined ? undefined : Number(months),
    },
    undefined,
  )
}
