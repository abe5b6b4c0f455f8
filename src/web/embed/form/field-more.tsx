// Fields of the later screens: a list to choose from, and an agreement.

import { t, textOf } from '../text.ts'
import { describedBy, type FieldProps, idOf, Labelled } from './field.tsx'

export function SelectField({
  name,
  value,
  wrong,
  optional,
  onValue,
  options,
}: FieldProps & { options: [value: string, text: string][] }) {
  return (
    <Labelled name={name} wrong={wrong} optional={optional}>
      <select
        id={idOf(name)}
        name={name}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={describedBy(name, wrong)}
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

/** An agreement in the exact words that are recorded. */
export function Consent({
  name,
  checked,
  wrong,
  onValue,
}: {
  name: string
  checked: boolean
  wrong: string | undefined
  onValue(on: boolean): void
}) {
  return (
    <div class={wrong ? 'field bad' : 'field'}>
      {wrong && (
        <p class="wrong" id={`${idOf(name)}-wrong`}>
          {wrong}
        </p>
      )}
      <label class="choice consent">
        <input
          id={idOf(name)}
          type="checkbox"
          checked={checked}
          aria-invalid={wrong ? true : undefined}
          aria-describedby={wrong && `${idOf(name)}-wrong`}
          onChange={(event) => onValue(event.currentTarget.checked)}
        />
        <span>{textOf(`consent.${name}`)}</span>
      </label>
    </div>
  )
}
