// From the first question to the choice: lenders answer, all offers are compared, and what is shown keeps its place.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { EmbedLender, EmbedOffer } from '#contract/hosted/embed.ts'
import type { EmbedConsent } from '#contract/hosted/embed-aa.ts'
import { Choose } from './choose.tsx'
import { ConsentWay } from './consents.tsx'
import { Button, TroubleNotice } from './form.tsx'
import { here } from './here.ts'
import { LenderRow, Mark } from './lender.tsx'
import { SecuredBy } from './secured.tsx'
import { Terms, validity } from './terms.tsx'
import { t } from './text.ts'
import { Title } from './title.tsx'
import { Waiting } from './waiting.tsx'

const idsOf = (offers: EmbedOffer[]) => offers.map(({ id }) => id)

/** Choosing begins once no further answer can come, or when the borrower asks to see what there is. */
export function OffersScreen() {
  const { session } = here
  const { screen, searching, offers } = session.view.value!
  /** The offers that the borrower has before them: later ones are added only when the borrower asks for them. */
  const asked = useSignal<readonly string[] | null>(null)
  const isOver = screen === 'OFFERS' && !searching
  useEffect(() => {
    if (isOver) asked.value ??= idsOf(offers)
  }, [isOver])
  const shown = asked.value ?? (isOver ? idsOf(offers) : null)
  const chosen = offers.find(({ id, expired }) => id === here.inner.value && !expired)
  const choose = (id: string) => {
    session.trouble.value = null
    here.inner.value = id
  }
  const show = () => {
    asked.value = idsOf(offers)
  }
  if (chosen) return <Choose key={chosen.id} offer={chosen} back={() => choose('')} />
  if (!shown) return <Searching show={show} />
  return <Comparison key={shown.join()} shown={shown} show={show} choose={choose} />
}

const isAwaited = ({ status }: { status: string }) => status === 'OFFER_AWAITED'

function Searching({ show }: { show(): void }) {
  const { lenders, offers } = here.session.view.value!
  const done = lenders.filter((lender) => !isAwaited(lender)).length
  return (
    <section>
      <Title lead={t('searching.lead')}>{t('searching.title')}</Title>
      <Waiting>{lenders.length > 0 && t('searching.progress', { done, of: lenders.length })}</Waiting>
      <p class="hint">{t('searching.soon')}</p>
      <div class="reserved">
        {offers.length > 0 && <Button onClick={show}>{t('searching.show', { count: offers.length })}</Button>}
      </div>
      <TroubleNotice />
      <Others shown={[]} brief />
    </section>
  )
}

interface ComparisonProps {
  shown: readonly string[]
  show(): void
  choose(id: string): void
}

function Comparison({ shown, show, choose }: ComparisonProps) {
  const { offers, searching } = here.session.view.value!
  const more = offers.filter(({ id }) => !shown.includes(id)).length
  return (
    <section>
      <Title lead={t('offers.sorted')}>{t('offers.title', { count: shown.length })}</Title>
      <More more={more} show={show} />
      <TroubleNotice />
      <Cards offers={offers.filter(({ id }) => shown.includes(id))} choose={choose} />
      <Others shown={shown} heading={t(searching || more > 0 ? 'offers.others' : 'offers.unmatched')} />
    </section>
  )
}

/** What has come since. It has its place from the beginning, so that nothing below it moves. */
function More({ more, show }: { more: number; show(): void }) {
  const { lenders, searching } = here.session.view.value!
  const count = lenders.filter(isAwaited).length
  return (
    <div class={more > 0 ? 'more fresh' : 'more'}>
      <p role="status">
        {more > 0
          ? t('offers.more', { count: more })
          : count > 0
            ? t('offers.awaited', { count })
            : !searching && t('offers.complete')}
      </p>
      {more > 0 && (
        <Button kind="plain" onClick={show}>
          {t('offers.more.show')}
        </Button>
      )}
    </div>
  )
}

interface OthersProps {
  shown: readonly string[]
  heading?: string
  /** Without reasons, which are of different length. */
  brief?: boolean
}

/** Lenders of which no offer is shown: each stays where it was when it first came, also when it asks for a consent. */
function Others({ shown, heading, brief = false }: OthersProps) {
  const { lenders, accountAggregator, offers, searching } = here.session.view.value!
  const order = useRef<string[]>([])
  // Reasons may still come in: there is space for them from the beginning.
  const isOpen = useRef(searching).current
  // What asks from the beginning is laid open; a row that asks later opens when it is tapped.
  const first = useRef(accountAggregator.map(({ offerId }) => offerId)).current
  const withOffer = offers.filter(({ id }) => shown.includes(id)).map(({ lenderId }) => lenderId)
  const others = lenders.filter(({ id }) => !withOffer.includes(id))
  for (const { id } of others) if (!order.current.includes(id)) order.current.push(id)
  const place = (lender: EmbedLender) => order.current.indexOf(lender.id)
  return (
    <>
      {heading && others.length > 0 && <h2>{heading}</h2>}
      <ul class={brief ? 'answers asked' : isOpen ? 'answers open' : 'answers'}>
        {others
          .sort((one, other) => place(one) - place(other))
          .map((lender) => {
            const consent = accountAggregator.find(({ lenderId }) => lenderId === lender.id)
            return consent ? (
              <Asking key={lender.id} lender={lender} consent={consent} open={first.includes(consent.offerId)} />
            ) : (
              <LenderRow key={lender.id} lender={lender} brief={brief} />
            )
          })}
      </ul>
    </>
  )
}

/** A lender that wants the borrower's consent before it decides: as high as any other row until it is opened. */
function Asking({ lender, consent, open }: { lender: EmbedLender; consent: EmbedConsent; open: boolean }) {
  return (
    <li class="asks">
      <Mark name={lender.name} logoUrl={lender.logoUrl} />
      <details open={open}>
        <summary>{t('aa.title', { lender: lender.name })}</summary>
        <ConsentWay consent={consent} />
      </details>
    </li>
  )
}

function Cards({ offers, choose }: { offers: EmbedOffer[]; choose(id: string): void }) {
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
            <div class="actions">
              {offer.expired ? (
                <p class="wrong">{t('offers.expired')}</p>
              ) : (
                <button type="button" class="main" onClick={() => choose(offer.id)}>
                  {t('offers.choose', { lender: offer.lenderName })}
                </button>
              )}
              {offer.validUntil && <small>{validity(offer)}</small>}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
