// A form with a summary of its errors, its buttons, and the notice of the last failure.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { errorOf, type FieldErrors } from '../page/field-errors.ts'
import { page } from '../page/page-state.ts'
import { t, textOf } from '../text.ts'
import { idOf } from './field.tsx'

interface FormCheck {
  errors: FieldErrors
  /** Number of rejected submissions; each one moves the focus to the summary. */
  attempt: number
}

/** Lists all errors, each with a link to its field. */
function Summary({ errors, attempt }: FormCheck) {
  const summary = useRef<HTMLElement>(null)
  const names = Object.keys(errors)
  useEffect(() => summary.current?.focus(), [attempt])
  if (names.length === 0 || attempt === 0) return null
  return (
    <section class="summary" aria-labelledby="summary" tabIndex={-1} ref={summary}>
      <h2 id="summary">{t('wrong.title', { count: names.length })}</h2>
      <ul class="bring">
        {names.map((name) => (
          <li key={name}>
            <a
              href={`#${idOf(name)}`}
              onClick={(event) => {
                event.preventDefault()
                document.getElementById(idOf(name))?.focus()
              }}
            >
              {errorOf(errors, name)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Submits unless a request is pending. */
export function Form({
  onSubmit,
  children,
  ...errorState
}: FormCheck & { onSubmit(): void; children: ComponentChildren }) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!page.session.busy.value) onSubmit()
      }}
    >
      <Summary {...errorState} />
      {children}
    </form>
  )
}

/** A screen's buttons, with the last failure above them. */
export function Actions({ children }: { children: ComponentChildren }) {
  return (
    <>
      <TroubleNotice />
      <div class="actions">{children}</div>
    </>
  )
}

/** Says why the last action failed; with a button to try again if that can help. */
export function TroubleNotice() {
  const failure = page.session.failure.value
  return (
    <div role="alert">
      {failure && (
        <div class="notice">
          <p>{textOf(`trouble.${failure.kind}`)}</p>
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
  kind?: 'plain' | 'quiet' | undefined
  submit?: boolean
  label?: string | undefined
  onClick?: () => void
  children: ComponentChildren
}

/** Keeps its place and focus but ignores clicks while a request is pending. */
export function Button({ kind, submit, label, onClick, children }: ButtonProps) {
  const busy = page.session.busy.value
  return (
    <button
      type={submit ? 'submit' : 'button'}
      class={kind ?? 'main'}
      aria-label={label}
      aria-disabled={busy || undefined}
      onClick={() => {
        if (!busy) onClick?.()
      }}
    >
      {submit && busy ? t('page.working') : children}
    </button>
  )
}
