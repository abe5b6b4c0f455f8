// What a loan costs, so that offers can be compared: the main figures, every charge, the rights and the documents.
import type { EmbedBranch, EmbedLender, EmbedOffer, EmbedView } from '#contract/hosted/embed.ts'
import { Branch, summaryOf } from './branches.tsx'
import { weeklyAMonth } from './estimate.ts'
import { charge, isWeekly, moment, percent, period, rupees, tenureOf } from './format.ts'
import { Away, Officer } from './lender.tsx'
import { t, textOf } from './text.ts'

interface FiguresProps {
  offer: EmbedOffer
  /** Where the gold is brought, once that is chosen. */
  branch?: EmbedBranch | null | undefined
  /** Beside what is said of it already: without what it is compared by and what secures it. */
  rest?: boolean
}

/** The figures that matter first. */
export function Figures({ offer, branch, rest = false }: FiguresProps) {
  return (
    <>
      {offer.creditLine ? <LineFigures offer={offer} rest={rest} /> : <LoanFigures offer={offer} />}
      <dl class="rows">
        <dt>{t('terms.rate')}</dt>
        <dd>{rateSentence(offer)}</dd>
        {!rest && <GoldRows offer={offer} branch={branch} />}
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

/** What is lent of the gold's value, and where it is brought; nothing of a loan without gold. */
export const GoldRows = ({ offer, branch }: Pick<FiguresProps, 'offer' | 'branch'>) => (
  <>
    {offer.ltvRatio !== null && (
      <>
        <dt>{t('terms.ltv')}</dt>
        <dd>{t('terms.ltv.why', { rate: percent(offer.ltvRatio) })}</dd>
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
const LineFigures = ({ offer, rest }: Required<Pick<FiguresProps, 'offer' | 'rest'>>) => (
  <dl class="figures">
    {!rest && (
      <>
        <div class="lead-figure">
          <dt>{t('terms.limit')}</dt>
          <dd>{rupees(offer.amountPrincipal)}</dd>
        </div>
        <div class="lead-figure">
          <dt>{t('terms.apr')}</dt>
          <dd>{percent(offer.annualPercentageRate)}</dd>
        </div>
      </>
    )}
    <div>
      <dt>{t('terms.open')}</dt>
      <dd>{tenureOf(offer)}</dd>
    </div>
  </dl>
)

function LoanFigures({ offer }: { offer: EmbedOffer }) {
  const weekly = isWeekly(offer)
  const monthly = offer.numberOfInstallments === offer.tenureMonths
  // So that a weekly plan can be compared with a monthly one.
  const aMonth = weeklyAMonth(Number(offer.installmentAmount))
  return (
    <dl class="figures">
      <div class="lead-figure">
        <dt>{t(weekly ? 'terms.instalment.weekly' : monthly ? 'terms.instalment' : 'terms.instalment.other')}</dt>
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

const rateSentence = ({ interestRate, interestType, creditLine }: EmbedOffer): string =>
  creditLine
    ? t('terms.rate.line', { rate: percent(interestRate) })
    : t(/fixed|flat/i.test(interestType) ? 'terms.rate.Fixed' : 'terms.rate.Reducing', { rate: percent(interestRate) })

/** Every charge there is or may be. Of the charges at the start, those that are nothing are left out. */
export function Charges({ offer, open }: { offer: EmbedOffer; open?: boolean }) {
  const upfront = [
    ['terms.processing', offer.processingFees],
    ['terms.upfront', offer.otherUpfrontCharges],
    ['terms.insurance', offer.insuranceCharges],
    ['terms.others', offer.otherCharges],
  ] as const
  // Beside others an offer has a heading of its own; alone it stands under that of the screen.
  const Heading = open ? 'h2' : 'h3'
  return (
    <details open={open}>
      <summary>{t('terms.charges')}</summary>
      <dl class="rows">
        {upfront
          .filter(([, amount], i) => i === 0 || Number(amount) > 0)
          .map(([what, amount]) => [<dt key={what}>{t(what)}</dt>, <dd key={amount}>{rupees(amount)}</dd>])}
      </dl>
      {offer.penalCharges.length > 0 && (
        <>
          <Heading>{t('terms.penal')}</Heading>
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

export function Documents({ offer, papers = [] }: { offer: EmbedOffer; papers?: EmbedView['papers'] }) {
  return (
    <p class="documents">
      <Away href={offer.keyFactsStatementUrl}>{t('terms.kfs')}</Away>
      <Away href={offer.termsUrl}>{t('terms.conditions')}</Away>
      {papers.map(({ name, url }) => (
        <Away key={name} href={url}>
          {t(`loan.paper.${name}`)}
        </Away>
      ))}
    </p>
  )
}

interface TermsProps {
  offer: EmbedOffer
  lender: EmbedLender | undefined
  open?: boolean
  branch?: FiguresProps['branch']
  rest?: boolean
}

/** All of it, in the order in which it matters. */
export function Terms({ offer, lender, open, branch = null, rest = false }: TermsProps) {
  return (
    <>
      <Figures offer={offer} branch={branch} rest={rest} />
      <Charges offer={offer} open={open ?? false} />
      <Officer lender={lender} />
      <Documents offer={offer} />
    </>
  )
}

export const validity = ({ validUntil }: EmbedOffer): string | null =>
  validUntil && t('offers.until', { when: moment(validUntil) })
