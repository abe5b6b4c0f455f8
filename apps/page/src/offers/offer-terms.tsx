// An offer's terms: the main figures, all charges, and the documents.

import type { EmbedBranch, EmbedLender } from '@lendloom/wire/hosted/embed-lender'
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import type { ComponentChildren } from 'preact'
import { charge, isWeekly, lastMoment, percent, period, rupees, tenureOf } from '../page/format.ts'
import { language, t, textOf } from '../text.ts'
import { Branch, summaryOf } from './branches.tsx'
import type { OfferPrice } from './compare-offers.ts'
import { ExternalLink, Officer } from './lender.tsx'
import { fromFigure } from './offer-figures.ts'
import { type Charge, parseCharge, upfrontFees } from './total-cost.ts'

/** Marks a figure that is an estimate. */
export const Estimate = ({
  isEstimate,
  children,
}: {
  isEstimate: boolean | undefined
  children: ComponentChildren
}) => (
  <>
    {isEstimate && (
      <>
        <span aria-hidden="true">≈</span>
        <span class="sr">{t('offers.about')} </span>
      </>
    )}
    {children}
  </>
)

/** The figures that the card does not show. */
function Figures({ price }: { price: OfferPrice }) {
  const { offer } = price
  return (
    <dl class="rows paired">
      {offer.creditLine ? <LineRows offer={offer} /> : <LoanRows price={price} />}
      <dt>{t('terms.rate')}</dt>
      <dd>{rateSentence(offer)}</dd>
      {offer.coolOffPeriod !== '' && (
        <>
          <dt>{t('terms.cooling')}</dt>
          <dd>{t('terms.cooling.why', { period: period(offer.coolOffPeriod) })}</dd>
        </>
      )}
      <GoldRows offer={offer} />
    </dl>
  )
}

interface GoldProps {
  offer: EmbedOffer
  /** The chosen branch; undefined before an offer is chosen, when the ratio is a maximum. */
  branch?: EmbedBranch | null
}

/** The loan-to-value ratio and the branches of a gold loan; nothing for other loans. */
export const GoldRows = ({ offer, branch }: GoldProps) => (
  <>
    {offer.ltvRatio !== null && (
      <>
        <dt>{t('terms.ltv')}</dt>
        <dd>{t(branch === undefined ? 'terms.ltv.most' : 'terms.ltv.why', { rate: percent(offer.ltvRatio) })}</dd>
      </>
    )}
    {offer.branches.length > 0 && (
      <>
        <dt>{t('branch.takes')}</dt>
        <dd>{branch ? <Branch branch={branch} /> : summaryOf(offer.branches)}</dd>
      </>
    )}
  </>
)

/** A credit line has no instalments or payout before the borrower draws on it. */
const LineRows = ({ offer }: { offer: EmbedOffer }) => (
  <>
    <dt>{t('terms.open')}</dt>
    <dd>{tenureOf(offer)}</dd>
  </>
)

/** The name of an instalment by its frequency. */
export const instalmentOf = (offer: EmbedOffer): string =>
  t(
    isWeekly(offer)
      ? 'terms.instalment.weekly'
      : offer.numberOfInstallments === offer.tenureMonths
        ? 'terms.instalment'
        : 'terms.instalment.other',
  )

/** What the compared figures do not say. */
function LoanRows({ price }: { price: OfferPrice }) {
  const { offer, amount, months, count, total, isEstimate } = price
  return (
    <>
      <dt>{t('terms.tenure')}</dt>
      <dd>{tenureOf({ ...offer, numberOfInstallments: count, tenureMonths: months })}</dd>
      <dt>{t('terms.interest')}</dt>
      <dd>
        <Estimate isEstimate={isEstimate}>{total === null ? '–' : rupees(total - amount)}</Estimate>
      </dd>
    </>
  )
}

