// Input of an amount in whole rupees, grouped in lakhs while the borrower types.
import { bareAmount } from './bare-amount.ts'
import { describedBy, type FieldProps, idOf, Labelled } from './field.tsx'

/** Paise are kept as they are typed, for the error to show. */
const groupDigits = (text: string): string =>
  text.replace(/^\d+(?=(?:\.\d*)?$)/, (rupees) => new Intl.NumberFormat('en-IN').format(BigInt(rupees)))

export interface AmountFieldProps extends FieldProps {
  /** The parent renders the error below the field. */
  below?: boolean
  /** Called when the borrower leaves the field or presses Enter. */
  onDone?(): void
}

/** `value` is the text without commas; it may be invalid. */
export function AmountField({ name, label, value, error, optional, below, onValue, onDone }: AmountFieldProps) {
  /** Keeps the caret behind the same digit when commas move. */
  function handleInput(input: HTMLInputElement): void {
    const text = bareAmount(input.value)
    const digitsBeforeCaret = bareAmount(input.value.slice(0, input.selectionStart ?? 0)).length
    const formatted = groupDigits(text)
    input.value = formatted
    let caret = 0
    for (let digitsPassed = 0; digitsPassed < digitsBeforeCaret && caret < formatted.length; caret++)
      if (formatted[caret] !== ',') digitsPassed++
    input.setSelectionRange(caret, caret)
    onValue(text)
  }
  return (
    <Labelled name={name} label={label} error={below ? undefined : error} optional={optional}>
      <span class="prefixed">
        <span aria-hidden="true">₹</span>
        <input
          id={idOf(name)}
          name={name}
          type="text"
          inputMode="numeric"
          autocomplete="off"
          maxLength={24}
          value={groupDigits(value)}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(name, error)}
          onInput={(event) => handleInput(event.currentTarget)}
          onChange={() => onDone?.()}
        />
      </span>
    </Labelled>
  )
}
