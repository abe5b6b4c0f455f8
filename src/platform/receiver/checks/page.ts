// GET /verify/{token}: where a borrower goes for KYC, mandate or signature; it leads to the provider, or says what is waited for.

import { Refusal } from '#kit/http/refusal.ts'
import { Closed, Type } from '#kit/http/schema.ts'
import { type Answer, answer } from '#kit/http/server.ts'
import { type Context, route } from '#platform/context.ts'
import type { CheckKind } from '#platform/exchange/check.ts'
import { newestCheck } from '#platform/exchange/store.ts'
import { type Concerned, underLock } from '#platform/receiver/case-job.ts'
import { page } from '#platform/receiver/page.ts'
import { findStep } from '#platform/step/store.ts'
import { beginCheck, providerPage } from './begin.ts'
import { openCheckLink } from './link.ts'
import { takeNewest } from './poll.ts'
import { stepOf } from './settle.ts'
import { statusAt } from './status-at.ts'
import { endingOf } from './status-report.ts'

export const verifyPage = route({
  method: 'GET',
  path: '/verify/{token}',
  section: 'D3 §1.1',
  summary: 'Go to the provider of a step',
  auth: { scheme: null, check: () => null },
  hidden: true,
  params: Closed({ token: Type.String({ minLength: 1, maxLength: 1000 }) }),
  // Whoever sends the borrower back may add parameters of its own to our address, in whatever way.
  query: Type.Object({ back: Type.Optional(Type.String()) }),
  async handle({ params, query }, ctx) {
    const { tenantId, caseRef, kind } = openCheckLink(ctx, params.token)
    const concerned = await underLock(ctx, { tenantId, caseRef }, async (_, found) => found)
    try {
      return await (query.back !== undefined ? returned(ctx, concerned, kind) : onward(ctx, concerned, kind))
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'upstream')
        return waiting('The provider does not answer right now.')
      throw error
    }
  },
})

/** What has to be done before a check may begin: each is a fact of its own (D3 §1.1). */
const before: Record<CheckKind, 'kyc' | 'eMandate' | null> = { kyc: null, mandate: 'kyc', esign: 'eMandate' }

async function onward(ctx: Context, concerned: Concerned, kind: CheckKind): Promise<Answer> {
  const { application, journey } = concerned
  if (!journey.active) throw new Refusal('wrong-state', 'this application has ended')
  if ((await findStep(ctx.db, journey, stepOf[kind])).status === 'SUCCESS') return done()
  // The acceptance is on its way to the lender: KYC begins when it has recorded it (D3 §1.1 rule 4).
  if (application.stage === 'DECIDED') return waiting('The lender is recording your acceptance.')
  if (application.stage !== 'ACCEPTED') throw new Refusal('wrong-state', 'this step is not due')
  const earlier = before[kind]
  if (earlier && (await findStep(ctx.db, journey, earlier)).status !== 'SUCCESS')
    throw new Refusal('wrong-state', 'another step comes first')
  const last = await newestCheck(ctx.db, application, kind)
  if (!last || endingOf(kind, last) === 'failed') return to(providerPage(ctx, await beginCheck(ctx, concerned, kind)))
  return last.status === 'REQUESTED' ? to(providerPage(ctx, last)) : waiting('This is being checked.')
}

/** The browser is back, which proves nothing: the provider's server is asked (D3 §6 rule 1). */
async function returned(ctx: Context, concerned: Concerned, kind: CheckKind): Promise<Answer> {
  const check = await newestCheck(ctx.db, concerned.application, kind)
  if (!check) return onward(ctx, concerned, kind)
  if (endingOf(kind, check) === null) {
    const report = await statusAt(ctx, check)
    await underLock(ctx, concerned.application, (tx, found, at) => takeNewest(tx, ctx, found, check, report, at))
  }
  const now = await newestCheck(ctx.db, concerned.application, kind)
  const ending = endingOf(kind, now!)
  return ending === null ? waiting('This is being checked.') : ending === 'passed' ? done() : notDone()
}

const to = (location: string): Answer =>
  answer(302, '', { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })

const done = (): Answer => page('Done', 'This step is done. Please go back to your app and continue from there.')
const notDone = (): Answer =>
  page('Not done', 'This did not work. Please go back to your app; it says whether you can try again.')
const waiting = (what: string): Answer =>
  page('One moment', `${what} This page looks again by itself.`, { again: true })
