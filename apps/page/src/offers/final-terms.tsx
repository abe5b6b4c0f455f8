// The sections of the final terms: payout, fees, late payment, cooling-off period, key facts, and the summary beside
// the button.
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import type { ComponentChildren } from 'preact'
import { day, isWeekly, percent, period, rupees, tenureOf } from '../page/format.ts'
import { t } from '../text.ts'
import { ChargeText, instalmentOf, isFree, isSpecific, penalName, rateSentence } from './offer-terms.tsx'
import { type Charge, costOf, isAtMost, lateCost, parseCharge, sum, upfrontFees } from './total-cost.ts'

interface OfferProps {
  offer: EmbedOffer
}

export function PayoutSummary({ offer }: OfferProps) {
  const { fees, interest, total, cost, deducted } = costOf(offer)
  const amount = rupees(offer.amountPrincipal)
  return (
    <div class="deal">
      <dl>
        <div class="first">
          <dt>{t(offer.creditLine ? 'terms.limit' : 'terms.hand')}</dt>
          <dd>
            {rupees(offer.creditLine ? offer.amountPrincipal : offer.netDisbursed)}
            {!offer.creditLine && deducted && <small>{t('final.hand', { amount, fees: rupees(fees) })}</small>}
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
                <Instalments offer={offer} />
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
              all: rupees(cost),
              interest: rupees(interest),
              fees: rupees(fees),
              rate: percent(offer.annualPercentageRate),
            })}
      </p>
    </div>
  )
}

/** The instalment and the number of instalments, and the last one if it differs: it settles what was rounded. */
function Instalments({ offer }: OfferProps) {
  const { installmentAmount, numberOfInstallments: count } = offer
  const instalment = Number(installmentAmount)
  const last = sum(costOf(offer).total, -instalment * (count - 1))
  const isDifferent = last > 0 && last !== instalment && last < 2 * instalment
  return (
    <>
      {rupees(installmentAmount)} <small>{t('terms.times', { count })}</small>
      {isDifferent && <small class="per-month">{t('final.last', { amount: rupees(last) })}</small>}
    </>
  )
}

export function Fees({ offer }: OfferProps) {
  const fees = upfrontFees(offer)
  const { fees: totalFees } = costOf(offer)
  return (
    <div>
      <h2>{t('final.fees')}</h2>
      {totalFees === 0 ? (
        <p>{t('final.fees.none')}</p>
      ) : (
        <dl class="sums">
          {fees.map(([textKey, amount]) => (
            <div key={textKey}>
              <dt>{t(textKey)}</dt>
              <dd>{rupees(amount)}</dd>
            </div>
          ))}
          {fees.length > 1 && (
            <div class="sum">
              <dt>{t('final.fees.all')}</dt>
              <dd>{rupees(totalFees)}</dd>
            </div>
          )}
        </dl>
      )}
    </div>
  )
}

/** The word for a due payment of this loan. */
const dueWord = (offer: EmbedOffer): string =>
  t(offer.creditLine ? 'late.due' : isWeekly(offer) ? 'late.instalment' : 'late.emi')

/** What a late payment costs. */
function LateCharge({ text, offer }: { text: string; offer: EmbedOffer }) {
  const charge = parseCharge(text)
  const what = dueWord(offer)
  if (charge.kind === 'amount') return <p>{t('late.amount', { amount: rupees(charge.amount), what })}</p>
  if (charge.kind === 'rate') return <p>{rateText(charge, what)}</p>
  return (
    <p>
      <ChargeText text={text} />
    </p>
  )
}

function rateText({ rate: figure, per }: Extract<Charge, { kind: 'rate' }>, what: string): string {
  const rate = percent(figure)
  return per ? t(`late.${per}`, { rate, what }) : `${t('late.rate', { rate, what })} ${t('late.kfs')}`
}

