// An offer in the list: the compared figures, and all terms when it is opened.

import { Icon } from '@lendloom/design/icon'
import { warning } from '@lendloom/design/icons'
import type { EmbedLender } from '@lendloom/wire/hosted/embed-lender'
import type { ComponentChildren } from 'preact'
import { Button, TroubleNotice } from '../form/form.tsx'
import { SecuredBy } from '../funds/funds-on-demand.tsx'
import { about, isWeekly, months, rupees } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { t } from '../text.ts'
import { isFar, summaryOf } from './branches.tsx'
import { affordable, type OfferPrice } from './compare-offers.ts'
import { LenderLogo } from './lender.tsx'
import { aprOf, feesOf, payoutOf } from './offer-figures.ts'
import { Estimate, Terms, validity } from './offer-terms.tsx'
import { monthlyIncome } from './wanted-amount.tsx'

interface OfferCardProps {
  price: OfferPrice
  lender: EmbedLender | undefined
  /** Badge text if the offer is first by the sort criterion. */
  best: string | null
  /** Whether its button is the filled one. */
  isMain: boolean
  /** Whether the offer cannot be chosen at the moment. */
  isOff: boolean
  /** Whether its button was pressed last: what came of it is told here, where the borrower looks. */
  isTried: boolean
  /** Whether the number of instalments stands beside their amount, because offers are for different terms. */
  showsCount: boolean
  choose(price: OfferPrice): void
}

/** What kind of lender it is. Every lender is regulated, and some do not say more. */
const kindOf = (lender: EmbedLender | undefined): string =>
  lender?.kind ? t(`kind.${lender.kind}`) : lender?.about || t('kind.regulated')

const OfferHeading = ({ offer, lender, best }: Pick<OfferCardProps, 'lender' | 'best'> & Pick<OfferPrice, 'offer'>) => (
  <div class="who">
    <LenderLogo name={offer.lenderName} logoUrl={lender?.logoUrl ?? null} />
    <div>
      <h2>{offer.lenderName}</h2>
      <small>{[kindOf(lender), validity(offer)].filter(Boolean).join(' · ')}</small>
    </div>
    {best && <b class="badge">{best}</b>}
  </div>
)

export function OfferCard({ price, lender, best, isMain, isOff, isTried, showsCount, choose }: OfferCardProps) {
  const { offer, amount, fits } = price
  return (
    <li class={isOff || offer.expired ? 'card offer off' : 'card offer'}>
      <OfferHeading offer={offer} lender={lender} best={best} />
      {offer.basis && <p class="hint">{t(`offers.basis.${offer.basis}`)}</p>}
      {!fits && <p>{t('offers.nearest', { amount: rupees(amount), term: months(price.months) })}</p>}
      <ComparedFigures price={price} showsCount={showsCount} />
      {offer.branches.length > 0 &&
        (isFar(offer.branches) ? (
          <p class="far">
            <Icon path={warning} /> {summaryOf(offer.branches)}
          </p>
        ) : (
          <p class="hint">{summaryOf(offer.branches)}</p>
        ))}
      {lender?.usualPayoutSeconds && (
        <p class="hint">{t('offers.payout', { time: about(lender.usualPayoutSeconds) })}</p>
      )}
      <SecuredBy offer={offer} />
      <details class="whole">
        <summary>{t('offers.details')}</summary>
        <div class="all">
          <Terms price={price} lender={lender} />
        </div>
      </details>
      {isTried && <TroubleNotice offline={t('offers.offline', { lender: offer.lenderName })} />}
      <div class="actions">
        {isTried && page.session.failure.value?.again ? null : offer.expired ? (
          <p class="wrong">{t('offers.expired')}</p>
        ) : (
          <Button
            kind={isMain ? undefined : 'plain'}
            label={t('offers.choose', { lender: offer.lenderName })}
            disabled={isOff}
            onClick={() => choose(price)}
          >
            {isTried && page.session.busy.value ? t('page.working') : t('offers.take')}
          </Button>
        )}
      </div>
    </li>
  )
}

export function ComparedFigures({ price, showsCount = false }: { price: OfferPrice; showsCount?: boolean }) {
  const { offer, instalment, count, perMonth, total, isEstimate } = price
  const isMonthly = count === price.months
  const maxInstalment = affordable(monthlyIncome())
  return (
    <>
      <dl class="compared">
        {offer.creditLine ? (
          <Figure label={t('terms.limit')} isOwn>
            {rupees(price.amount)}
          </Figure>
        ) : (
          <Figure
            label={t(isWeekly(offer) ? 'offers.weekly' : 'offers.emi')}
            isOwn={isWeekly(offer)}
            isEstimate={isEstimate}
          >
            {instalment === null ? '–' : rupees(instalment)}
            {(showsCount || !isMonthly) && <small> {t('terms.times', { count })}</small>}
            {!isMonthly && perMonth !== null && (
              <small class="a-month">{t('terms.amonth', { amount: rupees(perMonth) })}</small>
            )}
          </Figure>
        )}
        <Figure label={t('offers.apr')}>{aprOf(price)}</Figure>
        {!offer.creditLine && (
          <Figure label={t('offers.total')} isEstimate={isEstimate}>
            {total === null ? '–' : rupees(total)}
          </Figure>
        )}
        <Figure label={t('terms.charges')}>{feesOf(price)}</Figure>
        {!offer.creditLine && <Figure label={t('terms.hand')}>{payoutOf(price)}</Figure>}
      </dl>
      {maxInstalment > 0 && (perMonth ?? 0) > maxInstalment && (
        <p class="far">
          <Icon path={warning} /> {t('offers.above', { emi: rupees(maxInstalment) })}
        </p>
      )}
    </>
  )
}

interface FigureProps {
  label: string
  /** Whether other offers have another figure in this place. */
  isOwn?: boolean
  isEstimate?: boolean
  children: ComponentChildren
}

const Figure = ({ label, isOwn, isEstimate, children }: FigureProps) => (
  <div>
    <dt class={isOwn ? 'own' : undefined}>{label}</dt>
    <dd>
      <Estimate isEstimate={isEstimate}>{children}</Estimate>
    </dd>
  </div>
)
