// Filters of a list: kept in the address bar, so that a filtered page can be sent to somebody.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { setQuery } from '../router.ts'

interface SelectProps {
  name: string
  label: string
  any: string
  value: string
  options: readonly (readonly [value: string, text: string])[]
}

export const Select = ({ name, label, any, value, options }: SelectProps) => (
  <select aria-label={label} value={value} onChange={(event) => setQuery({ [name]: event.currentTarget.value })}>
    <option value="">{any}</option>
    {options.map(([each, text]) => (
      <option key={each} value={each}>
        {text}
      </option>
    ))}
  </select>
)

/** An identifier that is typed or pasted; the list follows when it is left, or with Enter. */
export function Typed({ name, label, value }: Pick<SelectProps, 'name' | 'label' | 'value'>) {
  // What is being typed stays, whatever the list below does meanwhile.
  const text = useSignal(value)
  useEffect(() => {
    text.value = value
  }, [value])
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={text.value}
      onInput={(event) => {
        text.value = event.currentTarget.value
      }}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value.trim() })}
    />
  )
}
