// What a loan costs, so that offers can be compared: the main figures, every charge, the rights and the documents.
import type { ComponentChildren } from 'preact'
import type { EmbedBranch, EmbedLender, EmbedOffer } from '#contract/hosted/embed.ts'
import { charge, isWeekly, moment, percent, period, rupees, tenureOf } from '../page/format.ts'
import { t, textOf } from '../text.ts'
import { Branch, summaryOf } from './branches.tsx'
import type { OfferPrice } from './compare.ts'
import { feesOf } from './cost.ts'
import { Away, Officer } from './lender.tsx'

/** A figure that is marked where it is an estimate. */
export const Estimable = ({
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

/** The figures that matter first, the same as offers are compared by. */
function Figures({ priced }: { priced: OfferPrice }) {
  const { offer } = priced
  return (
    <>
      {offer.creditLine ? <LineFigures offer={offer} /> : <LoanFigures priced={priced} />}
      <dl class="rows">
        <dt>{t('terms.rate')}</dt>
        <dd>{rateSentence(offer)}</dd>
        {offer.coolOffPeriod !== '' && (
          <>
            <dt>{t('terms.cooling')}</dt>
            <dd>{t('terms.cooling.why', { period: period(offer.coolOffPeriod) })}</dd>
          </>
        )}
      </dl>
    </>
  )
}

interface GoldProps {
  offer: EmbedOffer
  /** The gold branch; not given for an offer, whose loan-to-value applies to the full amount. */
  branch?: EmbedBranch | null
}

/** The loan-to-value of the gold, and the branch; empty for other loans. */
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

/** A line has no instalments and no payout before it is drawn. */
const LineFigures = ({ offer }: { offer: EmbedOffer }) => (
  <dl class="figures">
    <div>
      <dt>{t('terms.open')}</dt>
      <dd>{tenureOf(offer)}</dd>
    </div>
  </dl>
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

function LoanFigures({ priced }: { priced: OfferPrice }) {
  const { offer, amount, months, count, instalment, perMonth, apr, total, paidOut, isEstimate } = priced
  const inRupees = (figure: number | null) => (
    <Estimable isEstimate={isEstimate}>{figure === null ? '–' : rupees(figure)}</Estimable>
  )
  return (
    <dl class="figures">
      <div class="lead-figure">
        <dt>{instalmentOf(offer)}</dt>
        <dd>
          {inRupees(instalment)} <small>{t('terms.times', { count })}</small>
          {isWeekly(offer) && perMonth !== null && (
            <small class="per-month">{t('terms.amonth', { amount: rupees(perMonth) })}</small>
          )}
        </dd>
      </div>
      <div class="lead-figure">
        <dt>{t('terms.apr')}</dt>
        <dd>
          <Estimable isEstimate={isEstimate}>{apr === null ? '–' : percent(String(apr))}</Estimable>
        </dd>
      </div>
      <div>
        <dt>{t('terms.amount')}</dt>
        <dd>{rupees(amount)}</dd>
      </div>
      <div>
        <dt>{t('terms.tenure')}</dt>
        <dd>{tenureOf({ ...offer, numberOfInstallments: count, tenureMonths: months })}</dd>
      </div>
      <div>
        <dt>{t('terms.interest')}</dt>
        <dd>{inRupees(total && total - amount)}</dd>
      </div>
      <div>
        <dt>{t('terms.hand')}</dt>
        <dd>{inRupees(paidOut)}</dd>
      </div>
    </dl>
  )
}

export const rateSentence = ({ interestRate, interestType, creditLine }: EmbedOffer): string =>
  creditLine
    ? t('terms.rate.line', { rate: percent(interestRate) })
    : t(/fixed|flat/i.test(interestType) ? 'terms.rate.Fixed' : 'terms.rate.Reducing', { rate: percent(interestRate) })

/** Every charge there is or may be. */
function Charges({ priced: { offer, processingFee, isEstimate } }: { priced: OfferPrice }) {
  const fees = feesOf({ ...offer, processingFees: String(processingFee) })
  return (
    <details>
      <summary>{t('terms.charges')}</summary>
      <dl class="rows">
        {fees.map(([what, amount]) => [
          <dt key={what}>{t(what)}</dt>,
          <dd key={amount}>
            <Estimable isEstimate={isEstimate && what === 'terms.processing'}>{rupees(amount)}</Estimable>
          </dd>,
        ])}
      </dl>
      {offer.penalCharges.length > 0 && (
        <>
          <h3>{t('terms.penal')}</h3>
          <dl class="rows">
            {offer.penalCharges.map(({ kind, text }) => [
              <dt key={kind}>{textOf(`terms.penal.${kind}`)}</dt>,
              <dd key={text}>{charge(text)}</dd>,
            ])}
          </dl>
        </>
      )}
    </details>
  )
}

/** Names the PDF format when the address shows it. */
export const keyFactsOf = ({ keyFactsStatementUrl }: EmbedOffer): string =>
  t('terms.kfs') + (/\.pdf$/.test(keyFactsStatementUrl) ? ' (PDF)' : '')

export const Documents = ({ offer }: { offer: EmbedOffer }) => (
  <p class="documents">
    <Away href={offer.keyFactsStatementUrl}>{keyFactsOf(offer)}</Away>
    <Away href={offer.termsUrl}>{t('terms.conditions')}</Away>
  </p>
)

/** All terms at the compared amount and tenure, by importance. */
export function Terms({ priced, lender }: { priced: OfferPrice; lender: EmbedLender | undefined }) {
  const { offer } = priced
  return (
    <>
      <Figures priced={priced} />
      <Charges priced={priced} />
      <Officer lender={lender} />
      <Documents offer={offer} />
    </>
  )
}

export const validity = ({ validUntil }: EmbedOffer): string | null =>
  validUntil && t('offers.until', { when: moment(validUntil) })