/** The interest rate with its type. */
export const rateSentence = ({ interestRate, interestType, creditLine }: EmbedOffer): string =>
  creditLine
    ? t('terms.rate.line', { rate: percent(interestRate) })
    : t(/fixed|flat/i.test(interestType) ? 'terms.rate.Fixed' : 'terms.rate.Reducing', { rate: percent(interestRate) })

/** Whether a lender's charge is zero, or a word for zero. */
export const isFree = (text: string): boolean => parseCharge(text).kind === 'none'

/**
 * Lenders fill in zero for other charges and still list some in the Key Facts Statement, such as for a returned debit: a
 * zero that names no charge says nothing.
 */
export const isSpecific = ({ kind, text }: EmbedOffer['penalCharges'][number]): boolean =>
  kind !== 'OTHER' || !isFree(text)

/** The name of a charge that may apply later. */
export const penalName = (kind: PenalKind, { creditLine }: EmbedOffer): string =>
  creditLine && kind === 'FORECLOSURE' ? t('terms.penal.FORECLOSURE.line') : textOf(`terms.penal.${kind}`)

type PenalKind = EmbedOffer['penalCharges'][number]['kind']

/** A charge in the page's language; one that only the lender's words state is shown in them. */
export function ChargeText({ text }: { text: string }) {
  const parsed = parseCharge(text)
  if (parsed.kind === 'none') return <>{t('late.none')}</>
  if (parsed.kind === 'repeated') return <>{repeatedText(parsed)}</>
  if (parsed.kind !== 'words' || language.value === 'en') return <>{charge(text)}</>
  return (
    <>
      {t('charge.words')} <q lang="en">{parsed.text}</q>
    </>
  )
}

const repeatedText = ({ rate, ...days }: Extract<Charge, { kind: 'repeated' }>): string =>
  t('charge.repeated', { rate: percent(rate), ...days })

/** All fees, and charges that may apply later. */
function Charges({ price: { offer, charges, isEstimate } }: { price: OfferPrice }) {
  return (
    <div>
      <h3>{t('terms.charges')}</h3>
      <dl class="rows paired">
        {upfrontFees(charges).map(([textKey, amount]) => [
          <dt key={textKey}>{t(textKey)}</dt>,
          <dd key={amount}>{fromFigure(rupees(amount), isEstimate)}</dd>,
        ])}
      </dl>
      {offer.penalCharges.some(isSpecific) && (
        <>
          <h3>{t('terms.penal')}</h3>
          <dl class="rows paired">
            {offer.penalCharges.filter(isSpecific).map(({ kind, text }) => [
              <dt key={kind}>{penalName(kind, offer)}</dt>,
              <dd key={text}>
                <ChargeText text={text} />
              </dd>,
            ])}
          </dl>
        </>
      )}
    </div>
  )
}

/** Label of the Key Facts Statement; names the PDF format if the URL shows it. */
export const keyFactsOf = ({ keyFactsStatementUrl }: EmbedOffer): string =>
  t('terms.kfs') + (/\.pdf$/.test(keyFactsStatementUrl) ? ' (PDF)' : '')

/** Links to the Key Facts Statement and the conditions. */
export const Documents = ({ offer }: { offer: EmbedOffer }) => (
  <p class="papers">
    <ExternalLink href={offer.keyFactsStatementUrl}>{keyFactsOf(offer)}</ExternalLink>
    <ExternalLink href={offer.termsUrl}>{t('terms.conditions')}</ExternalLink>
  </p>
)

/** All terms at the compared amount and tenure, by importance. */
export function Terms({ price, lender }: { price: OfferPrice; lender: EmbedLender | undefined }) {
  const { offer } = price
  return (
    <>
      <Figures price={price} />
      <Charges price={price} />
      <Officer lender={lender} />
      <Documents offer={offer} />
    </>
  )
}

/** Until when an offer can be chosen, or could be; null without a date. */
export const validity = ({ validUntil, expired }: EmbedOffer): string | null =>
  validUntil && t(expired ? 'offers.ended' : 'offers.until', { when: lastMoment(validUntil) })
