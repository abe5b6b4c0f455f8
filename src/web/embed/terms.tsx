// What a loan costs, so that offers can be compared: the main figures, every charge, the rights and the documents.
import type { EmbedBranch, EmbedLender, EmbedOffer } from '#contract/hosted/embed.ts'
import { Branch, summaryOf } from './branches.tsx'
import { feesOf } from './cost.ts'
import { weeklyAMonth } from './estimate.ts'
import { charge, isWeekly, moment, percent, period, rupees, tenureOf } from './format.ts'
import { Away, Officer } from './lender.tsx'
import { t, textOf } from './text.ts'

/** The figures that matter first, beside what offers are compared by. */
function Figures({ offer }: { offer: EmbedOffer }) {
  return (
    <>
      {offer.creditLine ? <LineFigures offer={offer} /> : <LoanFigures offer={offer} />}
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
  /** Where the gold is brought; not given of an offer, whose share of the value is for all of it, and less is a smaller one. */
  branch?: EmbedBranch | null
}

/** What is lent of the gold's value, and where it is brought; nothing of a loan without gold. */
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

/** A line has no instalments, and nothing of it is paid out before it is drawn. */
const LineFigures = ({ offer }: { offer: EmbedOffer }) => (
  <dl class="figures">
    <div>
      <dt>{t('terms.open')}</dt>
      <dd>{tenureOf(offer)}</dd>
    </div>
  </dl>
)

/** What an instalment is called, by how often one is due. */
export const instalmentOf = (offer: EmbedOffer): string =>
  t(
    isWeekly(offer)
      ? 'terms.instalment.weekly'
      : offer.numberOfInstallments === offer.tenureMonths
        ? 'terms.instalment'
        : 'terms.instalment.other',
  )

function LoanFigures({ offer }: { offer: EmbedOffer }) {
  const weekly = isWeekly(offer)
  // So that a weekly plan can be compared with a monthly one.
  const aMonth = weeklyAMonth(Number(offer.installmentAmount))
  return (
    <dl class="figures">
      <div class="lead-figure">
        <dt>{instalmentOf(offer)}</dt>
        <dd>
          {rupees(offer.installmentAmount)} <small>{t('terms.times', { count: offer.numberOfInstallments })}</small>
          {weekly && <small class="per-month">{t('terms.amonth', { amount: rupees(aMonth) })}</small>}
        </dd>
      </div>
      <div class="lead-figure">
        <dt>{t('terms.apr')}</dt>
        <dd>{percent(offer.annualPercentageRate)}</dd>
      </div>
      <div>
        <dt>{t('terms.amount')}</dt>
        <dd>{rupees(offer.amountPrincipal)}</dd>
      </div>
      <div>
        <dt>{t('terms.tenure')}</dt>
        <dd>{tenureOf(offer)}</dd>
      </div>
      <div>
        <dt>{t('terms.interest')}</dt>
        <dd>{rupees(offer.totalInterest)}</dd>
      </div>
      <div>
        <dt>{t('terms.hand')}</dt>
        <dd>{rupees(offer.netDisbursed)}</dd>
      </div>
    </dl>
  )
}

export const rateSentence = ({ interestRate, interestType, creditLine }: EmbedOffer): string =>
  creditLine
    ? t('terms.rate.line', { rate: percent(interestRate) })
    : t(/fixed|flat/i.test(interestType) ? 'terms.rate.Fixed' : 'terms.rate.Reducing', { rate: percent(interestRate) })

/** Every charge there is or may be. */
function Charges({ offer }: { offer: EmbedOffer }) {
  return (
    <details>
      <summary>{t('terms.charges')}</summary>
      <dl class="rows">
        {feesOf(offer).map(([what, amount]) => [<dt key={what}>{t(what)}</dt>, <dd key={amount}>{rupees(amount)}</dd>])}
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

/** Says that it is a PDF where its address does. */
export const keyFactsOf = ({ keyFactsStatementUrl }: EmbedOffer): string =>
  t('terms.kfs') + (/\.pdf$/.test(keyFactsStatementUrl) ? ' (PDF)' : '')

export const Documents = ({ offer }: { offer: EmbedOffer }) => (
  <p class="documents">
    <Away href={offer.keyFactsStatementUrl}>{keyFactsOf(offer)}</Away>
    <Away href={offer.termsUrl}>{t('terms.conditions')}</Away>
  </p>
)

/** All of it, in the order in which it matters. */
export function Terms({ offer, lender }: { offer: EmbedOffer; lender: EmbedLender | undefined }) {
  return (
    <>
      <Figures offer={offer} />
      <Charges offer={offer} />
      <Officer lender={lender} />
      <Documents offer={offer} />
    </>
  )
}

export const validity = ({ validUntil }: EmbedOffer): string | null =>
  validUntil && t('offers.until', { when: moment(validUntil) })
