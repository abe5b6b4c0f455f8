// Forms: fields with their errors, and the state of a form, which prevents double submission.
import { Icon } from '@lendloom/design/icon'
import { eye, eyeOff } from '@lendloom/design/icons'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { ApiError } from '../api.ts'
import { assign } from './assign-signal.ts'

interface FormState {
  isBusy: boolean
  /** Error texts by field name. */
  faults: Record<string, string>
  /** An error that belongs to no field. */
  problem: string | null
}

export interface FormAct extends FormState {
  /** Runs `act` unless one is running; shows its errors at their fields. */
  submit(event: Event, act: () => Promise<void>): Promise<void>
  /** Hides the error of a field, because its value has changed. */
  clear(field: string): void
}

/** The state of a form. Errors of these fields are shown at them, others above the form. */
export function useForm(fieldNames: readonly string[]): FormAct {
  const state = useSignal<FormState>({ isBusy: false, faults: {}, problem: null })
  return {
    ...state.value,
    async submit(event, act) {
      event.preventDefault()
      if (state.value.isBusy) return
      state.value = { isBusy: true, faults: {}, problem: null }
      try {
        await act()
        state.value = { isBusy: false, faults: {}, problem: null }
      } catch (error) {
        state.value = { isBusy: false, ...errorState(error, fieldNames) }
      }
    },
    clear(field) {
      const { [field]: fault, ...faults } = state.value.faults
      if (fault) state.value = { ...state.value, faults }
    },
  }
}

/** The state of a form and its values. `bind(name)` returns the value, error and change handler of a field. */
export function useTyped<T extends object>(initialValues: T) {
  const typed = useSignal(initialValues)
  const act = useForm(Object.keys(initialValues))
  const set = (change: Partial<T>) => assign(typed, { ...typed.value, ...change })
  const bind = <K extends keyof T & string>(name: K) => ({
    value: typed.value[name],
    fault: act.faults[name],
    onValue: (value: T[K]) => {
      assign(typed, { ...typed.value, [name]: value })
      act.clear(name)
    },
  })
  return { act, set, bind, typed: typed.value }
}

/** A form's state, for components that render part of it. */
export type TypedFields<T extends object> = ReturnType<typeof useTyped<T>>

/** Runs an action of a button. `problem` is its error; the next run clears it. */
export function useAct() {
  const problem = useSignal<unknown>(null)
  return {
    problem: problem.value,
    run(act: () => Promise<unknown>, onDone: () => void): Promise<void> {
      problem.value = null
      return act().then(onDone, (reason) => {
        problem.value = reason
      })
    },
  }
}

