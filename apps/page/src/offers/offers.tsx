// From the search to the choice: lenders answer, and the borrower compares all offers. Displayed offers never move.

import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { idOf } from '../form/field.tsx'
import { Button, TroubleNotice } from '../form/form.tsx'
import { finalChunk } from '../loan/later-screens.tsx'
import { months, rupees } from '../page/format.ts'
import { chunkOf, Fetched } from '../page/load-chunk.tsx'
import { type ChooseProps, page, type RequestProps } from '../page/page-state.ts'
import { Title } from '../page/title.tsx'
import { Waiting } from '../page/waiting.tsx'
import { language, t } from '../text.ts'
import {
  distanceTo,
  hasKnownDistance,
  initialTerms,
  isUndercut,
  type OfferPrice,
  priceOffer,
  type RequestedTerms,
  type SortOrder,
  sortOffers,
  sortOrders,
} from './compare-offers.ts'
import { ComparedFigures, OfferCard } from './offer-card.tsx'
import { countPending, OtherLenders, SearchProgress } from './other-lenders.tsx'
import { RequestPanel, wrongAmount } from './wanted-amount.tsx'

const choice = chunkOf('offers', 'choose')

type Sort = SortOrder | 'branch'
const sortsOf = (offers: EmbedOffer[]): readonly Sort[] =>
  offers.some(hasKnownDistance) ? [...sortOrders, 'branch'] : sortOrders

function selectOffer(offer: EmbedOffer, { amount, months }: RequestedTerms, entries: object = {}) {
  const price = priceOffer(offer, { amount, months })
  page.quoted = price.isEstimate ? price : undefined
  return page.session.act({
    method: 'POST',
    path: `/offers/${encodeURIComponent(offer.id)}/select`,
    body: { amount: String(amount), tenureMonths: months, ...entries, language: language.value },
  })
}

/** Whether choosing the offer takes more than a tap: a branch, units to pledge, or knowing that it is an application. */
const needsEntries = ({ branches, schemes, submits }: EmbedOffer): boolean =>
  branches.length > 0 || schemes.length > 0 || submits

const idsOf = (offers: EmbedOffer[]) => offers.map(({ id }) => id)

async function choose({ offer, amount, months }: OfferPrice): Promise<void> {
  if (needsEntries(offer)) return page.opener(offer.id)()
  const faults = await selectOffer(offer, { amount, months })
  if (faults?.length) page.opener(offer.id)()
}

/** The comparison starts when the search ends, or when the borrower opens the offers earlier. */
export function OffersScreen() {
  const { screen, searching, offers } = page.view.value
  /** Ids of the displayed offers. Later offers are added only when the borrower opens them. */
  const displayed = useSignal<readonly string[] | null>(null)
  const comparison: OfferComparison = {
    start: useRef(null),
    terms: useSignal(null),
    typed: useSignal(null),
    sortAt: useSignal(null),
    order: useSignal('apr'),
    isChanging: useSignal(false),
    triedId: useSignal(''),
  }
  const isSearchOver = screen === 'OFFERS' && !searching
  useEffect(() => {
    if (isSearchOver) displayed.value ??= idsOf(offers)
  }, [isSearchOver])
  const ids = displayed.value ?? (isSearchOver ? idsOf(offers) : null)
  const isComparing = ids !== null
  // Preloads the next chunks, but not before the offers, which they would delay on a slow connection.
  useEffect(() => {
    if (!isComparing) return
    void finalChunk.load()
    void choice.load()
  }, [isComparing])
  const openOffer = offers.find(({ id, expired }) => id === page.inner.value && !expired)
  const show = () => {
    displayed.value = idsOf(offers)
  }
  if (openOffer)
    return (
      <Fetched
        key={openOffer.id}
        chunk={choice}
        render={() =>
          page.choose && <page.choose {...choosePropsFor(openOffer, comparison)} onBack={page.opener('')} />
        }
      />
    )
  if (!isComparing) return <Searching show={show} />
  return (
    <Comparison key={ids.join()} ids={ids} comparison={comparison} show={show} choose={(price) => void choose(price)} />
  )
}

/** Props of the chosen offer's screen. It receives the comparison's code here instead of bundling a copy. */
function choosePropsFor(offer: EmbedOffer, comparison: OfferComparison): Omit<ChooseProps, 'onBack'> {
  const priceAt = (terms: RequestedTerms) => priceOffer(offer, terms)
  const select: ChooseProps['select'] = (terms, entries) => selectOffer(offer, terms, entries)
  const { amount, months } = priceAt(comparison.terms.value ?? initialTerms([offer]))
  return {
    offer,
    requested: { amount, months },
    wrongAmount: wrongAmount([offer]),
    priceAt,
    select,
    Panel: RequestPanel,
    Figures: ComparedFigures,
  }
}

/** State of the comparison, kept while an offer is open and when offers are added. */
interface OfferComparison {
  /** Initial terms, computed when the comparison is first shown; later offers do not change them. */
  start: { current: RequestedTerms | null }
  terms: Signal<RequestedTerms | null>
  typed: RequestProps['typed']
  /** The terms at which the offers are sorted; they follow `terms` when the borrower leaves the field. */
  sortAt: Signal<RequestedTerms | null>
  order: Signal<Sort>
  /** Whether the panel with amount and term is open. */
  isChanging: Signal<boolean>
  /** The offer whose button was pressed last; empty before. */
  triedId: Signal<string>
}

