// How much over how long: what all offers are compared at, above them.
import { useSignal } from '@preact/signals'
import type { EmbedOffer } from '#contract/hosted/embed.ts'
import { AmountField } from './amount-field.tsx'
import { affordable, rangeOf, termsBetween, type Wanted } from './compare.ts'
import { amountStep } from './estimate.ts'
import { months, rupees } from './format.ts'
import { here } from './here.ts'
import { t } from './text.ts'

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
  const income = Number(here.view.value.workProfile.income ?? 0)
  return (
    <div class="wanted">
      <Amount {...given} />
      {range.least.months < range.most.months && <Months {...given} terms={termsBetween(range, wanted.months)} />}
      {!isLine && income > 0 && (
        <p class="hint">{t('wanted.afford', { income: rupees(income), emi: rupees(affordable(income)) })}</p>
      )}
    </div>
  )
}

function Amount({ offers, wanted, onChange, onDone }: WantedProps) {
  const [least, most] = amountsOf(offers)
  const text = useSignal<string | null>(null)
  const typed = (value: string) => {
    text.value = value
    const amount = Number(value)
    if (/^[1-9]\d*$/.test(value) && amount >= least && amount <= most) onChange({ ...wanted, amount })
  }
  const isWrong = text.value !== null && text.value !== String(wanted.amount)
  return (
    <div>
      <AmountField
        value={text.value ?? String(wanted.amount)}
        wrong={isWrong ? t('wrong.amount', { least: rupees(least), most: rupees(most) }) : undefined}
        onValue={typed}
        onDone={onDone}
      />
      <input
        type="range"
        aria-label={t('choose.slider')}
        aria-valuetext={rupees(wanted.amount)}
        min={least}
        max={most}
        step={amountStep(least, most)}
        value={wanted.amount}
        onInput={(event) => {
          text.value = null
          onChange({ ...wanted, amount: Number(event.currentTarget.value) })
        }}
        onChange={onDone}
      />
      <p class="ends">
        <span>{rupees(least)}</span>
        <span>{rupees(most)}</span>
      </p>
    </div>
  )
}

/** From the least to the most that an offer reaches. One rupee stands for a lender that names no least amount. */
function amountsOf(offers: EmbedOffer[]): [least: number, most: number] {
  const { least, most } = rangeOf(offers)
  return [least.amount > 1 ? least.amount : amountStep(0, most.amount), most.amount]
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
