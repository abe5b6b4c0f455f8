// How much over how long: what all offers are compared at, above them.
import { useSignal } from '@preact/signals'
import type { EmbedOffer } from '#contract/hosted/embed.ts'
import { Amount } from './amount-field.tsx'
import { affordable, rangeOf, termsBetween, type Wanted } from './compare.ts'
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

/** In rupees; 0 where it is not known. */
export const monthlyIncome = (): number => Number(here.view.value.workProfile.income ?? 0)

export function WantedPanel(given: WantedProps) {
  const { offers, wanted } = given
  const range = rangeOf(offers)
  const isLine = offers.every(({ creditLine }) => creditLine)
  const { endUse } = here.view.value
  const income = monthlyIncome()
  return (
    <div class="wanted">
      <WantedAmount {...given} />
      {range.least.months < range.most.months && <Months {...given} terms={termsBetween(range, wanted.months)} />}
      {endUse && <p class="hint">{t('wanted.for', { purpose: textOf(`use.${endUse}`) })}</p>}
      {!isLine && income > 0 && <p class="hint">{t('wanted.most', { emi: rupees(affordable(income)) })}</p>}
    </div>
  )
}

/** What is typed is priced as soon as it is an amount; that it is none is said once the field is left. */
function WantedAmount({ offers, wanted, onChange, onDone }: WantedProps) {
  const range = rangeOf(offers)
  const slider = sliderOf(range.least.amount, range.most.amount)
  const [least, most] = [rupees(range.least.amount), rupees(slider.most)]
  const text = useSignal<string | null>(null)
  const isLeft = useSignal(false)
  const typed = (value: string) => {
    text.value = value
    isLeft.value = false
    const amount = Number(value)
    if (/^[1-9]\d*$/.test(value) && amount >= range.least.amount && amount <= slider.most)
      onChange({ ...wanted, amount })
  }
  const isWrong = isLeft.value && text.value !== null && text.value !== String(wanted.amount)
  return (
    <Amount
      value={text.value ?? String(wanted.amount)}
      amount={wanted.amount}
      slider={slider}
      wrong={isWrong ? t(slider.isOpen ? 'wrong.amount.most' : 'wrong.amount', { least, most }) : undefined}
      onValue={typed}
      onSlide={(value) => {
        text.value = null
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
