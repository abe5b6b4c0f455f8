// An amount with its slider.

import type { sliderOf } from '../offers/estimate.ts'
import { rupees } from '../page/format.ts'
import { here } from '../page/here.ts'
import { t } from '../text.ts'
import type { AmountFieldProps } from './amount-field.tsx'
import { idOf } from './field.tsx'

interface AmountProps extends Pick<AmountFieldProps, 'value' | 'wrong' | 'onValue' | 'onDone'> {
  /** The slider's position: the last typed amount within its limits. */
  amount: number
  slider: ReturnType<typeof sliderOf>
  onSlide(value: string): void
}

/** The fault replaces the slider's limits, so that nothing moves. */
export const Amount = ({ amount, slider, onSlide, ...field }: AmountProps) => (
  <div class={field.wrong ? 'slid bad' : 'slid'}>
    <here.AmountField {...field} name="amount" below />
    <input
      type="range"
      aria-label={t('choose.slider')}
      aria-valuetext={rupees(amount)}
      min={slider.least}
      max={slider.reach}
      step={slider.step}
      value={amount}
      onInput={(event) => onSlide(String(Math.min(slider.most, event.currentTarget.valueAsNumber)))}
      onChange={() => field.onDone?.()}
    />
    <div role="alert">
      {field.wrong && (
        <p class="wrong" id={`${idOf('amount')}-wrong`}>
          {field.wrong}
        </p>
      )}
    </div>
    {!field.wrong && (
      <p class="ends">
        <span>{rupees(slider.least)}</span>
        <span>{rupees(slider.most)}</span>
      </p>
    )}
  </div>
)
