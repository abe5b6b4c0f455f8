// A list of the API, page after page: rows that the keyboard walks through, more when asked, and what stands where none are.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { ApiError, get } from '../api.ts'
import { go } from '../router.ts'
import { Loading, Trouble } from './parts.tsx'

interface Page<T> {
  items: T[]
  next: string | null
}

export interface Loaded<T> {
  items: T[] | null
  next: string | null
  error: unknown
  isLoading: boolean
  more(): void
  reload(): void
  /** Reads the first page anew, unless more was read already; what is shown stays meanwhile. */
  refresh(): void
}

/** Reads `/api/console{path}` with these filters, anew whenever they change; an answer that comes too late is dropped. */
export function useList<T>(path: string, filters: Record<string, string | undefined>): Loaded<T> {
  const state = useSignal<Omit<Loaded<T>, 'more' | 'reload' | 'refresh'>>({
    items: null,
    next: null,
    error: null,
    isLoading: true,
  })
  const running = useRef<AbortController | null>(null)
  const key = JSON.stringify([path, filters])
  const pages = useRef(0)
  async function read(after: string | null, isQuiet = false): Promise<void> {
    running.current?.abort()
    const mine = new AbortController()
    running.current = mine
    const clears = after === null && !isQuiet
    state.value = { ...state.value, isLoading: true, error: null, ...(clears && { items: null, next: null }) }
    try {
      const page = await get<Page<T>>(path, { ...filters, after: after ?? undefined }, mine.signal)
      const before = after === null ? [] : (state.value.items ?? [])
      state.value = { items: [...before, ...page.items], next: page.next, error: null, isLoading: false }
      pages.current = after === null ? 1 : pages.current + 1
    } catch (error) {
      if (!mine.signal.aborted) state.value = { ...state.value, error, isLoading: false }
    }
  }
  useEffect(() => {
    read(null)
    return () => running.current?.abort()
  }, [key])
  const { next } = state.value
  return {
    ...state.value,
    more: () => next !== null && void read(next),
    reload: () => void read(null),
    refresh: () => void (pages.current === 1 && read(null, true)),
  }
}

/** One object of the API, read anew whenever its path changes. */
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

export interface Column<T> {
  head: string
  /** Aligned to the right. */
  isNumber?: boolean
  /** Left out where the screen is narrow. */
  isMinor?: boolean
  cell(item: T): ComponentChildren
}

interface RowsProps<T> {
  label: string
  items: T[]
  columns: Column<T>[]
  keyOf(item: T): string
  /** Where a row leads. */
  href?: ((item: T) => string) | undefined
}

/** A table of what is there. A column without a head holds what can be done. */
export const Rows = <T,>({ label, items, columns, keyOf, href }: RowsProps<T>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the window is scrolled by keyboard too
  <section class="table" aria-label={label} tabIndex={0} onKeyDown={walk}>
    <table>
      <thead>
        <tr>
          {columns.map(({ head, isNumber, isMinor }) => (
            <th key={head} scope="col" class={classOf(isNumber, isMinor)}>
              {head || <span class="unseen">What can be done</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={keyOf(item)} class={href ? 'link' : ''} onClick={(event) => href && follow(event, href(item))}>
            {columns.map(({ head, isNumber, isMinor, cell }, i) => (
              <td key={head} class={classOf(isNumber, isMinor)}>
                {i === 0 && href ? <a href={href(item)}>{cell(item)}</a> : cell(item)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

interface TableProps<T> extends Omit<RowsProps<T>, 'items'> {
  list: Loaded<T>
  empty: ComponentChildren
}

/** A list of the API in all of its states. */
export function Table<T>({ list, empty, ...rows }: TableProps<T>) {
  const { items, next, error, isLoading, more, reload } = list
  if (error && !items) return <Trouble error={error} retry={reload} />
  if (!items) return <Loading />
  if (items.length === 0) return <>{empty}</>
  return (
    <>
      <Rows {...rows} items={items} />
      {error ? <Trouble error={error} retry={more} /> : null}
      {next !== null && (
        <button type="button" class="secondary more" aria-disabled={isLoading} onClick={more}>
          {isLoading ? 'Loading…' : 'Show more'}
        </button>
      )}
    </>
  )
}

const classOf = (isNumber = false, isMinor = false): string => `${isNumber ? 'number' : ''}${isMinor ? ' minor' : ''}`

function follow(event: MouseEvent, href: string): void {
  const onControl = event.target instanceof Element && event.target.closest('a, button, input')
  if (!onControl && !getSelection()?.toString()) go(href)
}

/** `j` and `k` walk through the rows, Enter follows the one that has the focus. */
function walk(event: KeyboardEvent): void {
  if (event.key !== 'j' && event.key !== 'k') return
  if (!(event.currentTarget instanceof HTMLElement)) return
  const links: (Element | null)[] = [...event.currentTarget.querySelectorAll('tbody td:first-child a')]
  const at = links.indexOf(document.activeElement)
  const next = links[Math.min(links.length - 1, Math.max(0, at + (event.key === 'j' ? 1 : -1)))]
  if (next instanceof HTMLElement) next.focus()
}
