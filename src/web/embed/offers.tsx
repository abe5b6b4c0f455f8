// The offers as they come in, and the comparison: all of them by yearly cost, and the lenders that made none.
import { useSignal } from '@preact/signals'
import type { EmbedOffer, EmbedView } from '#contract/hosted/embed.ts'
import { Choose } from './choose.tsx'
import { Consents } from './consents.tsx'
import { TroubleNotice } from './form.tsx'
import { here } from './here.ts'
import { Answers, Mark } from './lender.tsx'
import { SecuredBy } from './secured.tsx'
import { Terms, validity } from './terms.tsx'
import { t } from './text.ts'
import { Title } from './title.tsx'
import { Waiting } from './waiting.tsx'

export function SearchingScreen() {
  const { lenders, offers } = here.session.view.value!
  const done = lenders.filter(({ status }) => status !== 'OFFER_AWAITED').length
  return (
    <section>
      <Title lead={t('searching.lead')}>{t('searching.title')}</Title>
      <Waiting>{lenders.length > 0 && t('searching.progress', { done, of: lenders.length })}</Waiting>
      <Answers lenders={lenders} />
      <Consents />
      {offers.length > 0 && (
        <>
          <h2>{t('searching.soon')}</h2>
          <Cards offers={offers} />
        </>
      )}
    </section>
  )
}

export function OffersScreen() {
  const { session } = here
  const view = session.view.value!
  const choosing = useSignal<string | null>(null)
  const chosen = view.offers.find(({ id, expired }) => id === choosing.value && !expired)
  const choose = (id: string | null) => {
    session.trouble.value = null
    choosing.value = id
  }
  if (chosen) return <Choose key={chosen.id} offer={chosen} back={() => choose(null)} />
  return <Comparison view={view} choose={choose} />
}

function Comparison({ view, choose }: { view: EmbedView; choose(id: string): void }) {
  const { offers, lenders } = view
  const waiting = lenders.filter(({ status }) => status === 'OFFER_AWAITED')
  const unmatched = lenders.filter(({ status }) => status === 'NO_OFFER_AVAILABLE')
  return (
    <section>
      <Title lead={t('offers.sorted')}>{t('offers.title', { count: offers.length })}</Title>
      <TroubleNotice />
      <Cards offers={offers} choose={choose} />
      <Consents />
      {waiting.length > 0 && (
        <>
          <h2>{t('offers.waiting')}</h2>
          <Answers lenders={waiting} />
        </>
      )}
      {unmatched.length > 0 && (
        <>
          <h2>{t('offers.unmatched')}</h2>
          <Answers lenders={unmatched} />
        </>
      )}
    </section>
  )
}

function Cards({ offers, choose }: { offers: EmbedOffer[]; choose?: (id: string) => void }) {
  const { lenders } = here.session.view.value!
  return (
    <ul class="cards">
      {offers.map((offer) => {
        const lender = lenders.find(({ id }) => id === offer.lenderId)
        return (
          <li key={offer.id} class="card">
            <h2>
              <Mark name={offer.lenderName} logoUrl={lender?.logoUrl ?? null} />
              {offer.lenderName}
            </h2>
            <SecuredBy offer={offer} />
            <Terms offer={offer} lender={lender} />
            {offer.expired ? (
              <p class="wrong">{t('offers.expired')}</p>
            ) : (
              choose && (
                <div class="actions">
                  <button type="button" class="main" onClick={() => choose(offer.id)}>
                    {t('offers.choose', { lender: offer.lenderName })}
                  </button>
                  {offer.validUntil && <small>{validity(offer)}</small>}
                </div>
              )
            )}
          </li>
        )
      })}
    </ul>
  )
}
