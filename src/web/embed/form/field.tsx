// One field of a form: its label, hint and error belong to it by id, in every kind of control.
import type { ComponentChildren } from 'preact'
import { t, textOf } from '../text.ts'

export interface FieldProps {
  name: string
  value: string
  wrong: string | undefined
  optional?: boolean | undefined
  onValue(value: string): void
}

interface Control extends FieldProps {
  inputMode?: 'numeric' | 'decimal' | 'email' | undefined
  autocomplete?: string | undefined
  autocapitalize?: 'characters' | 'words' | undefined
  maxLength?: number | undefined
}

/** The id of the control that gets the focus when the error of a field is followed. */
export const idOf = (name: string): string => `field-${name}`

export const describedBy = (name: string, wrong: string | undefined) =>
  [textOf(`hint.${name}`) && `${idOf(name)}-hint`, wrong && `${idOf(name)}-wrong`].filter(Boolean).join(' ') ||
  undefined

function Notes({ name, wrong }: Pick<FieldProps, 'name' | 'wrong'>) {
  const hint = textOf(`hint.${name}`)
  return (
    <>
      {hint && (
        <p class="hint" id={`${idOf(name)}-hint`}>
          {hint}
        </p>
      )}
      {wrong && (
        <p class="wrong" id={`${idOf(name)}-wrong`}>
          {wrong}
        </p>
      )}
    </>
  )
}

const Label = ({ name, optional }: Pick<FieldProps, 'name' | 'optional'>) => (
  <>
    {textOf(`field.${name}`)}
    {optional && <span class="optional"> {t('profile.optional')}</span>}
  </>
)

export function Labelled({
  name,
  wrong,
  optional,
  children,
}: Pick<FieldProps, 'name' | 'wrong' | 'optional'> & { children: ComponentChildren }) {
  return (
    <div class={wrong ? 'field bad' : 'field'}>
      <label for={idOf(name)}>
        <Label name={name} optional={optional} />
      </label>
      <Notes name={name} wrong={wrong} />
      {children}
    </div>
  )
}

export function TextField({ name, value, wrong, optional, onValue, ...input }: Control) {
  return (
    <Labelled name={name} wrong={wrong} optional={optional}>
      <input
        id={idOf(name)}
        name={name}
        type="text"
        value={value}
        autocomplete={input.autocomplete ?? 'off'}
        autocapitalize={input.autocapitalize ?? 'off'}
        inputMode={input.inputMode}
        maxLength={input.maxLength ?? 200}
        spellcheck={false}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={describedBy(name, wrong)}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </Labelled>
  )
}

export function Group({
  name,
  wrong,
  optional,
  children,
}: Pick<FieldProps, 'name' | 'wrong' | 'optional'> & { children: ComponentChildren }) {
  return (
    <fieldset class={wrong ? 'field bad' : 'field'} aria-describedby={describedBy(name, wrong)}>
      <legend>
        <Label name={name} optional={optional} />
      </legend>
      <Notes name={name} wrong={wrong} />
      {children}
    </fieldset>
  )
}

export function ChoiceField({
  name,
  value,
  wrong,
  optional,
  onValue,
  options,
}: FieldProps & { options: readonly string[] }) {
  return (
    <Group name={name} wrong={wrong} optional={optional}>
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

/** Day, month and year as three numbers: a date picker writes them in the browser's order, not the borrower's. */
export function DateField({ name, value, wrong, onValue }: FieldProps) {
  const [year = '', month = '', day = ''] = value.split('-')
  const part = (which: 'day' | 'month' | 'year', shown: string, length: number, put: (text: string) => string) => (
    <label class={`part-${which}`}>
      {textOf(`field.${name}.${which}`)}
      <input
        id={which === 'day' ? idOf(name) : undefined}
        type="text"
        inputMode="numeric"
        autocomplete={`bday-${which}`}
        maxLength={length}
        value={shown}
        aria-invalid={wrong ? true : undefined}
        onInput={(event) => onValue(put(event.currentTarget.value.replace(/\D/g, '')))}
      />
    </label>
  )
  return (
    <Group name={name} wrong={wrong}>
      <div class="date">
        {part('day', day, 2, (text) => `${year}-${month}-${text}`)}
        {part('month', month, 2, (text) => `${year}-${text}-${day}`)}
        {part('year', year, 4, (text) => `${text}-${month}-${day}`)}
      </div>
    </Group>
  )
}
