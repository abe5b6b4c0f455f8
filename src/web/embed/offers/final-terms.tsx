// The final terms in parts: payout and payments, fees, late payment, cooling off, and the key facts.
import type { EmbedOffer } from '#contract/hosted/embed.ts'
import { lastDayOf } from '#kit/money/calendar.ts'
import { charge, day, isWeekly, percent, period, rupees, tenureOf } from '../page/format.ts'
import { t, textOf } from '../text.ts'
import { type Charge, chargeIn, costOf, feesOf, lateBy } from './cost.ts'
import { instalmentOf, rateSentence } from './terms.tsx'

interface OfferProps {
  offer: EmbedOffer
}

/** The payout and its price, first of all. */
export function Deal({ offer }: OfferProps) {
  const { fees, interest, total, all, isKept } = costOf(offer)
  const amount = rupees(offer.amountPrincipal)
  return (
    <div class="deal">
      <dl>
        <div class="first">
          <dt>{t(offer.creditLine ? 'terms.limit' : 'terms.hand')}</dt>
          <dd>
            {rupees(offer.creditLine ? offer.amountPrincipal : offer.netDisbursed)}
            {!offer.creditLine && isKept && <small>{t('final.hand', { amount, fees: rupees(fees) })}</small>}
          </dd>
        </div>
        {offer.creditLine ? (
          <div>
            <dt>{t('terms.apr')}</dt>
            <dd>{percent(offer.annualPercentageRate)}</dd>
          </div>
        ) : (
          <>
            <div>
              <dt>{instalmentOf(offer)}</dt>
              <dd>
                {rupees(offer.installmentAmount)}{' '}
                <small>{t('terms.times', { count: offer.numberOfInstallments })}</small>
              </dd>
            </div>
            <div>
              <dt>{t('final.total')}</dt>
              <dd>{rupees(total)}</dd>
            </div>
          </>
        )}
      </dl>
      <p>
        {offer.creditLine
          ? rateSentence(offer)
          : t('final.cost', {
              all: rupees(all),
              interest: rupees(interest),
              fees: rupees(fees),
              rate: percent(offer.annualPercentageRate),
            })}
      </p>
    </div>
  )
}

export function Fees({ offer }: OfferProps) {
  const fees = feesOf(offer)
  const { fees: all } = costOf(offer)
  return (
    <div>
      <h2>{t('final.fees')}</h2>
      {all === 0 ? (
        <p>{t('final.fees.none')}</p>
      ) : (
        <dl class="sums">
          {fees.map(([what, amount]) => (
            <div key={what}>
              <dt>{t(what)}</dt>
              <dd>{rupees(amount)}</dd>
            </div>
          ))}
          {fees.length > 1 && (
            <div class="sum">
              <dt>{t('final.fees.all')}</dt>
              <dd>{rupees(all)}</dd>
            </div>
          )}
        </dl>
      )}
    </div>
  )
}

/** What is due, in this loan's terms. */
const dueOf = (offer: EmbedOffer): string =>
  t(offer.creditLine ? 'late.due' : isWeekly(offer) ? 'late.instalment' : 'late.emi')

function lateWords(late: Charge, offer: EmbedOffer): string {
  const what = dueOf(offer)
  if (late.kind === 'none') return t('late.none')
  if (late.kind === 'words') return late.text
  if (late.kind === 'amount') return t('late.amount', { amount: rupees(late.amount), what })
  const rate = percent(late.rate)
  return late.per ? t(`late.${late.per}`, { rate, what }) : `${t('late.rate', { rate, what })} ${t('late.kfs')}`
}

/** Closing early for a bare percentage: it is one of what is repaid, as FIS12 §7.4 has it. */
const chargeOf = (kind: string, text: string): string =>
  kind === 'FORECLOSURE' && /^[\d.]+\s*%$/.test(text) ? t('final.close', { rate: percent(text) }) : charge(text)

/** A month of 30 days is what a borrower who misses one instalment is often late by. */
const exampleDays = 30

