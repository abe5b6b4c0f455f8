// The search palette finds pages and commands by name, journeys and complaints by identifier.

import type { SearchItem } from '@lendloom/wire/console/journeys'
import { viewLists } from '@lendloom/wire/console/saved-view-lists'
import type { Endpoint } from '@lendloom/wire/console/webhooks'
import { signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { ApiError, get } from './api.ts'
import type { Area } from './area.ts'
import { productName } from './journeys/journey-texts.ts'
import { commandsFor, isMatch, type PaletteChoice, pageEntry, urlWithTenant } from './palette-commands.ts'
import { recentPages } from './recent-pages.ts'
import { go, to } from './router.ts'
import { hrefOfView, loadViews, savedViews } from './saved-views.ts'
import { isOfPlatform, me, tenantId } from './session.ts'
import { assign } from './ui/assign-signal.ts'
import { inIndiaAs } from './ui/clock.ts'
import { inlineLabelOf, labelOf, shortId } from './ui/code-labels.ts'
import { hasKeys } from './ui/shortcut-hints.ts'
import { toRow } from './ui/tenant-column.tsx'

export const isOpen = signal(false)

const debounceMs = 200
const minLength = 4

/** Searches the platform after a pause in typing; outdated responses are dropped. */
function useSearch(text: string) {
  const results = useSignal<PaletteChoice[]>([])
  const state = useSignal<SearchState>('idle')
  useEffect(() => {
    const q = text.trim()
    if (q.length < minLength) {
      results.value = []
      state.value = 'idle'
      return
    }
    const abort = new AbortController()
    state.value = 'searching'
    const timer = setTimeout(async () => {
      try {
        const { items } = await get<{ items: SearchItem[] }>('/search', { q, tenantId: tenantId.value }, abort.signal)
        results.value = items.map(choiceOf)
        state.value = 'done'
      } catch (error) {
        if (!abort.signal.aborted && error instanceof ApiError) state.value = 'failed'
      }
    }, debounceMs)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [text])
  return { results: results.value, state: state.value }
}

/** The palette entry of a result. It shows the borrower's name, because all results match the same identifier. */
const choiceOf = ({
  kind,
  matched,
  journeyId,
  name,
  product,
  status,
  isExpired,
  createdAt,
  entryId,
  tenantId: tenant,
}: SearchItem): PaletteChoice => {
  const isComplaint = kind === 'complaint' && entryId
  const href = isComplaint
    ? urlWithTenant(tenant, 'complaints', entryId.replace('complaint.', ''))
    : urlWithTenant(tenant, 'journeys', journeyId)
  const title = [name ?? 'Borrower without a name yet', productName(product), isExpired ? 'Expired' : labelOf(status)]
  const tenantName = isOfPlatform.value && me.value?.tenants.find((each) => each.tenantId === tenant)?.name
  // A mobile number, PAN or email is not repeated, so the journey's id tells the results apart.
  const identifier = shortId(matched ?? journeyId, 24)
  const about = [`by ${inlineLabelOf(kind)}`, identifier, tenantName, inIndiaAs('date', createdAt)]
  return {
    key: `${kind} ${href} ${entryId}`,
    group: 'Found',
    text: title.join(' · '),
    about: about.filter(Boolean).join(' · '),
    run: () => go(href),
  }
}

export function Palette({ areas }: { areas: Area[] }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const text = useSignal('')
  const index = useSignal(0)
  const { results, state } = useSearch(text.value)
  const endpoints = useEndpoints(areas)
  useEffect(() => {
    dialog.current?.showModal()
    loadViews()
  }, [])
  useEffect(() => assign(index, 0), [text.value])
  useEffect(() => document.getElementById(`choice-${index.value}`)?.scrollIntoView({ block: 'nearest' }), [index.value])

  const choices = [...results, ...matchingEntries(text.value.trim(), areas, endpoints)]
  const choose = (choice: PaletteChoice | undefined) => {
    if (!choice) return
    dialog.current?.close()
    isOpen.value = false
    choice.run()
  }
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      index.value = (index.value + step + choices.length) % Math.max(1, choices.length)
    } else if (event.key === 'Enter') choose(choices[index.value])
  }
  // The event of a closed and removed palette may come after another palette has opened.
  const onClose = () => dialog.current && assign(isOpen, false)
  return (
    <dialog ref={dialog} class="palette" aria-label="Search" onClose={onClose} onKeyDown={onKey}>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="choices"
        aria-activedescendant={choices.length > 0 ? `choice-${index.value}` : undefined}
        aria-label="A mobile number, PAN, email, or any ID"
        placeholder="Any ID, mobile, PAN, page or command"
        autoFocus
        value={text.value}
        onInput={(event) => assign(text, event.currentTarget.value)}
      />
      <Choices choices={choices} selected={index.value} onChoose={choose} />
      <p role="status">{statusText(text.value.trim(), state, choices.length > 0)}</p>
    </dialog>
  )
}

