// The search for everything: areas by their names, and whatever identifier somebody holds.
import { signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { SearchItem } from '#contract/console/journeys.ts'
import { viewLists } from '#contract/console/view-lists.ts'
import { ApiError, get } from './api.ts'
import type { Area } from './area.ts'
import { go, to, toOf } from './router.ts'
import { isOfPlatform, tenantId } from './session.ts'
import { assign } from './ui/assign.ts'
import { worded } from './ui/words.ts'
import { hrefOf, loadViews, savedViews } from './views.ts'

export const isOpen = signal(false)

interface Choice {
  text: string
  about: string
  href: string
}

const waitMs = 200
/** Shorter texts are no identifier. */
const shortest = 4

/** What the platform finds by a text, once nobody types any more; an answer that comes too late is dropped. */
function useSearch(text: string) {
  const found = useSignal<Choice[]>([])
  const state = useSignal<'idle' | 'searching' | 'done' | 'failed'>('idle')
  useEffect(() => {
    const q = text.trim()
    if (q.length < shortest) {
      found.value = []
      state.value = 'idle'
      return
    }
    const mine = new AbortController()
    state.value = 'searching'
    const timer = setTimeout(async () => {
      try {
        const { items } = await get<{ items: SearchItem[] }>('/search', { q, tenantId: tenantId.value }, mine.signal)
        found.value = items.map(choiceOf)
        state.value = 'done'
      } catch (error) {
        if (!mine.signal.aborted && error instanceof ApiError) state.value = 'failed'
      }
    }, waitMs)
    return () => {
      clearTimeout(timer)
      mine.abort()
    }
  }, [text])
  return { found: found.value, state: state.value }
}

/** A journey is named by what it was found by; where that is personal data, by its own id. */
const choiceOf = ({ kind, matched, journeyId, status, isExpired, entryId, tenantId: of }: SearchItem): Choice => {
  const place =
    kind === 'complaint' && entryId
      ? (['grievances', entryId.replace('complaint.', '')] as const)
      : (['journeys', journeyId] as const)
  // What is looked at next belongs to the same tenant.
  const href = isOfPlatform.value ? toOf(of, ...place) : to(...place)
  return {
    text: matched ?? journeyId,
    about: `${worded(kind)} · ${isExpired ? 'Expired, ' : ''}${worded(status)}`,
    href,
  }
}

export function Palette({ areas }: { areas: Area[] }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const text = useSignal('')
  const at = useSignal(0)
  const { found, state } = useSearch(text.value)
  useEffect(() => {
    dialog.current?.showModal()
    loadViews()
  }, [])
  useEffect(() => assign(at, 0), [text.value])

  const choices = [...found, ...namedLike(text.value.trim().toLowerCase(), areas)]
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
      <Choices choices={choices} at={at.value} onChoose={choose} />
      <p role="status">
        {state === 'searching' && 'Searching…'}
        {state === 'failed' && 'The search did not work. Try again.'}
        {state === 'done' &&
          found.length === 0 &&
          'Nothing has exactly this identifier. Identifiers are searched whole.'}
      </p>
    </dialog>
  )
}

/** Areas and saved views whose name holds the text. */
function namedLike(text: string, areas: Area[]): Choice[] {
  const isNamed = ({ name }: { name: string }) => name.toLowerCase().includes(text)
  const places = areas
    .filter(isNamed)
    .map(({ name, id, key }) => ({ text: name, about: `g then ${key}`, href: to(id) }))
  const views = (savedViews.value ?? [])
    .filter((view) => isNamed(view) && areas.some(({ id }) => id === viewLists[view.list].path[0]))
    .map((view) => ({ text: view.name, about: `View · ${viewLists[view.list].name}`, href: hrefOf(view) }))
  return [...places, ...views]
}

interface ChoicesProps {
  choices: Choice[]
  at: number
  onChoose(choice: Choice): void
}

const Choices = ({ choices, at, onChoose }: ChoicesProps) => (
  <div id="choices" role="listbox" aria-label="What was found">
    {choices.map((choice, i) => (
      // biome-ignore lint/a11y/useFocusableInteractive: the text field keeps the focus and names the active choice
      // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys
      <div
        key={choice.href + choice.about}
        id={`choice-${i}`}
        role="option"
        aria-selected={i === at}
        onClick={() => onChoose(choice)}
      >
        {choice.text} <span class="quiet">{choice.about}</span>
      </div>
    ))}
  </div>
)
