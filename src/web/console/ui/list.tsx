// Loads lists and objects of the API, and shows lists as tables with further pages on demand.

import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError, get } from '../api.ts'
import { entryNow, isReturn } from '../router.ts'
import { number } from './figures.ts'
import { mended, type PageRead, pagesWithin, type View } from './pages.ts'
import { Loading, Trouble } from './parts.tsx'
import { Rows, type RowsProps } from './rows.tsx'

export { type Column, Rows } from './rows.tsx'

interface ListPage<T> {
  items: T[]
  next: string | null
}

interface ListState<T> {
  items: T[] | null
  next: string | null
  error: unknown
  isLoading: boolean
}

export interface LoadedList<T> extends ListState<T> {
  more(): void
  reload(): void
  /** Reloads the first page if it is the only one; the current rows stay visible meanwhile. */
  refresh(): void
  view: View<T>
}

/** The page size after the first page. */
const rowsOfMore = '200'

/** The mutable state of a list. */
interface ListMemory<T> {
  state: Signal<ListState<T>>
  pages: { current: PageRead[] }
  view: { current: View<T> }
  running: { current: AbortController | null }
}

/** Reads a list; aborts an outdated request. */
function readerOf<T>(
  path: string,
  filters: Record<string, string | undefined>,
  { state, pages, view, running }: ListMemory<T>,
) {
  const begin = (): AbortSignal => {
    running.current?.abort()
    running.current = new AbortController()
    return running.current.signal
  }
  return {
    async read(after: string | null, isQuiet = false): Promise<void> {
      const signal = begin()
      const clears = after === null && !isQuiet
      state.value = { ...state.value, isLoading: true, error: null, ...(clears && { items: null, next: null }) }
      try {
        const behind = after === null ? {} : { after, limit: rowsOfMore }
        const page = await get<ListPage<T>>(path, { ...filters, ...behind }, signal)
        const before = after === null ? [] : (state.value.items ?? [])
        pages.current = [...(after === null ? [] : pages.current), { after, count: page.items.length }]
        state.value = { items: [...before, ...page.items], next: page.next, error: null, isLoading: false }
      } catch (error) {
        if (!signal.aborted) state.value = { ...state.value, error, isLoading: false }
      }
    },
    /** Reloads the pages with visible rows. Pages that cannot be loaded stay unchanged. */
    async mend(): Promise<void> {
      const { keyOf } = view.current
      const signal = begin()
      if (!keyOf) return
      for (const { number, after, count, begins } of pagesWithin(pages.current, view.current).reverse()) {
        const query = { ...filters, after: after ?? undefined, limit: count }
        const page = await get<ListPage<T>>(path, query, signal).catch(() => null)
        const { items } = state.value
        if (!page || !items || signal.aborted) return
        const rows = mended(items.slice(begins, begins + count), page.items, keyOf)
        pages.current = pages.current.with(number, { after, count: rows.length })
        state.value = { ...state.value, items: items.toSpliced(begins, count, ...rows) }
      }
    },
  }
}

const unseen = <T,>(): View<T> => ({ heights: new Map(), from: 0, to: 0 })

/** Loads `/api/console{path}`, again when the filters change. Going back or forward restores the list. */
export function useList<T>(path: string, filters: Record<string, string | undefined>): LoadedList<T> {
  const key = JSON.stringify([path, filters])
  const [kept] = useState(() => takeKept<T>(entryNow(), key))
  const { items = null, next: behind = null } = kept ?? {}
  const state = useSignal<ListState<T>>({ items, next: behind, error: null, isLoading: !kept })
  const pages = useRef(kept?.pages ?? [])
  const view = useRef(kept?.view ?? unseen<T>())
  const running = useRef<AbortController | null>(null)
  const isKept = useRef(kept !== null)
  const { read, mend } = readerOf(path, filters, { state, pages, view, running })
  useEffect(() => {
    const entry = entryNow()
    if (!isKept.current) read(null)
    else if (pages.current.length === 1) read(null, true)
    else mend()
    isKept.current = false
    return () => {
      running.current?.abort()
      const { items: rows, next: rest } = state.value
      if (rows) keep(entry, key, { items: rows, next: rest, pages: pages.current, view: view.current })
      view.current = unseen()
    }
  }, [key])
  const { next, isLoading } = state.value
  return {
    ...state.value,
    view: view.current,
    more: () => next !== null && !isLoading && void read(next),
    reload: () => void read(null),
    refresh: () => void (pages.current.length === 1 && read(null, true)),
  }
}

