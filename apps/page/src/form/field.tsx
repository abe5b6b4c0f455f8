// Form fields. Every kind of control is linked by id to its label, hint and error.
import type { ComponentChildren } from 'preact'
import { usualMaxLength } from '../profile/profile-fields.ts'
import { t, textOf } from '../text.ts'
import { latinDigits } from './latin-digits.ts'

export interface FieldProps {
  name: string
  label?: string | undefined
  value: string
  error: string | undefined
  optional?: boolean | undefined
  onValue(value: string): void
}

interface Control extends FieldProps {
  inputMode?: 'numeric' | 'decimal' | 'email' | undefined
  autocomplete?: string | undefined
  autocapitalize?: 'characters' | 'words' | undefined
  maxLength?: number | undefined
}

/** Id of a field's control, which receives the focus when the borrower follows the error's link. */
export const idOf = (name: string): string => `field-${name}`

/** The ids of the hint and error of a field, for screen readers. */
export const describedBy = (name: string, error: string | undefined) =>
  [textOf(`hint.${name}`) && `${idOf(name)}-hint`, error && `${idOf(name)}-wrong`].filter(Boolean).join(' ') ||
  undefined

function HintAndError({ name, error }: Pick<FieldProps, 'name' | 'error'>) {
  const hint = textOf(`hint.${name}`)
  return (
    <>
      {hint && (
        <p class="hint" id={`${idOf(name)}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="wrong" id={`${idOf(name)}-wrong`}>
          {error}
        </p>
      )}
    </>
  )
}

const Label = ({ name, label, optional }: Pick<FieldProps, 'name' | 'label' | 'optional'>) => (
  <>
    {label || textOf(`field.${name}`)} {optional && <span class="optional">{t('profile.optional')}</span>}
  </>
)

/** A control with its label, hint and error. */
export function Labelled({
  name,
  label,
  error,
  optional,
  children,
}: Pick<FieldProps, 'name' | 'label' | 'error' | 'optional'> & { children: ComponentChildren }) {
  return (
    <div class={error ? 'field bad' : 'field'}>
      <label for={idOf(name)}>
        <Label name={name} label={label} optional={optional} />
      </label>
      <HintAndError name={name} error={error} />
      {children}
    </div>
  )
}

/** A field for a line of text. Takes more than its limit, because a text that is cut in silence is wrong. */
export function TextField({ name, label, value, error, optional, onValue, ...input }: Control) {
  return (
    <Labelled name={name} label={label} error={error} optional={optional}>
      <input
        id={idOf(name)}
        name={name}
        type="text"
        value={value}
        autocomplete={input.autocomplete ?? 'off'}
        autocapitalize={input.autocapitalize ?? 'off'}
        inputMode={input.inputMode}
        maxLength={2 * (input.maxLength ?? usualMaxLength)}
        spellcheck={false}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(name, error)}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </Labelled>
  )
}

/** Several controls that form one field. */
export function Group({
  name,
  error,
  optional,
  children,
}: Pick<FieldProps, 'name' | 'error' | 'optional'> & { children: ComponentChildren }) {
  return (
    <fieldset class={error ? 'field bad' : 'field'} aria-describedby={describedBy(name, error)}>
      <legend>
        <Label name={name} optional={optional} />
      </legend>
      <HintAndError name={name} error={error} />
      {children}
    </fieldset>
  )
}

/** A field with a few options, all visible. */
export function ChoiceField({
  name,
  value,
  error,
  optional,
  onValue,
  options,
}: FieldProps & { options: readonly string[] }) {
  return (
    <Group name={name} error={error} optional={optional}>
      <div class="choices">
        {options.map((option, i) => (
          <label class="choice" key={option}>
            <input
              id={i === 0 ? idOf(name) : undefined}
              type="radio"
              name={name}
              value={option}
              checked={option === value}
              onChange={() => onValue(option)}
            />
            {textOf(`field.${name}.${option}`)}
          </label>
        ))}
      </div>
    </Group>
  )
}

/**
 * Day, month and year in three inputs, because a date picker uses the browser's order, not the borrower's. Letters stay,
 * for the error to be about what the borrower sees.
 */
export function DateField({ name, value, error, onValue }: FieldProps) {
  const [year = '', month = '', day = ''] = value.split('-')
  const numberInput = (
    which: 'day' | 'month' | 'year',
    text: string,
    length: number,
    toDate: (text: string) => string,
  ) => (
    <label class={`part-${which}`}>
      {textOf(`field.${name}.${which}`)}
      <input
        id={which === 'day' ? idOf(name) : undefined}
        type="text"
        inputMode="numeric"
        autocomplete={`bday-${which}`}
        maxLength={length}
        value={text}
        aria-invalid={error ? true : undefined}
        onInput={(event) => onValue(toDate(latinDigits(event.currentTarget.value).replace(/[-/.\s]/g, '')))}
      />
    </label>
  )
  return (
    <Group name={name} error={error}>
      <div class="date">
        {numberInput('day', day, 2, (text) => `${year}-${month}-${text}`)}
        {numberInput('month', month, 2, (text) => `${year}-${text}-${day}`)}
        {numberInput('year', year, 4, (text) => `${text}-${month}-${day}`)}
      </div>
    </Group>
  )
}
