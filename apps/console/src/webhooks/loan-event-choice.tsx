// The choice of the events of loans that an endpoint receives.
import { loanEventTypes } from '@lendloom/wire/hosted/loan-event-types'
import { useState } from 'preact/hooks'
import { inlineLabelOf, labelOf } from '../ui/code-labels.ts'
import { Ticks } from './ticks.tsx'

interface LoanEventChoiceProps {
  /** Null for none. */
  value: string[] | null
  fault?: string | undefined
  onValue(value: string[] | null): void
}

/** The events of loans that an endpoint receives: none, all, or some. */
export function LoanEventChoice({ value, fault, onValue }: LoanEventChoiceProps) {
  const isAll = value?.length === loanEventTypes.length
  const [mode, setMode] = useState(value === null ? 'none' : isAll ? 'all' : 'some')
  const choose = (chosen: string, events: string[] | null) => {
    setMode(chosen)
    onValue(events)
  }
  return (
    <fieldset class="options">
      <legend>Events of loans after the payout</legend>
      <label>
        <input type="radio" name="loans" checked={mode === 'none'} onChange={() => choose('none', null)} /> None
      </label>
      <label>
        <input type="radio" name="loans" checked={mode === 'all'} onChange={() => choose('all', [...loanEventTypes])} />{' '}
        All events
      </label>
      <label>
        <input type="radio" name="loans" checked={mode === 'some'} onChange={() => choose('some', [])} /> Only these
      </label>
      {mode === 'some' && (
        <Ticks
          options={loanEventTypes.map((type) => [type, labelOf(type)])}
          chosen={value ?? []}
          kind="nested"
          onChoose={onValue}
        />
      )}
      {fault && <p class="fault">{value?.length === 0 ? 'Choose at least one event' : fault}</p>}
    </fieldset>
  )
}

/** The events of loans in words; empty for none. */
export const loanEventText = (events: readonly string[] | null): string =>
  events === null
    ? ''
    : events.length === loanEventTypes.length
      ? 'all events of loans'
      : events.map(inlineLabelOf).join(', ')
