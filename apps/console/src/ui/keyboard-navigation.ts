// Keyboard navigation in a table. The focused row keeps the focus when the page scrolls.
import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { assign } from './assign-signal.ts'

const rowOf = (target: unknown): HTMLTableRowElement | null =>
  target instanceof Element ? target.closest<HTMLTableRowElement>('tbody tr[data-index]') : null
const indexOf = (row: HTMLTableRowElement | null): number | null => (row ? Number(row.dataset.index) : null)

function focusOn(row: HTMLTableRowElement): void {
  const link = row.querySelector<HTMLElement>('td:first-child a') ?? row
  link.focus({ preventScroll: true })
  keepInSight(row)
}

const maxFrames = 10

/** Keeps a row visible while rows above it turn out higher than estimated; ends when the user scrolls. */
function keepInSight(row: HTMLTableRowElement, frames = maxFrames): void {
  row.scrollIntoView({ block: 'nearest' })
  const top = scrollY
  if (frames > 0)
    requestAnimationFrame(() => {
      if (scrollY === top && row.contains(document.activeElement)) keepInSight(row, frames - 1)
    })
}

/** The list that handles `j` and `k`: the first visible one of the page; none while a dialog is open. */
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

/** `j` and `k` move the focus between rows, Enter opens the row, and Home and End go to the ends of a long list. */
export function useRowFocus(frame: { current: HTMLElement | null }, count: number, isLong: boolean) {
  const focusedRow = useSignal<number | null>(null)
  const pendingRow = useRef<number | null>(null)
  const find = (index: number) => frame.current?.querySelector<HTMLTableRowElement>(`tr[data-index="${index}"]`)
  // A row outside of the window is focused as soon as it is rendered.
  useLayoutEffect(() => {
    const row = pendingRow.current === null ? null : find(pendingRow.current)
    if (!row) return
    pendingRow.current = null
    focusOn(row)
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
    if (event.target instanceof Element && event.target.closest('input, select, textarea, [contenteditable]')) return
    const at = indexOf(rowOf(document.activeElement))
    const next = nextRow(event.key, { at, first: () => (isLong ? firstInSight(frame.current) : 0), count, isLong })
    if (next === null) return
    event.preventDefault()
    const row = find(next)
    if (row) return focusOn(row)
    pendingRow.current = next
    focusedRow.value = next
  }
  usePageKeys(frame, onKeyDown)
  return {
    focusedRow: focusedRow.value,
    handlers: {
      onKeyDown,
      onFocusIn: (event: FocusEvent) => assign(focusedRow, indexOf(rowOf(event.target))),
      onFocusOut: ({ relatedTarget }: FocusEvent) => {
        if (relatedTarget instanceof Node && !frame.current?.contains(relatedTarget)) focusedRow.value = null
      },
    },
  }
}

interface Focus {
  at: number | null
  /** Returns the row to start at if no row has the focus. */
  first(): number
  count: number
  isLong: boolean
}

/** Returns the row to which a key moves the focus; null for other keys. */
export function nextRow(key: string, { at, first, count, isLong }: Focus): number | null {
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
