// How much over how long: what all offers are compared at, above them.
import { useSignal } from '@preact/signals'
import type { EmbedOffer } from '#contract/hosted/embed.ts'
import { Amount } from '../form/amount.tsx'
import { months, rupees } from '../page/format.ts'
import { here, type WantedProps } from '../page/here.ts'
import { t, textOf } from '../text.ts'
import { affordable, leavesTerm, type RequestedTerms, rangeOf, termsBetween } from './compare.ts'
import { sliderOf, tenuresOf } from './estimate.ts'

/** For a single offer both ends can be chosen too. */
const termsOf = (offers: EmbedOffer[], { months }: RequestedTerms): number[] =>
  offers.length === 1 && offers[0] ? tenuresOf(offers[0], months) : termsBetween(rangeOf(offers), months)

/** In rupees; 0 when unknown. */
export const monthlyIncome = (): number => Number(here.view.value.workProfile.income ?? 0)

export function WantedPanel(given: WantedProps) {
  const { offers, wanted } = given
  const isLine = offers.every(({ creditLine }) => creditLine)
  const { endUse } = here.view.value
  const income = monthlyIncome()
  return (
    <div class="wanted">
      <WantedAmount {...given} />
      {offers.some(leavesTerm) && <Months {...given} terms={termsOf(offers, wanted)} />}
      {endUse && <p class="hint">{t('wanted.for', { purpose: textOf(`use.${endUse}`) })}</p>}
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
function WantedAmount({ offers, wanted, typed, wrong, onChange, onDone }: WantedProps) {
  const { least, most } = rangeOf(offers)
  const slider = sliderOf(least.amount, most.amount)
  const isLeft = useSignal(false)
  const isWrong = isLeft.value && typed.value !== null && typed.value !== String(wanted.amount)
  return (
    <Amount
      value={typed.value ?? String(wanted.amount)}
      amount={wanted.amount}
      slider={slider}
      wrong={wrong ?? (isWrong ? wrongAmount(offers) : undefined)}
      onValue={(value) => {
        typed.value = value
        isLeft.value = false
        const amount = Number(value)
        if (/^[1-9]\d*$/.test(value) && amount >= least.amount && amount <= slider.most) onChange({ ...wanted, amount })
      }}
      onSlide={(value) => {
        typed.value = null
        onChange({ ...wanted, amount: Number(value) })
      }}
      onDone={() => {
        isLeft.value = true
        onDone()
      }}
    />
  )
}

const Months = ({ wanted, onChange, onDone, terms }: WantedProps & { terms: number[] }) => (
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
            checked={count === wanted.months}
            onChange={() => {
              onChange({ ...wanted, months: count })
              onDone()
            }}
          />
          {count}
        </label>
      ))}
    </div>
  </fieldset>
)
