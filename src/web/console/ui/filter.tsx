// Filters of a list: kept in the address bar, so that a filtered page can be sent to somebody.
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
export const Typed = ({ name, label, value }: Pick<SelectProps, 'name' | 'label' | 'value'>) => (
  <input
    type="search"
    aria-label={label}
    placeholder={label}
    value={value}
    onChange={(event) => setQuery({ [name]: event.currentTarget.value.trim() })}
  />
)