/** Loads an object of the API, again when its path or filters change. */
export function useOne<T>(path: string, filters: Record<string, string | undefined> = {}) {
  const state = useSignal<{ value: T | null; error: ApiError | null }>({ value: null, error: null })
  const turn = useSignal(0)
  const key = JSON.stringify([path, filters, turn.value])
  useEffect(() => {
    const mine = new AbortController()
    get<T>(path, filters, mine.signal).then(
      (value) => {
        state.value = { value, error: null }
      },
      (error) => {
        if (!mine.signal.aborted && error instanceof ApiError) state.value = { ...state.value, error }
      },
    )
    return () => mine.abort()
  }, [key])
  return { ...state.value, reload: () => void turn.value++ }
}

interface TableProps<T> extends Omit<RowsProps<T>, 'items'> {
  list: LoadedList<T>
  empty: ComponentChildren
}

/** A list in each state: loading, failed, empty or with rows. */
export function Table<T>({ list, empty, ...rows }: TableProps<T>) {
  const { items, next, error, isLoading, more, reload, view } = list
  if (error && !items) return <Trouble error={error} retry={reload} />
  if (!items) return <Loading />
  if (items.length === 0) return <>{empty}</>
  return (
    <>
      <Rows {...rows} items={items} hasMore={next !== null} view={view} />
      {error ? <Trouble error={error} retry={more} /> : null}
      {next !== null && <More count={items.length} isLoading={isLoading} isByItself={!error} more={more} />}
    </>
  )
}

interface MoreProps extends Pick<LoadedList<unknown>, 'isLoading' | 'more'> {
  count: number
  /** Whether to load more rows when the user scrolls near the end. */
  isByItself: boolean
}

/** Button that loads the next rows. */
function More({ count, isLoading, isByItself, more }: MoreProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isLoading || !isByItself || !button.current) return
    const observer = new IntersectionObserver((seen) => seen.some((each) => each.isIntersecting) && more(), {
      rootMargin: '0px 0px 800px 0px',
    })
    observer.observe(button.current)
    return () => observer.disconnect()
  }, [count, isLoading, isByItself])
  return (
    <div class="more">
      <button ref={button} type="button" class="secondary" aria-disabled={isLoading} onClick={more}>
        {isLoading ? 'Loading…' : 'Show more'}
      </button>
      <p class="quiet small" role="status">
        {number(count)} shown
      </p>
    </div>
  )
}

/** A list as the user left it, for going back or forward. */
interface KeptList<T> {
  items: T[]
  next: string | null
  pages: PageRead[]
  view: View<T>
}

const maxStoredLists = 5
/** Older stored lists are loaded again. */
const maxAgeMs = 15 * 60_000

// The key contains the API path, so a list is read with the type with which it was stored.
// biome-ignore lint/suspicious/noExplicitAny: lists of all types are in one map
const kept = new Map<string, { list: KeptList<any>; at: number }>()
const nameOf = (entry: number, key: string): string => `${entry} ${key}`

function keep<T>(entry: number, key: string, list: KeptList<T>): void {
  const name = nameOf(entry, key)
  kept.delete(name)
  kept.set(name, { list, at: Date.now() })
  for (const oldest of [...kept.keys()].slice(0, -maxStoredLists)) kept.delete(oldest)
}

/** Removes a stored list, and returns it if the user went back or forward. */
function takeKept<T>(entry: number, key: string): KeptList<T> | null {
  const name = nameOf(entry, key)
  const found = kept.get(name)
  kept.delete(name)
  return found && isReturn() && Date.now() - found.at < maxAgeMs ? found.list : null
}
