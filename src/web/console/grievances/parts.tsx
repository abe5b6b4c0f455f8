// Small parts of the screens of grievances: a field of several lines.
import { useId } from 'preact/hooks'

interface WordsProps {
  label: string
  hint?: string
  fault?: string | undefined
  value: string
  rows?: number
  onValue(value: string): void
}

/** A field of several lines. */
export function Words({ label, hint, fault, value, rows = 5, onValue }: WordsProps) {
  const id = useId()
  return (
    <div class="field">
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      <textarea
        id={id}
        rows={rows}
        value={value}
        aria-invalid={fault ? true : undefined}
        aria-describedby={[hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ') || undefined}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
      {fault && (
        <p id={`${id}-fault`} class="fault">
          {label} {fault}
        </p>
      )}
    </div>
  )
}
