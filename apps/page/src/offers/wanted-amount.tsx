// The amount and term at which offers are compared, above the offers.

import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import { useSignal } from '@preact/signals'
import { Amount } from '../form/amount-with-slider.tsx'
import { months, rupees } from '../page/format.ts'
import { page, type RequestProps } from '../page/page-state.ts'
import { t } from '../text.ts'
import { affordable, hasTermChoice, type RequestedTerms, rangeOf, termsBetween } from './compare-offers.ts'
import { sliderOf, tenuresOf } from './estimate-instalment.ts'

/** The selectable terms; those of a single offer include its limits. */
const termsOf = (offers: EmbedOffer[], { months }: RequestedTerms): number[] =>
  offers.length === 1 && offers[0] ? tenuresOf(offers[0], months) : termsBetween(rangeOf(offers), months)

/** The borrower's monthly income in rupees; 0 if unknown. */
export const monthlyIncome = (): number => Number(page.view.value.workProfile.income ?? 0)

export function RequestPanel(props: RequestProps) {
  const { offers, requested } = props
  const isLine = offers.every(({ creditLine }) => creditLine)
  const income = monthlyIncome()
  return (
    <div class="wanted">
      <RequestedAmount {...props} />
      {offers.some(hasTermChoice) && <TermChoice {...props} terms={termsOf(offers, requested)} />}
      {!isLine && income > 0 && <p class="hint">{t('wanted.most', { emi: rupees(affordable(income)) })}</p>}
    </div>
  )
}

export function wrongAmount(offers: EmbedOffer[]): string {
  const { least, most } = rangeOf(offers)
  const slider = sliderOf(least.amount, most.amount)
  const range = { least: rupees(least.amount), most: rupees(slider.most) }
  return t(slider.isOpen ? 'wrong.amount.most' : 'wrong.amount', range)
}

/** Valid amounts are priced while typing; validation errors show on blur. */
function RequestedAmount({ offers, requested, typed, error, onChange, onDone }: RequestProps) {
  const { least, most } = rangeOf(offers)
  const slider = sliderOf(least.amount, most.amount)
  const isBlurred = useSignal(false)
  const isInvalid = isBlurred.value && typed.value !== null && typed.value !== String(requested.amount)
  return (
    <Amount
      value={typed.value ?? String(requested.amount)}
      amount={requested.amount}
      slider={slider}
      error={error ?? (isInvalid ? wrongAmount(offers) : undefined)}
      onValue={(value) => {
        typed.value = value
        isBlurred.value = false
        const amount = Number(value)
        if (/^[1-9]\d*$/.test(value) && amount >= least.amount && amount <= slider.most)
          onChange({ ...requested, amount })
      }}
      onSlide={(value) => {
        typed.value = null
        onChange({ ...requested, amount: Number(value) })
      }}
      onDone={() => {
        isBlurred.value = true
        onDone()
      }}
    />
  )
}

const TermChoice = ({ requested, onChange, onDone, terms }: RequestProps & { terms: number[] }) => (
  <fieldset>
    <legend>{t('wanted.months')}</legend>
    <div class="choices chips">
      {terms.map((count) => (
        <label class="choice" key={count}>
          <input
            class="sr"
            type="radio"
            name="tenure"
            aria-label={months(count)}
            checked={count === requested.months}
            onChange={() => {
              onChange({ ...requested, months: count })
              onDone()
            }}
          />
          {count}
        </label>
      ))}
    </div>
  </fieldset>
)
