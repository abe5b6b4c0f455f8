// From the first question to the choice: lenders answer, all offers are compared, and what is shown keeps its place.

import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { EmbedOffer } from '#contract/hosted/embed.ts'
import { Button, TroubleNotice } from '../form/form.tsx'
import { chunkOf, Fetched } from '../page/chunk.tsx'
import { files } from '../page/files.ts'
import { months, rupees } from '../page/format.ts'
import { type ChooseProps, here, type WantedProps } from '../page/here.ts'
import { Title } from '../page/title.tsx'
import { Waiting } from '../page/waiting.tsx'
import { t } from '../text.ts'
import {
  affordable,
  compared,
  firstWanted,
  type OfferPrice,
  orders,
  priced,
  type RequestedTerms,
  type SortOrder,
} from './compare.ts'
import { Compared, OfferCard } from './offer-card.tsx'
import { More, Others, pending } from './other-lenders.tsx'
import { monthlyIncome, WantedPanel, wrongAmount } from './wanted.tsx'

const choice = chunkOf('offers', () => files().choose)

type Sort = SortOrder | 'branch'
/** Kilometres to the nearest branch; infinite when unknown, or without a visit. */
const wayTo = ({ branches }: EmbedOffer): number => branches[0]?.aboutKm ?? Number.POSITIVE_INFINITY
const isKnown = (offer: EmbedOffer): boolean => wayTo(offer) < Number.POSITIVE_INFINITY
const sortsOf = (offers: EmbedOffer[]): readonly Sort[] => (offers.some(isKnown) ? [...orders, 'branch'] : orders)

const idsOf = (offers: EmbedOffer[]) => offers.map(({ id }) => id)

/** The choice starts when no further answer can come, or when the borrower asks to see the offers. */
export function OffersScreen() {
  const { session } = here
  const { screen, searching, offers } = here.view.value
  /** The offers that the borrower has before them: later ones are added only when the borrower asks for them. */
  const listed = useSignal<readonly string[] | null>(null)
  const at: OfferComparison = {
    first: useRef(null),
    wanted: useSignal(null),
    typed: useSignal(null),
    ranked: useSignal(null),
    order: useSignal('apr'),
  }
  const isOver = screen === 'OFFERS' && !searching
  useEffect(() => {
    if (isOver) listed.value ??= idsOf(offers)
  }, [isOver])
  const shown = listed.value ?? (isOver ? idsOf(offers) : null)
  const isShown = shown !== null
  // Before it is needed, and after the offers: on a slow line they would wait for it.
  useEffect(() => {
    if (isShown) void choice.load()
  }, [isShown])
  const chosen = offers.find(({ id, expired }) => id === here.inner.value && !expired)
  const choose = (id: string) => {
    session.trouble.value = null
    here.inner.value = id
  }
  const show = () => {
    listed.value = idsOf(offers)
  }
  if (chosen)
    return (
      <Fetched
        key={chosen.id}
        chunk={choice}
        draw={() => here.choose && <here.choose {...choiceOf(chosen, at)} back={() => choose('')} />}
      />
    )
  if (!isShown) return <Searching show={show} />
  return <Comparison key={shown.join()} shown={shown} at={at} show={show} choose={choose} />
}

/** The comparison's exports to the choice, whose chunk has no copy. */
function choiceOf(offer: EmbedOffer, at: OfferComparison): Omit<ChooseProps, 'back'> {
  const price = (wanted: RequestedTerms) => priced(offer, wanted)
  const { amount, months } = price(at.wanted.value ?? firstWanted([offer]))
  const wrong = wrongAmount([offer])
  return { offer, wanted: { amount, months }, wrongAmount: wrong, price, Panel: WantedPanel, Figures: Compared }
}

/** The terms of the comparison: they stay while an offer is open, and when offers are added. */
interface OfferComparison {
  /** Worked out when the comparison is first shown: later offers do not change what the first ones were compared at. */
  first: { current: RequestedTerms | null }
  wanted: Signal<RequestedTerms | null>
  typed: WantedProps['typed']
  /** By which the offers have their places. */
  ranked: Signal<RequestedTerms | null>
  order: Signal<Sort>
}

function Searching({ show }: { show(): void }) {
  const { lenders, offers } = here.view.value
  const { awaited, asking } = pending()
  const [done, of] = [lenders.length - awaited, lenders.length]
  // The search stays open a little longer than the last answer.
  const isAnswered = of > 0 && awaited + asking === 0
  return (
    <section>
      <Title lead={t('searching.lead')}>{t(isAnswered ? 'searching.done' : 'searching.title')}</Title>
      <Waiting share={of > 0 ? done / of : undefined}>
        {of > 0 &&
          (awaited === 0 && asking > 0 ? t('offers.asking', { count: asking }) : t('searching.progress', { done, of }))}
      </Waiting>
      <p class="hint">{t(isAnswered ? 'searching.late' : 'searching.soon')}</p>
      <div class="reserved">
        {offers.length > 0 && <Button onClick={show}>{t('searching.show', { count: offers.length })}</Button>}
      </div>
      <TroubleNotice />
      <Others shown={[]} brief />
    </section>
  )
}

