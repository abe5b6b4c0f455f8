// Virtual scrolling: a long table renders the rows in the window, some around them, and the focused row.
import { useSignal } from '@preact/signals'
import {
  defaultRangeExtractor,
  observeWindowOffset,
  observeWindowRect,
  Virtualizer,
  windowScroll,
} from '@tanstack/virtual-core'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { View } from './pages.ts'

/** Index of a row, or the height of omitted rows in pixels. */
export type VirtualRow = { row: number } | { gap: number }

/** Number of rendered rows above and below the window. */
const around = 20
/** Row height in pixels until a row is measured. */
const usualHeight = 38

export interface VirtualRows {
  /** If false, all rows are rendered. */
  isOn: boolean
  count: number
  keyOf(index: number): string
  /** Index of the focused row, which is always rendered. */
  held: number | null
  body: { readonly current: HTMLTableSectionElement | null }
  /** Receives the measured heights. */
  view: Pick<View<never>, 'heights' | 'usual'>
}

/** Returns the rendered rows and gaps of a table body from top to bottom. */
export function useVirtualRows({ isOn, count, keyOf, held, body, view }: VirtualRows): VirtualRow[] {
  const turn = useSignal(0)
  // Subscribes the component to scrolling.
  void turn.value
  const margin = useRef(0)
  const { heights } = view
  if (isOn) view.usual ??= usualOf(body.current, keyOf, heights)
  const options = {
    ...{ enabled: isOn, count, overscan: around, scrollMargin: margin.current },
    ...{ getScrollElement: () => window, getItemKey: keyOf },
    ...{ observeElementRect: observeWindowRect, observeElementOffset: observeWindowOffset, scrollToFn: windowScroll },
    initialRect: { width: innerWidth, height: innerHeight },
    initialOffset: () => scrollY,
    estimateSize: (index: number) => heights.get(keyOf(index)) ?? view.usual ?? usualHeight,
    rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) =>
      withHeld(defaultRangeExtractor(range), held, count),
    measureElement(row: HTMLTableRowElement) {
      const key = keyOf(Number(row.dataset.index))
      const { height } = row.getBoundingClientRect()
      const before = heights.get(key) ?? view.usual ?? usualHeight
      // Ignores invisible differences, which would move all rows below.
      const kept = Math.abs(height - before) < 0.5 ? before : height
      heights.set(key, kept)
      return kept
    },
    onChange: () => void turn.value++,
  }
  const made = useRef<Virtualizer<Window, HTMLTableRowElement> | null>(null)
  made.current ??= new Virtualizer<Window, HTMLTableRowElement>(options)
  const rows = made.current
  // Compensates for size changes of rows above the window, unless the page was scrolled meanwhile.
  rows.shouldAdjustScrollPositionOnItemSizeChange = ({ start }, _, { scrollOffset }) =>
    start < (scrollOffset ?? 0) && Math.abs(scrollY - (scrollOffset ?? 0)) < 1
  rows.setOptions(options)
  useLayoutEffect(() => rows._didMount(), [])
  useLayoutEffect(() => {
    rows._willUpdate()
    if (!isOn || !body.current) return
    const top = measure(rows, body.current)
    if (rows.isScrolling || Math.abs(top - margin.current) < 1) return
    margin.current = top
    turn.value++
  })
  if (!isOn) return Array.from({ length: count }, (_, row) => ({ row }))
  return partsOf(rows.getVirtualItems(), margin.current, margin.current + rows.getTotalSize())
}

/** Measures the rendered rows. Returns the body's distance from the top of the page. */
function measure(rows: Virtualizer<Window, HTMLTableRowElement>, body: HTMLTableSectionElement): number {
  for (const row of body.rows) if (row.dataset.index !== undefined) rows.measureElement(row)
  rows.measureElement(null)
  return body.getBoundingClientRect().top + scrollY
}

/** Measures all rows, while all are rendered; returns the most frequent height. */
function usualOf(
  body: HTMLTableSectionElement | null,
  keyOf: VirtualRows['keyOf'],
  heights: View<never>['heights'],
): number | null {
  for (const row of body?.rows ?? []) heights.set(keyOf(Number(row.dataset.index)), row.getBoundingClientRect().height)
  const groups = Map.groupBy(heights.values(), Math.round)
  const [most] = [...groups.values()].sort((one, other) => other.length - one.length)
  return most?.[0] ?? null
}

export const withHeld = (range: number[], held: number | null, count: number): number[] =>
  held === null || held >= count || range.includes(held) ? range : [...range, held].sort((a, b) => a - b)

interface RowSpan {
  index: number
  start: number
  end: number
}

/** Rows with the gaps between them, from `top` to `bottom`. */
export function partsOf(rows: RowSpan[], top: number, bottom: number): VirtualRow[] {
  const parts: VirtualRow[] = []
  let at = top
  for (const { index, start, end } of rows) {
    if (start > at) parts.push({ gap: start - at })
    parts.push({ row: index })
    at = end
  }
  if (bottom > at) parts.push({ gap: bottom - at })
  return parts
}