type SearchState = 'idle' | 'searching' | 'done' | 'failed'

/** What the search says below the choices; empty with choices and after no text. */
function statusText(typed: string, state: SearchState, hasChoices: boolean): string {
  if (state === 'searching') return 'Searching…'
  if (state === 'failed') return 'The search failed. Try again.'
  if (typed === '' || hasChoices) return ''
  return state === 'idle'
    ? 'Type at least four characters of a mobile number, PAN, email or ID.'
    : 'No results. Names cannot be searched. Enter a mobile number, PAN, email or ID in full.'
}

/** Areas, pages, commands, endpoints and saved views that match the text; without a text, recent pages, areas and views. */
function matchingEntries(typed: string, areas: Area[], endpoints: Endpoint[]): PaletteChoice[] {
  const areaEntries = areas.map(({ name, id, key }) =>
    pageEntry(to(id), { group: 'Go to', text: name, about: hasKeys() ? `g then ${key}` : '' }),
  )
  const views = (savedViews.value ?? [])
    .filter(({ list }) => areas.some(({ id }) => id === viewLists[list].path[0]))
    .map((view) =>
      pageEntry(hrefOfView(view), {
        group: 'Saved views',
        text: view.name,
        about: `View · ${viewLists[view.list].name}`,
      }),
    )
  const recent = recentPages.value
    .filter(({ href }) => href !== location.pathname + location.search)
    .map(({ href, ...page }) => pageEntry(href, { group: 'Recent', ...page }))
  if (typed === '') return [...recent, ...areaEntries, ...views]
  const endpointEntries = endpoints.map((endpoint) =>
    pageEntry(toRow(endpoint, 'webhooks', endpoint.endpointId), {
      group: 'Endpoints',
      text: endpoint.url,
      about: 'Endpoint: pause, test, replay',
      words: 'webhook resume rotate secret',
    }),
  )
  const all = [...recent, ...areaEntries, ...commandsFor(areas), ...views, ...endpointEntries]
  const matching = all.filter((each) => isMatch(each, typed))
  // Entries of a group stand together, in the order of each group's first entry.
  return [...Map.groupBy(matching, ({ group }) => group).values()].flat()
}

/** The endpoints of the selected tenant; none if they cannot be loaded. */
function useEndpoints(areas: Area[]): Endpoint[] {
  const endpoints = useSignal<Endpoint[]>([])
  const tenant = tenantId.value
  useEffect(() => {
    if (tenant === '' || !areas.some(({ id }) => id === 'webhooks')) return
    get<{ items: Endpoint[] }>('/webhooks/endpoints', { tenantId: tenant, limit: 200 }).then(
      ({ items }) => assign(endpoints, items),
      () => {},
    )
  }, [tenant])
  return endpoints.value
}

interface ChoicesProps {
  choices: PaletteChoice[]
  selected: number
  onChoose(choice: PaletteChoice): void
}

const Choices = ({ choices, selected, onChoose }: ChoicesProps) => {
  const numbered = choices.map((choice, number) => ({ choice, number }))
  return (
    <div id="choices" role="listbox" aria-label="Results">
      {[...Map.groupBy(numbered, ({ choice }) => choice.group)].map(([group, members]) => (
        // biome-ignore lint/a11y/useSemanticElements: a listbox may contain groups, but no fieldsets
        <div key={group} role="group" aria-label={group}>
          <div class="group-name" aria-hidden="true">
            {group}
          </div>
          {members.map(({ choice, number }) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the text field keeps the focus and names the active choice
            // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys
            <div
              key={choice.key}
              id={`choice-${number}`}
              role="option"
              aria-selected={number === selected}
              onClick={() => onChoose(choice)}
            >
              {choice.text} <span class="quiet">{choice.about}</span>
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
