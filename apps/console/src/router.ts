// The location of the console: its path below /console and the filters in the query; links, history and scroll
// positions.
import { ownValue } from '@lendloom/foundation/record'
import { computed, signal } from '@preact/signals'

const base = '/console'

const currentLocation = signal({ path: location.pathname, query: location.search })

/** Number of the current history entry, which identifies its scroll position. */
let currentEntry = entryIn(history.state) ?? Date.now()
const scrollPositions = new Map<number, number>()
let isBack = false

/** The number of the current history entry. */
export const entryNow = (): number => currentEntry
/** Whether the user reached the page by the browser's back or forward button. */
export const isReturn = (): boolean => isBack

function entryIn(state: unknown): number | null {
  return typeof state === 'object' && state !== null && 'entry' in state && typeof state.entry === 'number'
    ? state.entry
    : null
}

/** Areas under their earlier names, which links in sent mails have. */
const renamedAreas: Record<string, string> = { grievances: 'complaints' }

/** The decoded path segments below `/console`, such as `['journeys', '01a1…']`. */
export const segments = computed(() => {
  const [area, ...inside] = currentLocation.value.path
    .slice(base.length)
    .split('/')
    .filter(Boolean)
    .map(decodeURIComponent)
  return area === undefined ? [] : [ownValue(renamedAreas, area) ?? area, ...inside]
})

/** Reads a query parameter; empty if it is missing. */
export const query = computed(() => {
  const params = new URLSearchParams(currentLocation.value.query)
  return (name: string): string => params.get(name) ?? ''
})

/** The URL of a page, such as `to('journeys', id)`. Keeps the selected tenant. */
export const to = (...parts: string[]): string => toOf(query.value('tenant'), ...parts)

/** The URL of a page for a tenant; for all tenants if empty. */
export const toOf = (tenant: string, ...parts: string[]): string =>
  [base, ...parts.map(encodeURIComponent)].join('/') + (tenant && `?tenant=${encodeURIComponent(tenant)}`)

/** Returns whether the URL asks to open this dialog, and removes the parameter. */
export function takeOpening(name: string): boolean {
  if (query.peek()('open') !== name) return false
  setQuery({ open: '' })
  return true
}

/** Adds a filter such as `state=FAILED` to an address, which may have the tenant already. */
export const withQuery = (href: string, text: string): string => `${href}${href.includes('?') ? '&' : '?'}${text}`

/** Opens a page of the console, at its top. */
export function go(href: string): void {
  push(href)
  readLocation()
  scrollTo(0, 0)
}

function push(href: string): void {
  scrollPositions.set(currentEntry, scrollY)
  currentEntry = Math.max(currentEntry + 1, Date.now())
  isBack = false
  history.pushState({ entry: currentEntry }, '', href)
}

/** Changes filters; an empty value removes one. `isStep` adds a history entry instead of replacing the current one. */
export function setQuery(changes: Record<string, string>, isStep = false): void {
  const params = new URLSearchParams(currentLocation.value.query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') params.delete(name)
    else params.set(name, value)
  }
  const text = params.toString()
  const href = currentLocation.value.path + (text && `?${text}`)
  if (isStep) push(href)
  else {
    isBack = false
    history.replaceState({ entry: currentEntry }, '', href)
  }
  readLocation()
}

function readLocation(): void {
  currentLocation.value = { path: location.pathname, query: location.search }
}

/** Handles links within the console, and back and forward, without a page load. */
export function followLinks(): void {
  history.scrollRestoration = 'manual'
  history.replaceState({ entry: currentEntry }, '')
  addEventListener('popstate', ({ state }) => {
    const target = entryIn(state)
    // An entry without a number comes from a fragment link; the browser scrolls to the fragment.
    if (target === null) return
    scrollPositions.set(currentEntry, scrollY)
    currentEntry = target
    isBack = true
    readLocation()
    restoreScroll(scrollPositions.get(currentEntry) ?? 0)
  })
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || link.target || link.hash || link.origin !== location.origin || link.hasAttribute('download')) return
    if (link.pathname !== base && !link.pathname.startsWith(`${base}/`)) return
    event.preventDefault()
    go(link.pathname + link.search)
  })
}

/** After this time the page is scrolled as far as it is long. */
const maxRestoreWaitMs = 2000

/** Restores the scroll position once the page is long enough, unless the user scrolls first. */
function restoreScroll(top: number): void {
  const ending = new AbortController()
  const { signal } = ending
  const restore = () => {
    scrollTo(0, top)
    ending.abort()
  }
  const observer = new ResizeObserver(() => {
    if (document.documentElement.scrollHeight - innerHeight >= top) restore()
  })
  observer.observe(document.body)
  const timer = setTimeout(restore, maxRestoreWaitMs)
  for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown', 'popstate'])
    addEventListener(type, () => ending.abort(), { signal, passive: true })
  signal.addEventListener('abort', () => {
    observer.disconnect()
    clearTimeout(timer)
  })
}
