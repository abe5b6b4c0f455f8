// An amount in whole rupees, grouped in lakhs while it is typed.
import { describedBy, type FieldProps, idOf, Labelled } from './field.tsx'

const grouped = (text: string): string =>
  /^\d+$/.test(text) ? new Intl.NumberFormat('en-IN').format(BigInt(text)) : text

export interface AmountFieldProps extends FieldProps {
  /** The parent renders the error below the field. */
  below?: boolean
  /** The amount is entered: the field is left, or Enter pressed. */
  onDone?(): void
}

/** `value` is digits, or what was typed instead of them. */
export function AmountField({ name, value, wrong, optional, below, onValue, onDone }: AmountFieldProps) {
  /** The caret stays behind the digit that it is behind, wherever the commas go. */
  function typed(input: HTMLInputElement): void {
    const text = input.value.replace(/[₹,\s]|^0+(?=\d)/g, '')
    const behind = input.value.slice(0, input.selectionStart ?? 0).replace(/[₹,\s]/g, '').length
    const shown = grouped(text)
    input.value = shown
    let caret = 0
    for (let passed = 0; passed < behind && caret < shown.length; caret++) if (shown[caret] !== ',') passed++
    input.setSelectionRange(caret, caret)
    onValue(text)
  }
  return (
    <Labelled name={name} wrong={below ? undefined : wrong} optional={optional}>
      <span class="prefixed">
        <span aria-hidden="true">₹</span>
        <input
          id={idOf(name)}
          name={name}
          type="text"
          inputMode="numeric"
          autocomplete="off"
          maxLength={18}
          value={grouped(value)}
          aria-invalid={wrong ? true : undefined}
          aria-describedby={describedBy(name, wrong)}
          onInput={(event) => typed(event.currentTarget)}
          onChange={() => onDone?.()}
        />
      </span>
    </Labelled>
  )
}
