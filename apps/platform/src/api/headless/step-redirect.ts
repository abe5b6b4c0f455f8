// GET /go/{token}: records the visit of a headless app's borrower, and redirects to the lender's page for a step.

import { Refusal, type RefusalKind } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { Closed, Type } from '@lendloom/foundation/schema'
import { formFrom } from '@lendloom/http/body'
import { type Html, html } from '@lendloom/http/markup'
import { redirect } from '@lendloom/http/page-frame'
import { plainPage } from '@lendloom/http/plain-page'
import { type Answer, type Api, pathToken } from '@lendloom/http/server'
import { daysOfPeriod } from '@lendloom/lending/calendar'
import { pageLanguage } from '@lendloom/lending/language'
import { checkedPaise, inr } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { refused } from '@lendloom/wire/headless/envelope'
import { consentText, currentConsentVersion } from '@lendloom/wire/hosted/consent-text'
import { type Context, route } from '#platform/context.ts'
import type { GivenConsent } from '#platform/lending/borrower/consent.ts'
import type { Journey, Terms } from '#platform/lending/journey/journey.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { termsFrom } from '#platform/lending/journey/stored-terms.ts'
import { acceptOffer, continueWithOffer } from '#platform/lending/offer/decide-on-offer.ts'
import { isSelected, quoteOf } from '#platform/lending/offer/offer.ts'
import { penalCharges } from '#platform/lending/offer/penal-charges.ts'
import { listWithLenders } from '#platform/lending/offer/store.ts'
import { type Reader, readerOf } from '#platform/lending/page-text/page-text.ts'
import { openStep } from '#platform/lending/step/open-step.ts'
import type { StepName } from '#platform/lending/step/step.ts'
import type { ListedOffer } from './offer-card.ts'
import { type LinkedStep, openLink } from './step-link.ts'

const linkRoute = {
  path: '/go/{token}',
  // The token in the link is the credential. It expires after half an hour.
  auth: pathToken((token, { seal }: Context, at) => openLink(seal, token, at)),
  hidden: true,
  params: Closed({ token: Type.String({ minLength: 1, maxLength: 400 }) }),
} as const

const visit = route({
  ...linkRoute,
  method: 'GET',
  section: 'D2 §2.3',
  summary: "Go to the lender's page of a step",
  handle: ({ who, headers, at }, ctx) =>
    withLink(ctx, who, at, async (tx, journey, { go, step }) => {
      // The borrower shares a bank statement before the lender sends final terms, so there is nothing to accept yet.
      if (step === 'bankMandate') return go(journey)
      const accepted = await continueWithOffer({ ...ctx, tx, at }, journey)
      return accepted ? go(accepted) : termsPage(await chosenOffer(tx, journey), readerOf(headers))
    }),
})

const accept = route({
  ...linkRoute,
  method: 'POST',
  section: 'D2 §3',
  summary: "Accept the final terms after reading the key facts, and go to the lender's page",
  accepts: 'raw',
  handle: ({ who, raw, headers, ip, at }, ctx) =>
    withLink(ctx, who, at, async (tx, journey, { go }) => {
      if (journey.status !== 'OFFER_SELECTED') return go(journey)
      const offer = await chosenOffer(tx, journey)
      const form = formFrom(raw)
      const quote = quoteOf(offer)
      if (!quote || form.get('quote') !== quote.quoteId || form.get('termsDigest') !== quote.termsDigest)
        return termsPage(offer, readerOf(headers))
      const consent: GivenConsent = {
        purpose: 'key_facts',
        textVersion: form.get('textVersion') ?? '',
        // The language in which the consent was shown.
        language: pageLanguage(form.get('language') ?? undefined, undefined),
      }
      const acceptance = {
        offerId: offer.offerId,
        quote,
        consents: [consent],
        origin: { channel: 'headless', ip } as const,
      }
      return go(await acceptOffer({ ...ctx, tx, at }, journey, acceptance))
    }),
})

interface StepRoute {
  step: StepName
  go(journey: Journey): Promise<Answer>
}

/** Runs `act` under the lock of a link's journey. `go` counts the visit and redirects to the lender's page. */
function withLink(
  ctx: Context,
  { tenantId, journeyId, step }: LinkedStep,
  at: Date,
  act: (tx: Tx, journey: Journey, route: StepRoute) => Promise<Answer>,
): Promise<Answer> {
  return ctx.db.tx(async (tx) => {
    const journey = await lockJourney(tx, tenantId, journeyId)
    if (!journey?.active) throw new Refusal('wrong-state', 'this application has ended', { status: journey?.status })
    const go: StepRoute['go'] = async (currentJourney) => {
      const { url } = await openStep({ ...ctx, tx, at }, currentJourney, step)
      return redirect(url, 302)
    }
    return act(tx, journey, { step, go })
  })
}

