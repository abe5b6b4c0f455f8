// Keyboard navigation in a table. The focused row keeps the focus when the page scrolls.
import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { assign } from './assign.ts'

const rowOf = (target: unknown): HTMLTableRowElement | null =>
  target instanceof Element ? target.closest<HTMLTableRowElement>('tbody tr[data-index]') : null
const indexOf = (row: HTMLTableRowElement | null): number | null => (row ? Number(row.dataset.index) : null)

function focusOn(row: HTMLTableRowElement): void {
  const link = row.querySelector<HTMLElement>('td:first-child a') ?? row
  link.focus({ preventScroll: true })
  keepInSight(row)
}

const mostFrames = 10

/** Keeps a row visible while rows above it turn out higher than estimated; ends when the user scrolls. */
function keepInSight(row: HTMLTableRowElement, frames = mostFrames): void {
  row.scrollIntoView({ block: 'nearest' })
  const top = scrollY
  if (frames > 0)
    requestAnimationFrame(() => {
      if (scrollY === top && row.contains(document.activeElement)) keepInSight(row, frames - 1)
    })
}

/** The page's list, which handles `j` and `k`; none while a dialog is open. */
const pageList = (): Element | undefined =>
  document.querySelector('dialog[open]')
    ? undefined
    : [...document.querySelectorAll('main section.table')].find((each) => each.checkVisibility())

/** Lets a list handle `j` and `k` from anywhere on its page. */
function usePageKeys(frame: { current: HTMLElement | null }, onKeyDown: (event: KeyboardEvent) => void): void {
  const latest = useRef(onKeyDown)
  latest.current = onKeyDown
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.key === 'j' || event.key === 'k') && pageList() === frame.current) latest.current(event)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

/** `j` and `k` move the focus between rows, and Enter opens one. In a long list, Home and End go to its ends. */
export function useRowFocus(frame: { current: HTMLElement | null }, count: number, isLong: boolean) {
  const held = useSignal<number | null>(null)
  const wanted = useRef<number | null>(null)
  const find = (index: number) => frame.current?.querySelector<HTMLTableRowElement>(`tr[data-index="${index}"]`)
  // A row outside of the window is rendered once it is focused.
  useLayoutEffect(() => {
    const row = wanted.current === null ? null : find(wanted.current)
    if (!row) return
    wanted.current = null
    focusOn(row)
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
    if (event.target instanceof Element && event.target.closest('input, select, textarea, [contenteditable]')) return
    const at = indexOf(rowOf(document.activeElement))
    const next = stepTo(event.key, { at, first: () => (isLong ? firstInSight(frame.current) : 0), count, isLong })
    if (next === null) return
    event.preventDefault()
    const row = find(next)
    if (row) return focusOn(row)
    wanted.current = next
    held.value = next
  }
  usePageKeys(frame, onKeyDown)
  return {
    held: held.value,
    handlers: {
      onKeyDown,
      onFocusIn: (event: FocusEvent) => assign(held, indexOf(rowOf(event.target))),
      onFocusOut: ({ relatedTarget }: FocusEvent) => {
        if (relatedTarget instanceof Node && !frame.current?.contains(relatedTarget)) held.value = null
      },
    },
  }
}

interface Focus {
  /** Index of the focused row. */
  at: number | null
  /** Returns the start row if no row has the focus. */
  first(): number
  count: number
  isLong: boolean
}

/** Returns the row to which a key moves the focus; null for other keys. */
export function stepTo(key: string, { at, first, count, isLong }: Focus): number | null {
  if (key === 'j') return at === null ? first() : Math.min(count - 1, at + 1)
  if (key === 'k') return at === null ? first() : Math.max(0, at - 1)
  if (isLong && key === 'Home') return 0
  if (isLong && key === 'End') return count - 1
  return null
}

/** The first row that is fully visible below the table's head. */
function firstInSight(frame: HTMLElement | null): number {
  const top = frame?.querySelector('thead')?.getBoundingClientRect().bottom ?? 0
  const rows = [...(frame?.querySelectorAll<HTMLTableRowElement>('tr[data-index]') ?? [])]
  return indexOf(rows.find((row) => row.getBoundingClientRect().top >= top - 1) ?? null) ?? 0
}
