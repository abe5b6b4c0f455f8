// A table with keyboard navigation. A long table renders only the rows in the window.
import { useSignal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { go } from '../router.ts'
import { assign } from './assign.ts'
import { useSteadyColumns } from './columns.ts'
import type { View } from './pages.ts'
import { useVirtualRows, type VirtualRow as VirtualPart } from './virtual.ts'
import { useRowFocus } from './walk.ts'

export interface Column<T> {
  head: string
  /** Aligned to the right. */
  isNumber?: boolean
  /** Hidden on narrow screens. */
  isMinor?: boolean
  cell(item: T): ComponentChildren
}

export interface RowsProps<T> {
  label: string
  items: T[]
  columns: Column<T>[]
  keyOf(item: T): string
  /** The link of a row. */
  href?: ((item: T) => string) | undefined
  /** Whether further rows can be loaded. */
  hasMore?: boolean
  view?: View<T> | undefined
}

/** Longer tables render only the rows in the window. */
const mostWhole = 100
/** Maximum number of printed rows. */
const mostPrinted = 2000

/** A column with an empty head contains actions. */
export function Rows<T>({ label, items, columns, keyOf, href, hasMore = false, view: given }: RowsProps<T>) {
  const frame = useRef<HTMLElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const own = useRef<View<T>>({ heights: new Map(), from: 0, to: 0 })
  const view = given ?? own.current
  const isPrinted = usePrinted()
  const isLong = items.length > mostWhole
  const focus = useRowFocus(frame, items.length, isLong)
  useSteadyColumns(frame, isLong && !isPrinted, columns.map(({ head }) => head).join(), view)
  // Memoized, because a new function would make the virtualizer measure all rows again.
  const keyAt = useCallback((index: number) => keyIn(items, keyOf, index), [items, keyOf])
  const parts = useVirtualRows({
    ...{
      isOn: isLong && !isPrinted,
      count: isPrinted ? Math.min(items.length, mostPrinted) : items.length,
      keyOf: keyAt,
    },
    ...{ held: focus.held, body, view },
  })
  Object.assign(view, { ...seenIn(parts), keyOf })
  const isPart = isLong || hasMore
  const drawn = useDrawn<T>()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <section ref={frame} class={isLong ? 'table long' : 'table'} aria-label={label} tabIndex={0} {...focus.handlers}>
      <table aria-rowcount={isPart ? (hasMore ? -1 : items.length + 1) : undefined}>
        <Head {...{ columns, isPart }} />
        <tbody ref={body}>
          {parts.map((part, i) => {
            if ('gap' in part)
              return (
                <Gap
                  key={i === 0 ? 'first' : i === parts.length - 1 ? 'last' : 'middle'}
                  height={part.gap}
                  width={columns.length}
                />
              )
            const item = items[part.row]
            if (item === undefined) return null
            return drawn({ item, columns, href, index: part.row, isPart }, keyAt(part.row))
          })}
        </tbody>
      </table>
    </section>
  )
}

const keyIn = <T,>(items: T[], keyOf: (item: T) => string, index: number): string => {
  const item = items[index]
  return item === undefined ? String(index) : keyOf(item)
}

/** Caches rendered rows, so that unchanged rows do not render again. */
function useDrawn<T>() {
  const before = useRef(new Map<string, { row: RowProps<T>; node: VNode }>())
  const now = new Map<string, { row: RowProps<T>; node: VNode }>()
  useLayoutEffect(() => {
    before.current = now
  })
  return (row: RowProps<T>, key: string): VNode => {
    const known = before.current.get(key)
    const node = known && isSame(known.row, row) ? known.node : <Row key={key} {...row} />
    now.set(key, { row, node })
    return node
  }
}

const isSame = <T,>(a: RowProps<T>, b: RowProps<T>): boolean =>
  a.item === b.item && a.columns === b.columns && a.href === b.href && a.index === b.index && a.isPart === b.isPart

interface RowClass {
  /** Whether some rows are not in the document, so that each row needs an `aria-rowindex`. */
  isPart: boolean
}

const Head = <T,>({ columns, isPart }: Pick<RowsProps<T>, 'columns'> & RowClass) => (
  <thead>
    <tr aria-rowindex={isPart ? 1 : undefined}>
      {columns.map(({ head, isNumber, isMinor }) => (
        <th key={head} scope="col" class={classOf(isNumber, isMinor)}>
          {head || <span class="unseen">Actions</span>}
        </th>
      ))}
    </tr>
  </thead>
)

interface RowProps<T> extends Pick<RowsProps<T>, 'columns' | 'href'>, RowClass {
  item: T
  index: number
}

const Row = <T,>({ item, columns, href, index, isPart }: RowProps<T>) => (
  <tr
    class={href ? 'link' : ''}
    data-index={index}
    aria-rowindex={isPart ? index + 2 : undefined}
    tabIndex={href ? undefined : -1}
    onClick={(event) => href && follow(event, href(item))}
  >
    {columns.map(({ head, isNumber, isMinor, cell }, i) => (
      <td key={head} class={classOf(isNumber, isMinor)}>
        {i === 0 && href ? <a href={href(item)}>{cell(item)}</a> : cell(item)}
      </td>
    ))}
  </tr>
)

/** A placeholder for rows that are not in the document. */
const Gap = ({ height, width }: { height: number; width: number }) => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus
  <tr class="gap" aria-hidden="true">
    <td colSpan={width} style={{ height: `${height}px` }} />
  </tr>
)

function seenIn(parts: VirtualPart[]): { from: number; to: number } {
  const rows = parts.flatMap((part) => ('row' in part ? [part.row] : []))
  return { from: rows[0] ?? 0, to: rows.at(-1) ?? 0 }
}

const classOf = (isNumber = false, isMinor = false): string => `${isNumber ? 'number' : ''}${isMinor ? ' minor' : ''}`

function follow(event: MouseEvent, href: string): void {
  const onControl = event.target instanceof Element && event.target.closest('a, button, input')
  if (!onControl && !getSelection()?.toString()) go(href)
}

/** Whether the page is being printed, which requires all rows in the document. */
function usePrinted(): boolean {
  const is = useSignal(false)
  useEffect(() => {
    const on = () => assign(is, true)
    const off = () => assign(is, false)
    addEventListener('beforeprint', on)
    addEventListener('afterprint', off)
    return () => {
      removeEventListener('beforeprint', on)
      removeEventListener('afterprint', off)
    }
  }, [])
  return is.value
}
