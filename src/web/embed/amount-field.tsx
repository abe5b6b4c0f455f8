// An amount in whole rupees, grouped in lakhs while it is typed, and the slider below it.
import type { sliderOf } from './estimate.ts'
import { describedBy, idOf, Labelled } from './field.tsx'
import { rupees } from './format.ts'
import { t } from './text.ts'

const grouped = (text: string): string =>
  /^\d+$/.test(text) ? new Intl.NumberFormat('en-IN').format(BigInt(text)) : text

interface AmountFieldProps {
  /** Digits, or what was typed instead of them. */
  value: string
  wrong: string | undefined
  onValue(value: string): void
  /** The amount is entered: the field is left, or Enter pressed. */
  onDone?(): void
}

function AmountField({ value, wrong, below, onValue, onDone }: AmountFieldProps & { below?: boolean }) {
  /** The caret stays behind the digit that it is behind, wherever the commas go. */
  function typed(input: HTMLInputElement): void {
    const text = input.value.replace(/[₹,\s]/g, '')
    const behind = input.value.slice(0, input.selectionStart ?? 0).replace(/[₹,\s]/g, '').length
    const shown = grouped(text)
    input.value = shown
    let caret = 0
    for (let passed = 0; passed < behind && caret < shown.length; caret++) if (shown[caret] !== ',') passed++
    input.setSelectionRange(caret, caret)
    onValue(text)
  }
  return (
    <Labelled name="amount" wrong={below ? undefined : wrong}>
      <span class="prefixed">
        <span aria-hidden="true">₹</span>
        <input
          id={idOf('amount')}
          name="amount"
          type="text"
          inputMode="numeric"
          autocomplete="off"
          maxLength={18}
          value={grouped(value)}
          aria-invalid={wrong ? true : undefined}
          aria-describedby={describedBy('amount', wrong)}
          onInput={(event) => typed(event.currentTarget)}
          onChange={() => onDone?.()}
        />
      </span>
    </Labelled>
  )
}

interface AmountProps extends AmountFieldProps {
  /** Where the slider stands: what was typed last that is an amount between its ends. */
  amount: number
  slider: ReturnType<typeof sliderOf>
  onSlide(value: string): void
}

/** What is wrong takes the place of the ends, which has room for it: nothing moves when it comes. */
export const Amount = ({ amount, slider, onSlide, ...field }: AmountProps) => (
  <div class={field.wrong ? 'slid bad' : 'slid'}>
    <AmountField {...field} below />
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
