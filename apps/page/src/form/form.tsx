// A form with the number of its errors, its buttons, and the notice of the last failure.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { errorOf, type FieldErrors } from '../page/field-errors.ts'
import { page } from '../page/page-state.ts'
import { t, textOf } from '../text.ts'
import { idOf } from './field.tsx'

interface FormCheck {
  errors: FieldErrors
  /** Number of rejected submissions; each one moves the focus to the first field with an error. */
  attempt: number
}

interface FormProps extends FormCheck {
  onSubmit(): void
  children: ComponentChildren
  /** Whether it has one field, whose error needs no sum of errors above it. */
  hasOneField?: boolean
}

/** Submits unless a request is pending. Says how many errors there are, with a link to each of several: a single one has the focus. */
export function Form({ onSubmit, children, errors, attempt, hasOneField = false }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (attempt === 0) return
    const control = form.current?.querySelector<HTMLElement>('.bad :is(input, select, textarea)')
    const first = control ?? document.getElementById(idOf(Object.keys(errors)[0] ?? ''))
    first?.focus()
  }, [attempt])
  const count = attempt > 0 && !hasOneField ? Object.keys(errors).length : 0
  return (
    <form
      noValidate
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!page.session.busy.value) onSubmit()
      }}
    >
      <div role="alert">
        {count > 0 && (
          <div class="summary">
            <p>{t('wrong.title', { count })}</p>
            {count > 1 && (
              <ul>
                {Object.keys(errors).map((name) => (
                  <li key={name}>
                    <ErrorLink name={name} errors={errors} />
                  </li>
                ))}
              </ul>
            )}
          </div>
        )}
      </div>
      {children}
    </form>
  )
}

/** Leads to a field with an error. A consent has no label of its own: its error names it. */
const ErrorLink = ({ name, errors }: { name: string } & Pick<FormCheck, 'errors'>) => (
  <a
    href={`#${idOf(name)}`}
    onClick={(event) => {
      // The page keeps its own history, and the address keeps no fragment.
      event.preventDefault()
      document.getElementById(idOf(name))?.focus()
    }}
  >
    {textOf(`field.${name}`) || errorOf(errors, name)}
  </a>
)

interface FailureFilter {
  /** Which actions' failures are told here, by their path; all without it. */
  of?: RegExp | undefined
}

/** A screen's buttons, with the last failure above them. */
export function Actions({ of, children }: FailureFilter & { children: ComponentChildren }) {
  return (
    <>
      <TroubleNotice of={of} />
      <div class="actions">{children}</div>
    </>
  )
}

/** Says why the last action failed; with a button to try again if that can help. `offline`: what waits for the connection. */
export function TroubleNotice({ of, offline }: FailureFilter & { offline?: string }) {
  const last = page.session.failure.value
  const failure = last && (of?.test(last.path) ?? true) ? last : null
  return (
    <div role="alert">
      {failure && (
        <div class={`notice ${failure.kind}`}>
          <p>{(failure.kind === 'offline' && offline) || textOf(`trouble.${failure.kind}`)}</p>
          {failure.again && (
            <button type="button" class="plain" onClick={failure.again}>
              {t('trouble.again')}
            </button>
          )}
        </div>
      )}
    </div>
  )
}

interface ButtonProps {
  /** Off for now, although no request is pending. */
  disabled?: boolean | undefined
  kind?: 'plain' | 'quiet' | undefined
  submit?: boolean
  label?: string | undefined
  onClick?: () => void
  children: ComponentChildren
}

/** Keeps its place and focus but ignores clicks while a request is pending. */
export function Button({ kind, submit, label, disabled = false, onClick, children }: ButtonProps) {
  const busy = page.session.busy.value
  const isOff = busy || disabled
  return (
    <button
      type={submit ? 'submit' : 'button'}
      class={kind ?? 'main'}
      aria-label={label}
      aria-disabled={isOff || undefined}
      onClick={() => {
        if (!isOff) onClick?.()
      }}
    >
      {submit && busy ? t('page.working') : children}
    </button>
  )
}
