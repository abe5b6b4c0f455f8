// Where the console is: the path below /console and the filters behind it, both in the address bar.
import { computed, signal } from '@preact/signals'

const base = '/console'

const place = signal({ path: location.pathname, query: location.search })

/** The parts of the path below `/console`, decoded: `['journeys', '01a1…']`. */
export const segments = computed(() =>
  place.value.path.slice(base.length).split('/').filter(Boolean).map(decodeURIComponent),
)

/** What stands in the query; a name that is not there is an empty text. */
export const query = computed(() => {
  const params = new URLSearchParams(place.value.query)
  return (name: string): string => params.get(name) ?? ''
})

/** The address of a place of the console, for a link: `to('journeys', id)`. The tenant that is looked at stays. */
export const to = (...parts: string[]): string => toOf(query.value('tenant'), ...parts)

/** The same place of another tenant; of all of them when it is empty. */
export const toOf = (tenant: string, ...parts: string[]): string =>
  [base, ...parts.map(encodeURIComponent)].join('/') + (tenant && `?tenant=${encodeURIComponent(tenant)}`)

export function go(href: string): void {
  history.pushState(null, '', href)
  arrive()
  scrollTo(0, 0)
}

/** Changes filters; an empty one goes. The page before is kept in the history only when `isStep`. */
export function setQuery(changes: Record<string, string>, isStep = false): void {
  const params = new URLSearchParams(place.value.query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') params.delete(name)
    else params.set(name, value)
  }
  const text = params.toString()
  const href = place.value.path + (text && `?${text}`)
  if (isStep) history.pushState(null, '', href)
  else history.replaceState(null, '', href)
  arrive()
}

function arrive(): void {
  place.value = { path: location.pathname, query: location.search }
}

/** Follows links within the console without loading the page anew, and the browser's own back and forward. */
export function followLinks(): void {
  addEventListener('popstate', arrive)
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || link.target || link.origin !== location.origin || link.hasAttribute('download')) return
    if (link.pathname !== base && !link.pathname.startsWith(`${base}/`)) return
    event.preventDefault()
    go(link.pathname + link.search)
  })
}