/** A foreclosure charge that is only a percentage applies to the prepaid amount (FIS12 §7.4). */
function LaterCharge({ kind, text }: EmbedOffer['penalCharges'][number]) {
  if (kind !== 'FORECLOSURE' || isFree(text) || !/^[\d.]+\s*%$/.test(text)) return <ChargeText text={text} />
  return <>{t('final.close', { rate: percent(text) })}</>
}

/** Days late in the example: about a month, until the next instalment is due. */
const exampleDays = 30

/** The cost of late payment, with an example in rupees, and further charges. */
export function Late({ offer }: OfferProps) {
  const [late, ...otherCharges] = [...offer.penalCharges].sort(
    (one, other) => Number(other.kind === 'DELAY') - Number(one.kind === 'DELAY'),
  )
  const delay = late?.kind === 'DELAY' ? parseCharge(late.text) : null
  const example = !offer.creditLine && delay && lateCost(exampleDays, delay, Number(offer.installmentAmount))
  // A charge of zero is shown only for early closing, where borrowers expect one.
  const laterCharges = (delay ? otherCharges : offer.penalCharges).filter(
    ({ kind, text }) => kind === 'FORECLOSURE' || !isFree(text),
  )
  const saysOthers = laterCharges.some(({ kind }) => kind === 'OTHER')
  return (
    <>
      <div>
        <h2>{t('final.late')}</h2>
        {late && delay ? <LateCharge text={late.text} offer={offer} /> : <p>{t('late.unsaid')}</p>}
        {example && (
          <p class="hint">
            {t('late.example', {
              what: dueWord(offer),
              amount: rupees(offer.installmentAmount),
              days: exampleDays,
              cost: rupees(example),
            })}
            {isAtMost(exampleDays, delay) && ` ${t('late.example.most')}`}
          </p>
        )}
        {!saysOthers && <p class="hint">{t('late.more')}</p>}
      </div>
      {laterCharges.length > 0 && (
        <dl class="rows">
          {laterCharges.map((each) => [
            <dt key={each.kind}>{penalName(each.kind, offer)}</dt>,
            <dd key={`${each.kind}-charge`}>
              <LaterCharge {...each} />
            </dd>,
          ])}
        </dl>
      )}
    </>
  )
}

export function CoolingOff({ offer }: OfferProps) {
  if (offer.coolOffPeriod === '') return null
  return (
    <div>
      <h2>{t('terms.cooling')}</h2>
      <p>
        {t('final.cooling', { period: period(offer.coolOffPeriod) })}{' '}
        {offer.coolOffUntil && !offer.creditLine && t('final.cooling.until', { date: day(offer.coolOffUntil) })}
      </p>
      <p class="hint">{t(offer.creditLine ? 'final.cooling.how.line' : 'final.cooling.how')}</p>
    </div>
  )
}

/** The terms that the summary does not have, for comparison with the Key Facts Statement. */
export function KeyFacts({ offer }: OfferProps) {
  const { creditLine } = offer
  const facts: [label: string, figure: ComponentChildren][] = [
    [t(creditLine ? 'terms.limit' : 'terms.amount'), rupees(offer.amountPrincipal)],
    [t(creditLine ? 'terms.open' : 'terms.tenure'), tenureOf(offer)],
    ...(creditLine ? [] : ([[t('terms.interest'), rupees(offer.totalInterest)]] satisfies [string, string][])),
    [t('final.fees.all'), rupees(costOf(offer).fees)],
    [t('terms.rate'), rateSentence(offer)],
    [t('terms.apr'), percent(offer.annualPercentageRate)],
    ...offer.penalCharges
      .filter(isSpecific)
      .map((each): [string, ComponentChildren] => [
        penalName(each.kind, offer),
        <LaterCharge key={each.kind} {...each} />,
      ]),
  ]
  return (
    <details open={innerWidth >= 640}>
      <summary>{t('final.facts')}</summary>
      <dl class="sums">
        {facts.map(([label, figure]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

export function AcceptSummary({ offer }: OfferProps) {
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
