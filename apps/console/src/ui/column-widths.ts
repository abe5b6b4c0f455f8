// Keeps the column widths of a long table stable while its rows change.
import { useEffect, useLayoutEffect } from 'preact/hooks'
import type { View, Widths } from './visible-pages.ts'

type Frame = { readonly current: HTMLElement | null }

/** `shape` identifies the set of columns. */
export function useSteadyColumns(frame: Frame, isOn: boolean, shape: string, view: Pick<View<never>, 'columns'>): void {
  // Measures now, while all rows are in the document; later the table renders fewer.
  if (isOn) view.columns ??= frame.current && widthsOf(frame.current)
  useLayoutEffect(() => {
    const element = frame.current
    if (!isOn || !element) return
    const measure = () => {
      reset(element)
      view.columns = widthsOf(element)
      apply(element, view.columns)
    }
    if (view.columns?.frame === element.clientWidth) apply(element, view.columns)
    else measure()
    const observer = new ResizeObserver(() => view.columns?.frame !== element.clientWidth && measure())
    observer.observe(element)
    return () => {
      observer.disconnect()
      reset(element)
    }
  }, [isOn, shape])
  // Later rows may be wider, so columns grow once scrolling has stopped.
  useEffect(() => {
    if (!isOn) return
    const timer = setTimeout(() => {
      const wider = frame.current && widerColumns(frame.current)
      if (!wider || !frame.current) return
      view.columns = wider
      apply(frame.current, wider)
    }, scrollPauseMs)
    return () => clearTimeout(timer)
  })
}

const scrollPauseMs = 150

/** Returns wider columns if a cell overflows; null otherwise. */
function widerColumns(frame: HTMLElement): Widths | null {
  const heads = headsOf(frame)
  const widths = heads.map((head) => head.getBoundingClientRect().width)
  let isOverflowing = false
  for (const cell of frame.querySelectorAll<HTMLTableCellElement>('tr[data-index] td')) {
    if (cell.scrollWidth <= cell.clientWidth + 1) continue
    widths[cell.cellIndex] = Math.max(widths[cell.cellIndex] ?? 0, cell.scrollWidth + 1)
    isOverflowing = true
  }
  if (!isOverflowing) return null
  const total = heads.reduce((sum, head) => sum + head.getBoundingClientRect().width, 0)
  const excess = widths.reduce((sum, each) => sum + each, 0) - total
  // The widest column, which wraps, becomes narrower by the excess.
  const widest = widths.indexOf(Math.max(...widths))
  widths[widest] = Math.max((widths[widest] ?? 0) - excess, minWidth)
  return { cells: widths, isWide: false, frame: frame.clientWidth }
}

const minWidth = 120

const headsOf = (frame: HTMLElement): HTMLElement[] => [...frame.querySelectorAll<HTMLElement>('thead th')]

function widthsOf(frame: HTMLElement): Widths {
  const cells = headsOf(frame).map((head) => head.getBoundingClientRect().width)
  return { cells, isWide: frame.scrollWidth > frame.clientWidth + 1, frame: frame.clientWidth }
}

function apply(frame: HTMLElement, { cells, isWide }: Widths): void {
  for (const [i, head] of headsOf(frame).entries()) head.style.width = cells[i] ? `${cells[i]}px` : ''
  frame.classList.toggle('steady', !isWide)
}

function reset(frame: HTMLElement): void {
  for (const head of headsOf(frame)) head.style.width = ''
  frame.classList.remove('steady')
}