/** The cost of late payment, with an example in rupees, and further charges. */
export function Late({ offer }: OfferProps) {
  const [late, ...others] = [...offer.penalCharges].sort(
    (one, other) => Number(other.kind === 'DELAY') - Number(one.kind === 'DELAY'),
  )
  const delay = late?.kind === 'DELAY' ? chargeIn(late.text) : null
  const example = !offer.creditLine && delay && lateBy(exampleDays, delay, Number(offer.installmentAmount))
  // That nothing is charged is worth saying of an early closing only.
  const rest = (delay ? others : offer.penalCharges)
    .map(({ kind, text }) => ({ kind, text, isNone: chargeIn(text).kind === 'none' }))
    .filter(({ kind, isNone }) => kind === 'FORECLOSURE' || !isNone)
  return (
    <>
      <div>
        <h2>{t('final.late')}</h2>
        <p>{delay ? lateWords(delay, offer) : t('late.unsaid')}</p>
        {example && (
          <p class="hint">
            {t('late.example', {
              what: dueOf(offer),
              amount: rupees(offer.installmentAmount),
              days: exampleDays,
              cost: rupees(example),
            })}
          </p>
        )}
      </div>
      {rest.length > 0 && (
        <dl class="rows">
          {rest.map(({ kind, text, isNone }) => [
            <dt key={kind}>{textOf(`terms.penal.${kind}`)}</dt>,
            <dd key={`${kind}-charge`}>{isNone ? t('late.none') : chargeOf(kind, text)}</dd>,
          ])}
        </dl>
      )}
    </>
  )
}

/** The cooling-off period, and its end if the payout were now. */
export function CoolingOff({ offer, at }: OfferProps & { at: Date }) {
  if (offer.coolOffPeriod === '') return null
  const until = lastDayOf(offer.coolOffPeriod, at)
  return (
    <div>
      <h2>{t('terms.cooling')}</h2>
      <p>
        {t('final.cooling', { period: period(offer.coolOffPeriod) })}{' '}
        {until && !offer.creditLine && t('final.cooling.until', { date: day(until) })}
      </p>
      <p class="hint">{t('final.cooling.how')}</p>
    </div>
  )
}

/** All terms in one list, for comparison with the Key Facts Statement. */
export function KeyFacts({ offer }: OfferProps) {
  const { fees, total } = costOf(offer)
  const loan = [
    [t('terms.amount'), rupees(offer.amountPrincipal)],
    [t('terms.hand'), rupees(offer.netDisbursed)],
    [t('terms.tenure'), tenureOf(offer)],
    [
      instalmentOf(offer),
      `${rupees(offer.installmentAmount)} ${t('terms.times', { count: offer.numberOfInstallments })}`,
    ],
    [t('terms.interest'), rupees(offer.totalInterest)],
    [t('final.fees.all'), rupees(fees)],
    [t('final.total'), rupees(total)],
  ] as const
  const line = [
    [t('terms.limit'), rupees(offer.amountPrincipal)],
    [t('terms.open'), tenureOf(offer)],
    [t('final.fees.all'), rupees(fees)],
  ] as const
  return (
    <div>
      <h2>{t('final.facts')}</h2>
      <dl class="sums">
        {[
          ...(offer.creditLine ? line : loan),
          [t('terms.rate'), rateSentence(offer)],
          [t('terms.apr'), percent(offer.annualPercentageRate)],
        ].map(([what, figure]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** Beside the button: the summary of the agreement. */
export function InShort({ offer }: OfferProps) {
  if (offer.creditLine)
    return (
      <p>
        <b>{rupees(offer.amountPrincipal)}</b> <small>{t('terms.limit')}</small>
      </p>
    )
  const amount = rupees(offer.installmentAmount)
  const isMonthly = offer.numberOfInstallments === offer.tenureMonths
  return (
    <p>
      <b>
        {isWeekly(offer)
          ? t('final.week', { amount })
          : isMonthly
            ? t('final.month', { amount })
            : `${amount} ${t('terms.times', { count: offer.numberOfInstallments })}`}
      </b>{' '}
      <small>{t('final.all', { total: rupees(costOf(offer).total) })}</small>
    </p>
  )
}
