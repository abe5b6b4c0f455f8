// Filters of a list, stored in the URL so that a filtered page can be shared.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { query, setQuery } from '../router.ts'
import { Day, Empty } from './components.tsx'

export interface SelectProps {
  name: string
  label: string
  /** Label of the option without a filter; null if a value is required. */
  any: string | null
  value?: string
  options: readonly (readonly [value: string, text: string])[]
}

export const Select = ({ name, label, any, value = query.value(name), options }: SelectProps) => (
  <select aria-label={label} value={value} onChange={(event) => setQuery({ [name]: event.currentTarget.value })}>
    {any !== null && <option value="">{any}</option>}
    {options.map(([each, text]) => (
      <option key={each} value={each}>
        {text}
      </option>
    ))}
  </select>
)

interface TextFilterProps extends Pick<SelectProps, 'name' | 'label' | 'value'> {
  /** The placeholder of the empty field; the label by default. */
  example?: string
}

/** A text filter, applied when the user leaves the field or presses Enter. */
export function TextFilter({ name, label, value = query.value(name), example = label }: TextFilterProps) {
  // A local copy, so that a reload of the list keeps the text that the user is typing.
  const text = useSignal(value)
  useEffect(() => {
    text.value = value
  }, [value])
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={example}
      value={text.value}
      onInput={(event) => {
        text.value = event.currentTarget.value
      }}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value.trim() })}
    />
  )
}

interface DayFilterProps extends Pick<SelectProps, 'name' | 'label'> {
  preset?: string
}

export function DayFilter({ name, label, preset = '' }: DayFilterProps) {
  const value = query.value(name) || preset
  return (
    <label>
      <span class="day-name">{label}</span>{' '}
      <input type="date" value={value} onChange={(event) => setQuery({ [name]: event.currentTarget.value })} />
      {!Number.isNaN(Date.parse(value)) && <Day on={value} />}
    </label>
  )
}

export const NoMatch = ({ title, filters }: { title: string; filters: readonly string[] }) => (
  <Empty title={title}>
    <p>
      <button
        type="button"
        class="secondary"
        onClick={() => setQuery(Object.fromEntries(filters.map((name) => [name, ''])))}
      >
        Remove the filters
      </button>
    </p>
  </Empty>
)
