// Keeps the column widths of a long table stable while its rows change.
import { useEffect, useLayoutEffect } from 'preact/hooks'
import type { View, Widths } from './pages.ts'

type Frame = { readonly current: HTMLElement | null }

/** `shape` identifies the set of columns. */
export function useSteadyColumns(frame: Frame, isOn: boolean, shape: string, view: Pick<View<never>, 'columns'>): void {
  // Measures before the table renders fewer rows, because all rows are still in the document.
  if (isOn) view.columns ??= frame.current && widthsOf(frame.current)
  useLayoutEffect(() => {
    const element = frame.current
    if (!isOn || !element) return
    const anew = () => {
      free(element)
      view.columns = widthsOf(element)
      apply(element, view.columns)
    }
    if (view.columns?.frame === element.clientWidth) apply(element, view.columns)
    else anew()
    const observer = new ResizeObserver(() => view.columns?.frame !== element.clientWidth && anew())
    observer.observe(element)
    return () => {
      observer.disconnect()
      free(element)
    }
  }, [isOn, shape])
  // Later rows may be wider, so columns grow once scrolling has stopped.
  useEffect(() => {
    if (!isOn) return
    const timer = setTimeout(() => {
      const grown = frame.current && grownIn(frame.current)
      if (!grown || !frame.current) return
      view.columns = grown
      apply(frame.current, grown)
    }, quietMs)
    return () => clearTimeout(timer)
  })
}

const quietMs = 150

/** Returns wider columns if a cell overflows; null otherwise. */
function grownIn(frame: HTMLElement): Widths | null {
  const heads = headsOf(frame)
  const needed = heads.map((head) => head.getBoundingClientRect().width)
  let isShort = false
  for (const cell of frame.querySelectorAll<HTMLTableCellElement>('tr[data-index] td')) {
    if (cell.scrollWidth <= cell.clientWidth + 1) continue
    needed[cell.cellIndex] = Math.max(needed[cell.cellIndex] ?? 0, cell.scrollWidth + 1)
    isShort = true
  }
  if (!isShort) return null
  const total = heads.reduce((sum, head) => sum + head.getBoundingClientRect().width, 0)
  const over = needed.reduce((sum, each) => sum + each, 0) - total
  // The widest column, which wraps, gives up the missing width.
  const widest = needed.indexOf(Math.max(...needed))
  needed[widest] = Math.max((needed[widest] ?? 0) - over, leastWidth)
  return { cells: needed, isWide: false, frame: frame.clientWidth }
}

const leastWidth = 120

const headsOf = (frame: HTMLElement): HTMLElement[] => [...frame.querySelectorAll<HTMLElement>('thead th')]

function widthsOf(frame: HTMLElement): Widths {
  const cells = headsOf(frame).map((head) => head.getBoundingClientRect().width)
  return { cells, isWide: frame.scrollWidth > frame.clientWidth + 1, frame: frame.clientWidth }
}

function apply(frame: HTMLElement, { cells, isWide }: Widths): void {
  for (const [i, head] of headsOf(frame).entries()) head.style.width = cells[i] ? `${cells[i]}px` : ''
  frame.classList.toggle('steady', !isWide)
}

function free(frame: HTMLElement): void {
  for (const head of headsOf(frame)) head.style.width = ''
  frame.classList.remove('steady')
}
