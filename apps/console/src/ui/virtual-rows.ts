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
import type { View } from './visible-pages.ts'

/** The index of a rendered row, or the height of a gap for omitted rows in pixels. */
export type VirtualPart = { row: number } | { gap: number }

/** Number of rendered rows above and below the window. */
const overscan = 20
/** Row height in pixels until a row is measured. */
const defaultHeight = 38

export interface VirtualRowsOptions {
  /** If false, all rows are rendered. */
  isOn: boolean
  count: number
  keyOf(index: number): string
  /** Index of the focused row, which is always rendered. */
  focusedRow: number | null
  body: { readonly current: HTMLTableSectionElement | null }
  view: Pick<View<never>, 'heights' | 'typicalHeight'>
}

/** Returns the rendered rows and gaps of a table body from top to bottom. */
export function useVirtualRows({ isOn, count, keyOf, focusedRow, body, view }: VirtualRowsOptions): VirtualPart[] {
  const renderCount = useSignal(0)
  // Reading the value subscribes the component to scrolling.
  void renderCount.value
  const margin = useRef(0)
  const { heights } = view
  if (isOn) view.typicalHeight ??= mostFrequentHeight(body.current, keyOf, heights)
  const options = {
    enabled: isOn,
    count,
    overscan,
    scrollMargin: margin.current,
    getScrollElement: () => window,
    getItemKey: keyOf,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    initialRect: { width: innerWidth, height: innerHeight },
    initialOffset: () => scrollY,
    estimateSize: (index: number) => heights.get(keyOf(index)) ?? view.typicalHeight ?? defaultHeight,
    rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) =>
      withFocused(defaultRangeExtractor(range), focusedRow, count),
    measureElement(row: HTMLTableRowElement) {
      const key = keyOf(Number(row.dataset.index))
      const { height } = row.getBoundingClientRect()
      const knownHeight = heights.get(key) ?? view.typicalHeight ?? defaultHeight
      // Ignores invisible differences, which would move all rows below.
      const stableHeight = Math.abs(height - knownHeight) < 0.5 ? knownHeight : height
      heights.set(key, stableHeight)
      return stableHeight
    },
    onChange: () => void renderCount.value++,
  }
  const virtualizer = useRef<Virtualizer<Window, HTMLTableRowElement> | null>(null)
  virtualizer.current ??= new Virtualizer<Window, HTMLTableRowElement>(options)
  const rows = virtualizer.current
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
    renderCount.value++
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

/** Measures the rendered rows; returns the most frequent height. */
function mostFrequentHeight(
  body: HTMLTableSectionElement | null,
  keyOf: VirtualRowsOptions['keyOf'],
  heights: View<never>['heights'],
): number | null {
  for (const row of body?.rows ?? []) heights.set(keyOf(Number(row.dataset.index)), row.getBoundingClientRect().height)
  const groups = Map.groupBy(heights.values(), Math.round)
  const [largestGroup] = [...groups.values()].sort((one, other) => other.length - one.length)
  return largestGroup?.[0] ?? null
}

export const withFocused = (range: number[], focusedRow: number | null, count: number): number[] =>
  focusedRow === null || focusedRow >= count || range.includes(focusedRow)
    ? range
    : [...range, focusedRow].sort((a, b) => a - b)

interface RowSpan {
  index: number
  start: number
  end: number
}

/** Rows with the gaps between them, from `top` to `bottom`. */
export function partsOf(rows: RowSpan[], top: number, bottom: number): VirtualPart[] {
  const parts: VirtualPart[] = []
  let position = top
  for (const { index, start, end } of rows) {
    if (start > position) parts.push({ gap: start - position })
    parts.push({ row: index })
    position = end
  }
  if (bottom > position) parts.push({ gap: bottom - position })
  return parts
}
