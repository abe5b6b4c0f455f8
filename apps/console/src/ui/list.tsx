// Loads lists and objects of the API, and shows lists as tables with further pages on demand.

import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError, get } from '../api.ts'
import { entryNow, isReturn } from '../router.ts'
import { Loading, Trouble } from './components.tsx'
import { number } from './format-figures.ts'
import { Rows, type RowsProps } from './table-rows.tsx'
import { type LoadedPage, pagesWithin, refreshRows, type View } from './visible-pages.ts'

export { type Column, Rows } from './table-rows.tsx'

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
  /** Reloads a list of one page, unless a request is running. The current rows stay visible meanwhile. */
  refresh(): void
  view: View<T>
}

const laterPageSize = '200'

interface ListMemory<T> {
  state: Signal<ListState<T>>
  pages: { current: LoadedPage[] }
  view: { current: View<T> }
  running: { current: AbortController | null }
}

/** Reads a list; aborts an outdated request. */
function createReader<T>(
  path: string,
  filters: Record<string, string | undefined>,
  { state, pages, view, running }: ListMemory<T>,
) {
  const startRequest = (): AbortSignal => {
    running.current?.abort()
    running.current = new AbortController()
    return running.current.signal
  }
  return {
    async read(after: string | null, isQuiet = false): Promise<void> {
      const signal = startRequest()
      const mustClear = after === null && !isQuiet
      state.value = { ...state.value, isLoading: true, error: null, ...(mustClear && { items: null, next: null }) }
      try {
        const paging = after === null ? {} : { after, limit: laterPageSize }
        let page = await get<ListPage<T>>(path, { ...filters, ...paging }, signal)
        // A list that the server sifts may have nothing in this part, and more in the next.
        while (page.items.length === 0 && page.next !== null)
          page = await get<ListPage<T>>(path, { ...filters, after: page.next, limit: laterPageSize }, signal)
        const earlierItems = after === null ? [] : (state.value.items ?? [])
        pages.current = [...(after === null ? [] : pages.current), { after, count: page.items.length }]
        state.value = { items: [...earlierItems, ...page.items], next: page.next, error: null, isLoading: false }
      } catch (error) {
        if (!signal.aborted) state.value = { ...state.value, error, isLoading: false }
      }
    },
    /** Reloads the pages with visible rows. Pages that cannot be loaded stay unchanged. */
    async refreshPages(): Promise<void> {
      const { keyOf } = view.current
      const signal = startRequest()
      if (!keyOf) return
      for (const { number, after, count, firstRow } of pagesWithin(pages.current, view.current).reverse()) {
        const query = { ...filters, after: after ?? undefined, limit: count }
        const page = await get<ListPage<T>>(path, query, signal).catch(() => null)
        const { items } = state.value
        if (!page || !items || signal.aborted) return
        const rows = refreshRows(items.slice(firstRow, firstRow + count), page.items, keyOf)
        pages.current = pages.current.with(number, { after, count: rows.length })
        state.value = { ...state.value, items: items.toSpliced(firstRow, count, ...rows) }
      }
    },
  }
}

const emptyView = <T,>(): View<T> => ({ heights: new Map(), from: 0, to: 0 })

/** Loads `/api/console{path}`, again when the filters change. Going back or forward restores the list. */
export function useList<T>(path: string, filters: Record<string, string | undefined>): LoadedList<T> {
  const key = JSON.stringify([path, filters])
  const [restored] = useState(() => takeStoredList<T>(entryNow(), key))
  const { items = null, next: cursor = null } = restored ?? {}
  const state = useSignal<ListState<T>>({ items, next: cursor, error: null, isLoading: !restored })
  const pages = useRef(restored?.pages ?? [])
  const view = useRef(restored?.view ?? emptyView<T>())
  const running = useRef<AbortController | null>(null)
  const isRestored = useRef(restored !== null)
  const { read, refreshPages } = createReader(path, filters, { state, pages, view, running })
  useEffect(() => {
    const entry = entryNow()
    if (!isRestored.current) read(null)
    else if (pages.current.length === 1) read(null, true)
    else refreshPages()
    isRestored.current = false
    return () => {
      running.current?.abort()
      const { items: rows, next: lastCursor } = state.value
      if (rows) storeList(entry, key, { items: rows, next: lastCursor, pages: pages.current, view: view.current })
      view.current = emptyView()
    }
  }, [key])
  const { next, isLoading } = state.value
  return {
    ...state.value,
    view: view.current,
    more: () => next !== null && !isLoading && void read(next),
    reload: () => void read(null),
    refresh: () => void (pages.current.length === 1 && !isLoading && read(null, true)),
  }
}

