// POST /api/lab/sessions: creates or resumes a hosted journey and answers where to embed it (D1 §2.1, §2.2, §4).
import { canonicalSession, type SessionOrder, SessionReply, SessionRequest } from '#contract/hosted/session.ts'
import { type Answer, answer } from '#kit/http-server.ts'
import { faultsOf } from '#kit/refusal.ts'
import { apiKey, type Integrator } from '#platform/access/api-key.ts'
import { idempotencyKey, once } from '#platform/access/idempotency.ts'
import { callbackFaults, mannerOf, returnFaults } from '#platform/webhook/manner.ts'
import { route, type World } from '#platform/world.ts'
import { embedUrl } from './embed-url.ts'
import { type Opened, openForStranger, openOrResume, type Wanted } from './open-journey.ts'
import { personOf } from './person-of.ts'

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
  also: (rest, { at }, world) => faultsOf(() => orderOf(rest, at, world)),
  async handle({ who, body, headers, at }, world) {
    const wanted = wantedBy(orderOf(body, at, world))
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
      return once(world, operation, at, async (tx) =>
        reply(world, who, wanted, await openOrResume(tx, world, who, wanted, at)),
      )
    }
    // The one statement for new borrowers knows no returnUrl: such a session takes the other way.
    const opened =
      (wanted.returnUrl === null ? await openForStranger(world, who, wanted, at) : null) ??
      (await world.db.tx((tx) => openOrResume(tx, world, who, wanted, at)))
    return reply(world, who, wanted, opened)
  },
})

const orderOf = (body: SessionRequest, at: Date, { config }: World): SessionOrder =>
  canonicalSession(body, at, [
    ...callbackFaults(body.callbackUrl, mannerOf(config)),
    ...returnFaults(body.returnUrl, mannerOf(config)),
  ])

const wantedBy = (order: SessionOrder): Wanted => ({
  borrowerProviderID: order.borrowerProviderID,
  journeyType: order.journeyType,
  person: personOf(order),
  endUse: order.goldLoan?.endUse ?? null,
  bureauConsent: order.goldLoan?.bureauConsent ?? null,
  callbackUrl: order.callbackUrl,
  returnUrl: order.returnUrl,
})

function reply(world: World, who: Integrator, wanted: Wanted, { created, token }: Opened): Answer {
  const body = { embedUrl: embedUrl(world, who, wanted, token) }
  return answer(created ? 201 : 200, body, { 'cache-control': 'no-store' })
}
