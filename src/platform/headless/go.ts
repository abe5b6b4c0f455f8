// GET /go/{token}: a borrower of a client without our page goes to do a step; the visit is seen, then the lender's page follows.

import { refused } from '#contract/headless/envelope.ts'
import { pageLanguage } from '#contract/language.ts'
import type { Tx } from '#kit/db/sql.ts'
import { redirect } from '#kit/http/page-frame.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Closed, Type } from '#kit/http/schema.ts'
import type { Answer, Api } from '#kit/http/server.ts'
import { anyone } from '#kit/http/server.ts'
import type { GivenConsent } from '#platform/borrower/consent.ts'
import { type Context, route } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { lockJourney } from '#platform/journey/store.ts'
import { acceptOffer, goOnWithOffer } from '#platform/offer/decide.ts'
import { isSelected } from '#platform/offer/offer.ts'
import { listWithLenders } from '#platform/offer/store.ts'
import { readerOf } from '#platform/page-text/page-text.ts'
import { openStep } from '#platform/step/open.ts'
import type { StepName } from '#platform/step/step.ts'
import { nothingPage, termsPage } from './go-page.ts'
import type { ListedOffer } from './offer-card.ts'
import { openLink } from './step-link.ts'

const place = {
  path: '/go/{token}',
  // The borrower holds the link: it was given to their session half an hour ago at most.
  auth: anyone,
  hidden: true,
  params: Closed({ token: Type.String({ minLength: 1, maxLength: 400 }) }),
} as const

const visit = route({
  ...place,
  method: 'GET',
  section: 'D2 §2.3',
  summary: "Go to the lender's page of a step",
  handle: ({ params, headers, at }, ctx) =>
    linked(ctx, params.token, at, async (tx, journey, { go, step }) => {
      // A statement is shared before there are final terms to accept.
      if (step === 'bankMandate') return go(journey)
      const goesOn = await goOnWithOffer({ ...ctx, tx, at }, journey)
      return goesOn ? go(goesOn) : termsPage(await chosenOffer(tx, journey), readerOf(headers))
    }),
})

const accept = route({
  ...place,
  method: 'POST',
  section: 'D2 §3',
  summary: "Accept the final terms, having read the key facts, and go to the lender's page",
  accepts: 'raw',
  handle: ({ params, raw, headers, ip, at }, ctx) =>
    linked(ctx, params.token, at, async (tx, journey, { go }) => {
      if (journey.status !== 'OFFER_SELECTED') return go(journey)
      const offer = await chosenOffer(tx, journey)
      const form = new URLSearchParams(raw.toString('utf8'))
      if (!offer.terms || form.get('terms') !== offer.terms.quoteId) return termsPage(offer, readerOf(headers))
      const consent: GivenConsent = {
        purpose: 'key_facts',
        textVersion: form.get('textVersion') ?? '',
        // The language in which the consent was shown.
        language: pageLanguage(form.get('language') ?? undefined, undefined),
      }
      const given = { offerId: offer.offerId, consents: [consent], place: { channel: 'headless', ip } as const }
      return go(await acceptOffer({ ...ctx, tx, at }, journey, given))
    }),
})

interface Way {
  step: StepName
  go(journey: Journey): Promise<Answer>
}

/** Opens a link under its journey's lock; `go` leads to the lender's page and counts the visit. */
function linked(
  ctx: Context,
  token: string,
  at: Date,
  act: (tx: Tx, journey: Journey, way: Way) => Promise<Answer>,
): Promise<Answer> {
  const { tenantId, journeyId, step } = openLink(ctx.seal, token, at)
  return ctx.db.tx(async (tx) => {
    const journey = await lockJourney(tx, tenantId, journeyId)
    if (!journey?.active) throw new Refusal('wrong-state', 'this application has ended', { status: journey?.status })
    const go: Way['go'] = async (now) => {
      const { url } = await openStep({ ...ctx, tx, at }, now, step)
      return redirect(url, 302)
    }
    return act(tx, journey, { step, go })
  })
}

async function chosenOffer(tx: Tx, journey: Journey): Promise<ListedOffer> {
  const offer = (await listWithLenders(tx, journey)).find(isSelected)
  if (!offer?.finalTerms) throw new Refusal('wrong-state', 'the lender has not given its final terms yet')
  return offer
}

/** Borrowers' browsers come here, so a refusal is a page. */
export const goApi: Api<Context> = {
  prefix: '/go',
  routes: [visit, accept],
  refuse: (refusal, arrival) =>
    nothingPage(readerOf(arrival.headers), refusal === 'bug' ? 'bug' : refusal.kind, refused(refusal, arrival).status),
}