async function chosenOffer(tx: Tx, journey: Journey): Promise<ListedOffer> {
  const offer = (await listWithLenders(tx, journey)).find(isSelected)
  if (!offer?.finalTerms) throw new Refusal('wrong-state', 'the lender has not sent its final terms yet')
  return offer
}

/** Browsers open these links, so a refusal is answered with a page. */
export const goApi: Api<Context> = {
  prefix: '/go',
  routes: [visit, accept],
  refuse: (refusal, arrival) =>
    refusalPage(readerOf(arrival.headers), refusal === 'bug' ? 'bug' : refusal.kind, refused(refusal, arrival).status),
}

/**
 * The page with the final terms, the Key Facts Statement and one button, for a borrower who agreed to other terms.
 * The form names the displayed quote and the digest of its terms, so that the button accepts no other terms.
 */
function termsPage(offer: ListedOffer, reader: Reader): Answer {
  const quote = required(quoteOf(offer), 'the quote of an offer with final terms')
  const terms = termsFrom(required(offer.terms, 'the terms of an offer with final terms'))
  const { language, t } = reader
  const rows: [string, string][] = [
    [t('finalTerms.paidOut'), inr(terms.netDisbursed)],
    [
      t('finalTerms.instalment'),
      t('finalTerms.times', { amount: inr(terms.installmentAmount), count: terms.installmentsCount }),
    ],
    [t('finalTerms.total'), inr(terms.principal + terms.interest)],
    [t('finalTerms.amount'), inr(terms.principal)],
    [t('finalTerms.term'), terms.term],
    [t('finalTerms.interest'), t('finalTerms.interestOf', { rate: terms.interestRate, amount: inr(terms.interest) })],
    [t('finalTerms.apr'), terms.apr],
    ...(terms.ltvRatio === null ? [] : [row(t('finalTerms.ltv'), t('finalTerms.ltvOf', { share: terms.ltvRatio }))]),
    [t('finalTerms.fees'), inr(feesOf(terms))],
    ...penalCharges(terms).map(({ kind, text }): [string, string] => [
      t(`finalTerms.penal.${kind}`),
      /^\d+\.\d\d$/.test(text) ? inr(checkedPaise(text)) : text,
    ]),
    ...(terms.coolOffPeriod === null ? [] : [row(t('finalTerms.coolOff'), daysOf(terms.coolOffPeriod, reader))]),
  ]
  return page(
    reader,
    t('finalTerms.title'),
    html`<p>${t('finalTerms.lead', { lender: offer.lender.name })}</p>
<dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<p>${terms.kfsLink !== null && html`<a href="${terms.kfsLink}" target="_blank" rel="noopener">${t('finalTerms.keyFacts')}</a>`}
${terms.tncLink !== null && html`<a href="${terms.tncLink}" target="_blank" rel="noopener">${t('finalTerms.conditions')}</a>`}</p>
<form method="post"><input type="hidden" name="textVersion" value="${currentConsentVersion}"><input type="hidden" name="quote" value="${quote.quoteId}"><input type="hidden" name="termsDigest" value="${quote.termsDigest}"><input type="hidden" name="language" value="${language}">
<p>${consentText(currentConsentVersion, 'key_facts', language)}</p>
<button class="primary" type="submit">${t('finalTerms.accept')}</button></form>`,
  )
}

const row = (name: string, value: string): [name: string, value: string] => [name, value]

const feesOf = (terms: Terms): bigint => terms.processingFee + terms.otherUpfront + terms.insurance + terms.otherCharges

function daysOf(duration: string, { t }: Reader): string {
  const days = daysOfPeriod(duration)
  return days === null ? duration : t('finalTerms.days', { count: days })
}

function refusalPage(reader: Reader, kind: RefusalKind | 'bug', status: number): Answer {
  const { t } = reader
  const name = kind === 'absent' || kind === 'invalid' ? kind : kind === 'wrong-state' ? 'notNow' : 'bug'
  return page(reader, t('refused.title'), html`<p>${t(`refused.${name}`)} ${t('refused.backToApp')}</p>`, status)
}

/** `formAction` permits every address, because the form redirects to the lender. */
const page = ({ language }: Reader, title: string, body: Html, status = 200): Answer =>
  plainPage({ language, title, body, status, formAction: 'anywhere' })
