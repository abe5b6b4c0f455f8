// A paged list of the API: rows with keyboard navigation, further pages on demand, and the empty state.

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
  /** Reads the first page again unless more pages were read; the current rows stay meanwhile. */
  refresh(): void
  view: View<T>
}

/** The page size after the first page. */
const rowsOfMore = '200'

/** The state of a displayed list. */
interface ListMemory<T> {
  state: Signal<ListState<T>>
  pages: { current: PageRead[] }
  view: { current: View<T> }
  running: { current: AbortController | null }
}

/** Reads a list; outdated answers are dropped. */
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
    /** Reads the visited pages again. Unreadable ones stay as they were. */
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

/** Reads `/api/console{path}` with these filters, again whenever they change; going back restores the list. */
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

/** One object of the API, read again whenever its path changes. */
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

/** A list of the API in all of its states. */
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
  /** Whether it loads when the end is near. */
  isByItself: boolean
}

/** The next rows: read near the end of the list, and on request. */
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

/** Lists as they were left, for the browser's back and forward. */
interface KeptList<T> {
  items: T[]
  next: string | null
  pages: PageRead[]
  view: View<T>
}

const most = 5
/** Older ones are read again, in milliseconds. */
const longest = 15 * 60_000

// What a list was kept as, it is asked for as: the key holds the path of its API.
// biome-ignore lint/suspicious/noExplicitAny: lists of every type are kept in one place
const kept = new Map<string, { list: KeptList<any>; at: number }>()
const nameOf = (entry: number, key: string): string => `${entry} ${key}`

function keep<T>(entry: number, key: string, list: KeptList<T>): void {
  const name = nameOf(entry, key)
  kept.delete(name)
  kept.set(name, { list, at: Date.now() })
  for (const oldest of [...kept.keys()].slice(0, -most)) kept.delete(oldest)
}

/** Returns it once, for a return by back or forward only. */
function takeKept<T>(entry: number, key: string): KeptList<T> | null {
  const name = nameOf(entry, key)
  const found = kept.get(name)
  kept.delete(name)
  return found && isReturn() && Date.now() - found.at < longest ? found.list : null
}