/** What the income can carry by the usual rule; empty without an income. */
function Affordable() {
  const income = monthlyIncome()
  if (income <= 0) return null
  return <p class="hint">{t('wanted.afford', { income: rupees(income), emi: rupees(affordable(income)) })}</p>
}

/** The offers in their places, and what the first of them is the first by, where it has others to be compared with. */
function placesOf(listed: EmbedOffer[], wanted: RequestedTerms, order: Sort) {
  const ranked = sorted(listed, wanted, order)
  const fitting = ranked.filter(({ fits }) => fits)
  const [lead, second] = fitting
  const isBest = lead && second && (order !== 'branch' || isKnown(lead.offer))
  return { fitting, rest: ranked.filter(({ fits }) => !fits), best: isBest ? t(`offers.best.${order}`) : null }
}

interface ComparisonProps {
  shown: readonly string[]
  at: OfferComparison
  show(): void
  choose(id: string): void
}

function Comparison({ shown, at, show, choose }: ComparisonProps) {
  const { offers, searching } = here.view.value
  const listed = offers.filter(({ id }) => shown.includes(id))
  const more = offers.length - listed.length
  at.first.current ??= firstWanted(listed)
  const first = at.first.current
  const wanted = at.wanted.value ?? first
  const { fitting, rest, best } = placesOf(listed, at.ranked.value ?? first, at.order.value)
  const chosen = (id: string) => {
    at.wanted.value = wanted
    at.typed.value = null
    choose(id)
  }
  return (
    <section class="comparison">
      <Title lead={shown.length > 1 && t('offers.explain')}>{t('offers.title', { count: shown.length })}</Title>
      <WantedPanel
        offers={listed}
        wanted={wanted}
        typed={at.typed}
        onChange={(next) => {
          at.wanted.value = next
        }}
        onDone={() => {
          at.ranked.value = at.wanted.value
        }}
      />
      <More more={more} show={show} />
      <TroubleNotice />
      <Bar wanted={wanted} order={at.order} sorts={listed.length > 1 ? sortsOf(listed) : []} />
      <Cards ranked={fitting} wanted={wanted} best={best} choose={chosen} />
      {rest.length > 0 && (
        <>
          <h2>{t('offers.elsewhere')}</h2>
          <Cards ranked={rest} wanted={wanted} best={null} choose={chosen} />
        </>
      )}
      <p class="hint">{t('offers.words')}</p>
      <Affordable />
      <Others shown={shown} heading={searching || more > 0 ? 'offers.others' : 'offers.unmatched'} />
    </section>
  )
}

/** For gold also by the distance to the nearest branch; unknown ones come last. */
function sorted(offers: EmbedOffer[], wanted: RequestedTerms, order: Sort): OfferPrice[] {
  if (order !== 'branch') return compared(offers, wanted, order)
  const way = ({ fits, offer }: OfferPrice) => (fits ? 0 : 1e6) + Math.min(1e5, wayTo(offer))
  return compared(offers, wanted, 'apr').sort((one, other) => way(one) - way(other))
}

interface CardsProps {
  ranked: OfferPrice[]
  wanted: RequestedTerms
  /** The criterion of the first. */
  best: string | null
  choose(id: string): void
}

const Cards = ({ ranked, wanted, best, choose }: CardsProps) => (
  <ul class="cards offers">
    {ranked.map(({ offer }, i) => (
      <OfferCard
        key={offer.id}
        priced={priced(offer, wanted)}
        lender={here.view.value.lenders.find(({ id }) => id === offer.lenderId)}
        best={i === 0 ? best : null}
        choose={() => choose(offer.id)}
      />
    ))}
  </ul>
)

/** The compared terms stay visible beside the sort order, also while another amount is typed. */
const Bar = ({
  wanted,
  order,
  sorts,
}: {
  wanted: RequestedTerms
  order: OfferComparison['order']
  sorts: readonly Sort[]
}) => (
  <div class="sorting">
    <b>
      {rupees(wanted.amount)}
      {wanted.months > 0 && ` · ${months(wanted.months)}`}
    </b>
    {sorts.length > 0 && (
      <select
        aria-label={t('offers.sort')}
        onChange={(event) => {
          order.value = sorts[event.currentTarget.selectedIndex] ?? 'apr'
        }}
      >
        {sorts.map((each) => (
          <option key={each} selected={each === order.value}>
            {t(`offers.${each}`)}
          </option>
        ))}
      </select>
    )}
  </div>
)