/** Shows which lenders have answered, until the borrower compares the offers. */
function Searching({ show }: { show(): void }) {
  const { lenders, offers, searching } = page.view.value
  const { pending, asking } = countPending()
  const answered = lenders.length - pending - asking
  const total = lenders.length
  const isAnswered = total > 0 && answered === total
  // The search stays open for lenders that we do not know.
  const isNoneSoFar = isAnswered && offers.length === 0
  const isForBorrower = pending === 0 && asking > 0
  const titleWhilePending = searching || asking === 0 ? 'searching.title' : 'offers.consent'
  const title = isAnswered && !isNoneSoFar ? 'searching.done' : titleWhilePending
  return (
    <section>
      <Title>{isForBorrower && offers.length > 0 ? t('offers.title', { count: offers.length }) : t(title)}</Title>
      <Waiting share={total > 0 && !isNoneSoFar ? answered / total : undefined}>
        {isNoneSoFar
          ? t('searching.none')
          : total === 0
            ? t('searching.asking')
            : isForBorrower
              ? t('offers.asking', { count: asking })
              : t('searching.progress', { done: answered, of: total })}
      </Waiting>
      {(searching || isNoneSoFar || offers.length > 0) && (
        <div class="actions reserved">
          {offers.length > 0 ? (
            <Button onClick={show}>{t('searching.show', { count: offers.length })}</Button>
          ) : (
            (pending > 0 || total === 0 || isNoneSoFar) && (
              <p class="hint">{isNoneSoFar ? t('searching.none.why', { count: total }) : t('searching.lead')}</p>
            )
          )}
        </div>
      )}
      <TroubleNotice />
      <OtherLenders ids={[]} brief />
    </section>
  )
}

/** Sorts the offers into those that match the request and the rest, with the badge of the best if there are several and it is true of all. */
function rankOffers(visibleOffers: EmbedOffer[], terms: RequestedTerms, order: Sort) {
  const ranked = sortBy(visibleOffers, terms, order)
  const matches = ranked.filter(({ fits }) => fits)
  const [first, second] = matches
  const rest = ranked.filter(({ fits }) => !fits)
  const isBest =
    first && (order !== 'branch' || hasKnownDistance(first.offer)) && !(order === 'apr' && isUndercut(matches, rest))
  const hasBest = second && isBest
  return {
    matches,
    rest,
    best: hasBest ? t(`offers.best.${order}`) : null,
  }
}

const isLine = ({ offer }: OfferPrice): boolean => offer.creditLine

interface ComparisonProps {
  ids: readonly string[]
  comparison: OfferComparison
  show(): void
  choose(price: OfferPrice): void
}

/** What is said of all offers: how a gold loan goes on, or how many of the offers match the request. */
function leadOf(
  visibleOffers: EmbedOffer[],
  { matches, rest, terms }: { matches: OfferPrice[]; rest: OfferPrice[]; terms: RequestedTerms },
) {
  if (visibleOffers.some(({ branches }) => branches.length > 0)) return t('offers.gold')
  if (matches.length === 0 || rest.length === 0) return null
  const term = terms.months > 0 ? ` · ${months(terms.months)}` : ''
  return t('offers.split', { count: matches.length, terms: `${rupees(terms.amount)}${term}`, rest: rest.length })
}

