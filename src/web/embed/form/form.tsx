// A form around its fields: the summary of what is wrong, the buttons, and what to do when sending fails.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { here } from '../page/here.ts'
import { type Wrong, wordsFor } from '../page/wrong.ts'
import { t, textOf } from '../text.ts'
import { idOf } from './field.tsx'

interface FormCheck {
  wrong: Wrong
  /** How often sending was refused: each time the summary takes the focus. */
  attempt: number
}

/** Lists every error; each line leads to its field. */
function Summary({ wrong, attempt }: FormCheck) {
  const box = useRef<HTMLElement>(null)
  const names = Object.keys(wrong)
  useEffect(() => box.current?.focus(), [attempt])
  if (names.length === 0 || attempt === 0) return null
  return (
    <section class="summary" aria-labelledby="summary" tabIndex={-1} ref={box}>
      <h2 id="summary">{t('wrong.title', { count: names.length })}</h2>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <a
              href={`#${idOf(name)}`}
              onClick={(event) => {
                event.preventDefault()
                document.getElementById(idOf(name))?.focus()
              }}
            >
              {wordsFor(wrong, name)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Form({
  onSubmit,
  children,
  ...checked
}: FormCheck & { onSubmit(): void; children: ComponentChildren }) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!here.session.busy.value) onSubmit()
      }}
    >
      <Summary {...checked} />
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

export function TroubleNotice() {
  const trouble = here.session.trouble.value
  return (
    <div role="alert">
      {trouble && (
        <div class="notice">
          {trouble.again && <strong>{t('trouble.title')}</strong>}
          <p>{textOf(`trouble.${trouble.kind}`)}</p>
          {trouble.again && (
            <button type="button" class="plain" onClick={trouble.again}>
              {t('trouble.again')}
            </button>
          )}
        </div>
      )}
    </div>
  )
}

interface ButtonProps {
  kind?: 'plain' | 'quiet'
  submit?: boolean
  label?: string | undefined
  onClick?: () => void
  children: ComponentChildren
}

/** While an act is on its way the buttons stay where they are and do nothing. */
export function Button({ kind, submit, label, onClick, children }: ButtonProps) {
  const busy = here.session.busy.value
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
