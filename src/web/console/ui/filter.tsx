// Filters of a list: kept in the address bar, so that a filtered page can be shared.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { query, setQuery } from '../router.ts'
import { Empty } from './parts.tsx'

export interface SelectProps {
  name: string
  label: string
  /** The label for no filter; null when a value is required. */
  any: string | null
  /** From the address by default. */
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

interface TypedProps extends Pick<SelectProps, 'name' | 'label' | 'value'> {
  /** The placeholder of the empty field; the label by default. */
  example?: string
}

/** An identifier that is typed or pasted; the list follows when it is left, or with Enter. */
export function Typed({ name, label, value = query.value(name), example = label }: TypedProps) {
  // The text that is being typed stays while the list changes.
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

/** In place of a list in which nothing matches. `filters` are the names that its button clears. */
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
