// Amount field with a slider.

import type { sliderOf } from '../offers/estimate-instalment.ts'
import { rupees } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { t } from '../text.ts'
import type { AmountFieldProps } from './amount-field.tsx'
import { idOf } from './field.tsx'

interface AmountProps extends Pick<AmountFieldProps, 'value' | 'error' | 'onValue' | 'onDone'> {
  /** The slider's position: the last valid amount within its limits. */
  amount: number
  slider: ReturnType<typeof sliderOf>
  onSlide(value: string): void
}

/**
 * The slider's value is a position among its amounts, because their distances differ. The error stands below the field,
 * and takes the height of the slider's limits, which it names, so that nothing below them shifts.
 */
export const Amount = ({ amount, slider, onSlide, ...field }: AmountProps) => (
  <div class={field.error ? 'slid bad' : 'slid'}>
    <page.AmountField {...field} name="amount" below />
    <div role="alert">
      {field.error && (
        <p class="wrong" id={`${idOf('amount')}-wrong`}>
          {field.error}
        </p>
      )}
    </div>
    <input
      type="range"
      aria-label={t('choose.slider')}
      aria-valuetext={rupees(amount)}
      min={0}
      max={slider.amounts.length - 1}
      value={slider.amounts.findLastIndex((each) => each <= amount)}
      onInput={(event) => onSlide(String(slider.amounts[event.currentTarget.valueAsNumber]))}
      onChange={() => field.onDone?.()}
    />
    <p class="hint ends">
      <span>{rupees(slider.least)}</span>
      <span>{rupees(slider.most)}</span>
    </p>
  </div>
)
