// Fields that only later screens use: a select and a consent checkbox.

import { t, textOf } from '../text.ts'
import { describedBy, type FieldProps, idOf, Labelled } from './field.tsx'

export function SelectField({
  name,
  value,
  error,
  optional,
  autocomplete,
  onValue,
  options,
}: FieldProps & { autocomplete?: string | undefined; options: [value: string, text: string][] }) {
  return (
    <Labelled name={name} error={error} optional={optional}>
      <select
        id={idOf(name)}
        name={name}
        autocomplete={autocomplete}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(name, error)}
        onChange={(event) => onValue(event.currentTarget.value)}
      >
        {(optional || value === '') && <option value="">{t('profile.choose')}</option>}
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

/** A consent in exactly the words that the platform records. */
export function Consent({
  name,
  checked,
  error,
  onValue,
}: {
  name: string
  checked: boolean
  error: string | undefined
  onValue(isOn: boolean): void
}) {
  return (
    <div class={error ? 'field bad' : 'field'}>
      {error && (
        <p class="wrong" id={`${idOf(name)}-wrong`}>
          {error}
        </p>
      )}
      <label class="choice consent">
        <input
          id={idOf(name)}
          type="checkbox"
          checked={checked}
          aria-invalid={error ? true : undefined}
          aria-describedby={error && `${idOf(name)}-wrong`}
          onChange={(event) => onValue(event.currentTarget.checked)}
        />
        <span>{textOf(`consent.${name}`)}</span>
      </label>
    </div>
  )
}
