// How much over how long: what all offers are compared at, above them.
import { useSignal } from '@preact/signals'
import type { EmbedOffer } from '#contract/hosted/embed.ts'
import { Amount } from './amount-field.tsx'
import { affordable, type Range, rangeOf, termsBetween, type Wanted } from './compare.ts'
import { sliderOf } from './estimate.ts'
import { months, rupees } from './format.ts'
import { here } from './here.ts'
import { t, textOf } from './text.ts'

interface WantedProps {
  offers: EmbedOffer[]
  wanted: Wanted
  /** While it changes, as by a slider that is held: figures follow, and nothing changes its place. */
  onChange(wanted: Wanted): void
  /** It is chosen. */
  onDone(): void
}

export function WantedPanel(given: WantedProps) {
  const { offers, wanted } = given
  const range = rangeOf(offers)
  const isLine = offers.every(({ creditLine }) => creditLine)
  const { endUse, workProfile } = here.view.value
  const income = Number(workProfile.income ?? 0)
  return (
    <div class="wanted">
      <WantedAmount {...given} range={range} />
      {range.least.months < range.most.months && <Months {...given} terms={termsBetween(range, wanted.months)} />}
      {endUse && <p class="hint">{t('wanted.for', { purpose: textOf(`use.${endUse}`) })}</p>}
      {!isLine && income > 0 && (
        <p class="hint">{t('wanted.afford', { income: rupees(income), emi: rupees(affordable(income)) })}</p>
      )}
    </div>
  )
}

function WantedAmount({ range, wanted, onChange, onDone }: WantedProps & { range: Range }) {
  const slider = sliderOf(range.least.amount, range.most.amount)
  const text = useSignal<string | null>(null)
  const typed = (value: string) => {
    text.value = value
    const amount = Number(value)
    if (/^[1-9]\d*$/.test(value) && amount >= range.least.amount && amount <= slider.most)
      onChange({ ...wanted, amount })
  }
  const isWrong = text.value !== null && text.value !== String(wanted.amount)
  return (
    <Amount
      value={text.value ?? String(wanted.amount)}
      amount={wanted.amount}
      slider={slider}
      wrong={
        isWrong
          ? t(slider.isOpen ? 'wrong.amount.most' : 'wrong.amount', {
              least: rupees(range.least.amount),
              most: rupees(slider.most),
            })
          : undefined
      }
      onValue={typed}
      onSlide={(value) => {
        text.value = null
        onChange({ ...wanted, amount: Number(value) })
      }}
      onDone={onDone}
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
