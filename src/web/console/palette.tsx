// The search for everything: areas by their names, and whatever identifier somebody holds.
import { signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { ApiError, get } from './api.ts'
import type { Area } from './area.ts'
import { go, to } from './router.ts'
import { tenantId } from './session.ts'
import { assign } from './ui/assign.ts'

export const isOpen = signal(false)

interface Found {
  /** What was recognised in the text: `mobile`, `correlation-id`, … */
  kind: string
  journeyId: string
  matched: string
}

interface Choice {
  text: string
  about: string
  href: string
}

const waitMs = 200
/** Shorter texts are no identifier. */
const shortest = 4

export function Palette({ areas }: { areas: Area[] }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const text = useSignal('')
  const found = useSignal<Choice[]>([])
  const state = useSignal<'idle' | 'searching' | 'done' | 'failed'>('idle')
  const at = useSignal(0)
  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    at.value = 0
    const q = text.value.trim()
    if (q.length < shortest) {
      found.value = []
      state.value = 'idle'
      return
    }
    const mine = new AbortController()
    state.value = 'searching'
    const timer = setTimeout(async () => {
      try {
        const { items } = await get<{ items: Found[] }>('/search', { q, tenantId: tenantId.value }, mine.signal)
        found.value = items.map(({ kind, journeyId, matched }) => ({
          text: matched,
          about: kind.replaceAll('-', ' '),
          href: to('journeys', journeyId),
        }))
        state.value = 'done'
      } catch (error) {
        if (!mine.signal.aborted && error instanceof ApiError) state.value = 'failed'
      }
    }, waitMs)
    return () => {
      clearTimeout(timer)
      mine.abort()
    }
  }, [text.value])

  const isNamed = (name: string) => name.toLowerCase().includes(text.value.trim().toLowerCase())
  const places = areas
    .filter(({ name }) => isNamed(name))
    .map(({ name, id, key }) => ({ text: name, about: `g then ${key}`, href: to(id) }))
  const choices = [...found.value, ...places]
  const choose = (choice: Choice | undefined) => {
    if (!choice) return
    dialog.current?.close()
    go(choice.href)
  }
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      at.value = (at.value + step + choices.length) % Math.max(1, choices.length)
    } else if (event.key === 'Enter') choose(choices[at.value])
  }
  return (
    <dialog ref={dialog} class="palette" aria-label="Search" onClose={() => assign(isOpen, false)} onKeyDown={onKey}>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="choices"
        aria-activedescendant={choices.length > 0 ? `choice-${at.value}` : undefined}
        aria-label="A mobile number, PAN, e-mail, or any identifier"
        placeholder="Mobile, PAN, e-mail, journey, correlation, event, UTR…"
        autoFocus
        value={text.value}
        onInput={(event) => assign(text, event.currentTarget.value)}
      />
      <div id="choices" role="listbox" aria-label="What was found">
        {choices.map(({ text: name, about }, i) => (
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys
          <div
            key={name + about}
            id={`choice-${i}`}
            role="option"
            aria-selected={i === at.value}
            onClick={() => choose(choices[i])}
          >
            {name} <span class="quiet">{about}</span>
          </div>
        ))}
      </div>
      <p role="status">
        {state.value === 'searching' && 'Searching…'}
        {state.value === 'failed' && 'The search did not work. Try again.'}
        {state.value === 'done' &&
          found.value.length === 0 &&
          'Nothing has exactly this identifier. Identifiers are searched whole.'}
      </p>
    </dialog>
  )
}