/** Loads an object of the API, again when its path or filters change. `refresh` lets a running request finish. */
export function useResource<T>(path: string, filters: Record<string, string | undefined> = {}) {
  const state = useSignal<{ value: T | null; error: ApiError | null }>({ value: null, error: null })
  const reloadCount = useSignal(0)
  const isLoading = useRef(false)
  const key = JSON.stringify([path, filters, reloadCount.value])
  useEffect(() => {
    const request = new AbortController()
    isLoading.current = true
    get<T>(path, filters, request.signal)
      .then(
        (value) => {
          state.value = { value, error: null }
        },
        (error) => {
          if (!request.signal.aborted && error instanceof ApiError) state.value = { ...state.value, error }
        },
      )
      .finally(() => {
        if (!request.signal.aborted) isLoading.current = false
      })
    return () => request.abort()
  }, [key])
  const reload = () => void reloadCount.value++
  return { ...state.value, reload, refresh: () => !isLoading.current && reload() }
}

interface TableProps<T> extends Omit<RowsProps<T>, 'items'> {
  list: LoadedList<T>
  empty: ComponentChildren
}

export function Table<T>({ list, empty, ...rows }: TableProps<T>) {
  const { items, next, error, isLoading, more, reload, view } = list
  if (error && !items) return <Trouble error={error} retry={reload} />
  if (!items)
    return (
      <div class="list-loading">
        <Loading />
      </div>
    )
  if (items.length === 0) return <>{empty}</>
  return (
    <>
      <Rows {...rows} items={items} hasMore={next !== null} view={view} />
      {error ? <Trouble error={error} retry={more} /> : null}
      {next !== null && <More count={items.length} isLoading={isLoading} isAutomatic={!error} more={more} />}
    </>
  )
}

interface MoreProps extends Pick<LoadedList<unknown>, 'isLoading' | 'more'> {
  count: number
  /** Whether to load more rows when the user scrolls near the end. */
  isAutomatic: boolean
}

function More({ count, isLoading, isAutomatic, more }: MoreProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isLoading || !isAutomatic || !button.current) return
    const observer = new IntersectionObserver((changes) => changes.some((each) => each.isIntersecting) && more(), {
      rootMargin: '0px 0px 800px 0px',
    })
    observer.observe(button.current)
    return () => observer.disconnect()
  }, [count, isLoading, isAutomatic])
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
interface StoredList<T> {
  items: T[]
  next: string | null
  pages: LoadedPage[]
  view: View<T>
}

const maxStoredLists = 5
/** A stored list that is older is loaded again. */
const maxAgeMs = 15 * 60_000

// The key contains the API path, so a list is read with the type with which it was stored.
// biome-ignore lint/suspicious/noExplicitAny: lists of all types are in one map
const storedLists = new Map<string, { list: StoredList<any>; at: number }>()
const nameOf = (entry: number, key: string): string => `${entry} ${key}`

function storeList<T>(entry: number, key: string, list: StoredList<T>): void {
  const name = nameOf(entry, key)
  storedLists.delete(name)
  storedLists.set(name, { list, at: Date.now() })
  for (const oldest of [...storedLists.keys()].slice(0, -maxStoredLists)) storedLists.delete(oldest)
}

/** Removes a stored list, and returns it if the user went back or forward. */
function takeStoredList<T>(entry: number, key: string): StoredList<T> | null {
  const name = nameOf(entry, key)
  const stored = storedLists.get(name)
  storedLists.delete(name)
  return stored && isReturn() && Date.now() - stored.at < maxAgeMs ? stored.list : null
}