/** The offers in the order of a figure, with the panel in which the borrower changes amount and term. */
function Comparison({ ids, comparison, show, choose }: ComparisonProps) {
  const { offers, searching } = page.view.value
  const visibleOffers = offers.filter(({ id }) => ids.includes(id))
  const newCount = offers.length - visibleOffers.length
  comparison.start.current ??= initialTerms(visibleOffers, page.earlier)
  const start = comparison.start.current
  const terms = comparison.terms.value ?? start
  const sortTerms = comparison.sortAt.value ?? start
  const { matches, rest: otherPrices, best } = rankOffers(visibleOffers, sortTerms, comparison.order.value)
  // A credit line has no instalment and no total, so that it does not stand among loans.
  const isMixed = matches.some(isLine) && !matches.every(isLine)
  const loans = isMixed ? matches.filter((each) => !isLine(each)) : matches
  const lines = isMixed ? matches.filter(isLine) : []
  const firstOpen = [...matches, ...otherPrices].find(({ offer }) => !offer.expired)
  const { typed, isChanging } = comparison
  // A valid amount is taken over while it is typed.
  const isAmountWrong = isChanging.value && typed.value !== null && typed.value !== String(terms.amount)
  const { triedId } = comparison
  const hasCommonTerm = terms.months > 0
  const cards = {
    terms,
    triedId: triedId.value,
    showsCount: !hasCommonTerm,
    isOff: isAmountWrong,
    mainId: firstOpen?.offer.id,
    choose(price: OfferPrice) {
      comparison.terms.value = terms
      typed.value = null
      triedId.value = price.offer.id
      choose(price)
    },
  }
  return (
    <section class="comparison">
      <Title lead={leadOf(visibleOffers, { matches, rest: otherPrices, terms: sortTerms })}>
        {t('offers.title', { count: visibleOffers.length })}
      </Title>
      <SearchProgress newCount={newCount} show={show} />
      {!visibleOffers.some(({ id }) => id === triedId.value) && <TroubleNotice />}
      <Bar terms={terms} isChanging={isChanging} isAmountWrong={isAmountWrong} />
      {isChanging.value && (
        <OpenedPanel
          offers={visibleOffers}
          requested={terms}
          typed={typed}
          onChange={(next) => {
            comparison.terms.value = next
          }}
          onDone={() => {
            comparison.sortAt.value = comparison.terms.value
          }}
        />
      )}
      {visibleOffers.length > 1 && (
        <SortChoice
          order={comparison.order}
          sorts={sortsOf(visibleOffers)}
          isSplit={matches.length > 0 && otherPrices.length > 0}
        />
      )}
      <Cards {...cards} prices={loans} best={best} />
      {lines.length > 0 && (
        <>
          <h2>{t('offers.lines')}</h2>
          <Cards {...cards} prices={lines} best={null} />
        </>
      )}
      {otherPrices.length > 0 && (
        <>
          <h2>{t('offers.elsewhere')}</h2>
          <Cards {...cards} prices={otherPrices} best={null} />
        </>
      )}
      <p class="hint">{t('offers.words')}</p>
      <OtherLenders ids={ids} heading={searching || newCount > 0 ? 'offers.others' : 'offers.unmatched'} />
    </section>
  )
}

/** The panel receives the focus: the bar that opens it stays visible when the borrower has scrolled past the panel. */
function OpenedPanel(props: RequestProps) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => panel.current?.focus(), [])
  return (
    <section class="opened" aria-label={t('choose.change')} tabIndex={-1} ref={panel}>
      <RequestPanel {...props} />
    </section>
  )
}

/** Sorts by a figure or, for gold, by the distance to the nearest branch; unknown distances come last. */
function sortBy(offers: EmbedOffer[], terms: RequestedTerms, order: Sort): OfferPrice[] {
  if (order !== 'branch') return sortOffers(offers, terms, order)
  const sortDistance = ({ fits, offer }: OfferPrice) => (fits ? 0 : 1e6) + distanceTo(offer)
  return sortOffers(offers, terms, 'apr').sort((first, other) => sortDistance(first) - sortDistance(other))
}

interface CardsProps {
  prices: OfferPrice[]
  terms: RequestedTerms
  /** Badge text of the first offer. */
  best: string | null
  /** The only offer with a filled button: the first that can be chosen. */
  mainId: string | undefined
  triedId: string
  showsCount: boolean
  /** Whether no offer can be chosen, because the figures are not those of the typed amount. */
  isOff: boolean
  choose(price: OfferPrice): void
}

const Cards = ({ prices, terms, best, mainId, triedId, showsCount, isOff, choose }: CardsProps) => (
  <ul class="cards offers">
    {prices.map(({ offer }, i) => (
      <OfferCard
        key={offer.id}
        price={priceOffer(offer, terms)}
        lender={page.view.value.lenders.find(({ id }) => id === offer.lenderId)}
        best={i === 0 ? best : null}
        isMain={offer.id === mainId}
        isOff={isOff}
        isTried={offer.id === triedId}
        showsCount={showsCount}
        choose={choose}
      />
    ))}
  </ul>
)

interface BarProps {
  terms: RequestedTerms
  isChanging: OfferComparison['isChanging']
  isAmountWrong: boolean
}

/** The requested terms, and the button that opens them for a change and closes them. A wrong amount keeps them open. */
const Bar = ({ terms, isChanging, isAmountWrong }: BarProps) => (
  <div class="asked-for">
    <b>
      {rupees(terms.amount)}
      {terms.months > 0 && ` · ${months(terms.months)}`}
    </b>
    <button
      type="button"
      class="quiet"
      aria-expanded={isChanging.value}
      aria-label={isChanging.value ? undefined : t('choose.change')}
      onClick={() => {
        if (isAmountWrong) document.getElementById(idOf('amount'))?.focus()
        else isChanging.value = !isChanging.value
      }}
    >
      {t(isChanging.value ? 'choose.done' : 'review.edit')}
    </button>
  </div>
)

interface SortProps {
  order: OfferComparison['order']
  sorts: readonly Sort[]
  /** Whether some offers are for another amount or term, and therefore come last. */
  isSplit: boolean
}

const SortChoice = ({ order, sorts, isSplit }: SortProps) => (
  <div class="sorting">
    <p class="hint">{t(isSplit ? 'offers.explain.split' : 'offers.explain')}</p>
    <select
      aria-label={t('offers.sort')}
      onChange={(event) => {
        order.value = sorts[event.currentTarget.selectedIndex] ?? 'apr'
      }}
    >
      {sorts.map((each) => (
        <option key={each} selected={each === order.value}>
          {t(`offers.best.${each}`)}
        </option>
      ))}
    </select>
  </div>
)