/** The field of a form that a path names: as a whole, by its beginning, such as `headers.0.name`, or its end, `parent.field`. */
function fieldOf(path: string, fieldNames: readonly string[]): string | undefined {
  const parts = path.split(/[.[]/)
  return [path, parts[0], parts.at(-1)].find((each) => each !== undefined && fieldNames.includes(each))
}

/** The line of a field with one item a line, to begin the sentence about it; empty for other fields. */
const lineOf = (path: string): string => {
  const [, index] = /^\w+\.(\d+)\./.exec(path) ?? []
  return index === undefined ? '' : `Line ${Number(index) + 1} `
}

/** Splits an error into the errors of these fields, and a message above the form for any other error. */
function errorState(error: unknown, fieldNames: readonly string[]): Pick<FormState, 'faults' | 'problem'> {
  if (!(error instanceof ApiError)) return { faults: {}, problem: 'Something went wrong on this page. Try again.' }
  const faults = Object.fromEntries(
    error.fields
      .map(({ path, message }) => [fieldOf(path, fieldNames), lineOf(path) + message] as const)
      .filter(([field]) => field !== undefined),
  )
  return { faults, problem: Object.keys(faults).length > 0 ? null : error.message }
}

interface LabelledProps {
  label: string
  hint?: string | undefined
  fault?: string | undefined
}

/** Attributes that link a control to its label, hint and error. */
const fieldAttributes = (id: string, { hint, fault }: LabelledProps) => ({
  id,
  'aria-invalid': fault ? true : undefined,
  'aria-describedby': [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ') || undefined,
})

const Labelled = ({
  id,
  label,
  hint,
  fault,
  children,
}: LabelledProps & { id: string; children: ComponentChildren }) => (
  <div class="field">
    <label htmlFor={id}>{label}</label>
    {hint && (
      <p id={`${id}-hint`} class="hint">
        {hint}
      </p>
    )}
    {children}
    {fault && (
      <p id={`${id}-fault`} class="fault">
        {faultText(label, fault)}
      </p>
    )}
  </div>
)

/** Completes an error such as `must not be empty` with the label. An error with a capital is a sentence already. */
const faultText = (label: string, fault: string): string => (/^\p{Lu}/u.test(fault) ? fault : `${label} ${fault}`)

interface FieldProps extends LabelledProps {
  type?: 'text' | 'email' | 'password'
  value: string
  autoComplete?: string
  inputMode?: 'numeric' | 'text'
  autoFocus?: boolean
  required?: boolean
  readOnly?: boolean
  onValue(value: string): void
}

/** A field for a line of text. */
export function Field({ label, hint, fault: refusal, type = 'text', onValue, ...input }: FieldProps) {
  const fault = refusal && type === 'email' && input.value.trim() === '' ? 'Enter an email address' : refusal
  const id = useId()
  const isShown = useSignal(false)
  const common = {
    ...input,
    ...fieldAttributes(id, { label, hint, fault }),
    onInput: (event: { currentTarget: HTMLInputElement }) => onValue(event.currentTarget.value),
  }
  return (
    <Labelled id={id} label={label} hint={hint} fault={fault}>
      {type === 'text' && <input {...common} type="text" />}
      {type === 'email' && <input {...common} type="email" />}
      {type === 'password' && (
        <span class="password">
          {isShown.value ? <input {...common} type="text" spellcheck={false} /> : <input {...common} type="password" />}
          <ShowPassword isShown={isShown.value} onToggle={() => assign(isShown, !isShown.value)} />
        </span>
      )}
    </Labelled>
  )
}

/** Shows a typed password, and hides it again. */
const ShowPassword = ({ isShown, onToggle }: { isShown: boolean; onToggle(): void }) => (
  <button type="button" aria-pressed={isShown} onClick={onToggle}>
    <Icon path={isShown ? eyeOff : eye} />
    <span class="unseen">Show the password</span>
  </button>
)

/** The field for the reason of an act that the audit log records. */
export const Reason = (field: Pick<FieldProps, 'value' | 'fault' | 'onValue' | 'autoFocus'>) => (
  <Field label="Reason" hint="At least 10 characters. The audit log records it with your name." {...field} />
)

/** The field for a password that the user chooses. */
export const NewPassword = (field: Pick<FieldProps, 'label' | 'value' | 'fault' | 'onValue' | 'autoFocus'>) => (
  <Field hint="At least 12 characters." type="password" autoComplete="new-password" required {...field} />
)

interface TextAreaProps extends LabelledProps {
  value: string
  rows?: number
  maxLength?: number
  placeholder?: string
  class?: string
  spellcheck?: boolean
  onValue(value: string): void
}

/** A field for several lines of text. */
export function TextArea({ label, hint, fault, rows = 5, onValue, ...input }: TextAreaProps) {
  const id = useId()
  return (
    <Labelled id={id} label={label} hint={hint} fault={fault}>
      <textarea
        {...input}
        {...fieldAttributes(id, { label, hint, fault })}
        rows={rows}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </Labelled>
  )
}

interface ChoiceProps {
  label: string
  value: string
  options: readonly (readonly [value: string, text: string])[]
  fault?: string | undefined
  onValue(value: string): void
}

/** A menu of options. */
export function Choice({ label, value, options, fault, onValue }: ChoiceProps) {
  const id = useId()
  return (
    <div class="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-invalid={fault ? true : undefined}
        onChange={(event) => onValue(event.currentTarget.value)}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
      {fault && <p class="fault">{faultText(label, fault)}</p>}
    </div>
  )
}

/** A form with a button, which shows that it is working. */
export const Form = ({
  act,
  onSubmit,
  button,
  isDanger = false,
  isSecondary = false,
  children,
}: {
  act: FormAct
  onSubmit(): Promise<void>
  button: string
  isDanger?: boolean
  /** Whether another form of the screen has its main button. */
  isSecondary?: boolean
  children: ComponentChildren
}) => (
  <form noValidate onSubmit={(event) => act.submit(event, onSubmit)}>
    {act.problem && (
      <p class="notice bad" role="alert">
        {act.problem}
      </p>
    )}
    {children}
    <button
      type="submit"
      class={isDanger ? 'danger' : isSecondary ? 'secondary' : 'primary'}
      aria-disabled={act.isBusy}
    >
      {act.isBusy ? 'Working…' : button}
    </button>
  </form>
)
