// biome-ignore-all lint/a11y/noRedundantRoles: some browsers take the roles from a table that is shown as cards
// A table with keyboard navigation. A long table renders only the rows in the window. On a phone, each row is a card:
// the first cell is its title.
import { useSignal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { go } from '../router.ts'
import { assign } from './assign-signal.ts'
import { useSteadyColumns } from './column-widths.ts'
import { useRowFocus } from './keyboard-navigation.ts'
import { useVirtualRows, type VirtualPart } from './virtual-rows.ts'
import type { View } from './visible-pages.ts'

export interface Column<T> {
  /** Empty for a column of actions. */
  head: string
  /** Aligned to the right. */
  isNumber?: boolean
  /** Hidden in a narrow table, but not on a card. */
  isMinor?: boolean
  /** Stands beside the title of a card. */
  isState?: boolean
  /** A card leaves out its head, because its values say what they are. */
  isSelfEvident?: boolean
  /** The line of a card on which it stands, below the title's; numbers end the line. */
  cardLine?: 2 | 3
  cell(item: T): ComponentChildren
}

export interface RowsProps<T> {
  label: string
  items: T[]
  columns: Column<T>[]
  keyOf(item: T): string
  href?: ((item: T) => string) | undefined
  isOneLine?: boolean
  groupOf?(item: T): string
  /** Whether further rows can be loaded. */
  hasMore?: boolean
  view?: View<T> | undefined
}

/** A table with more rows renders only those in the window. */
const maxWholeRows = 100
/** More rows would make a printed page very slow. */
const maxPrintedRows = 2000

export function Rows<T>({ label, items, columns, keyOf, href, hasMore = false, ...options }: RowsProps<T>) {
  const frame = useRef<HTMLElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const ownView = useRef<View<T>>({ heights: new Map(), from: 0, to: 0 })
  const view = options.view ?? ownView.current
  const isPrinting = useIsPrinting()
  const isLong = items.length > maxWholeRows
  const focus = useRowFocus(frame, items.length, isLong)
  useSteadyColumns(frame, isLong && !isPrinting, columns.map(({ head }) => head).join(), view)
  // Memoized, because a new function would make the virtualizer measure all rows again.
  const keyAt = useCallback((index: number) => keyAtIndex(items, keyOf, index), [items, keyOf])
  const parts = useVirtualRows({
    isOn: isLong && !isPrinting,
    count: isPrinting ? Math.min(items.length, maxPrintedRows) : items.length,
    keyOf: keyAt,
    focusedRow: focus.focusedRow,
    body,
    view,
  })
  Object.assign(view, { ...renderedRange(parts), keyOf })
  const isPartial = isLong || hasMore
  const renderRow = useRowCache<T>()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <section ref={frame} class={classesOf(isLong, options)} aria-label={label} tabIndex={0} {...focus.handlers}>
      <table role="table" aria-rowcount={isPartial ? (hasMore ? -1 : items.length + 1) : undefined}>
        <TableHead columns={columns} isPartial={isPartial} />
        <tbody role="rowgroup" ref={body}>
          {parts.map((part, i) => {
            if ('gap' in part) return <Gap key={gapKey(i, parts.length)} height={part.gap} width={columns.length} />
            const item = items[part.row]
            if (item === undefined) return null
            const row = renderRow({ item, columns, href, index: part.row, isPartial }, keyAt(part.row))
            return isLong ? row : [headOfGroup(items, part.row, options), row]
          })}
        </tbody>
      </table>
    </section>
  )
}

const classesOf = (isLong: boolean, { isOneLine = false }: { isOneLine?: boolean }): string =>
  `table as-cards${isLong ? ' long' : ''}${isOneLine ? ' one-line' : ''}`

const gapKey = (i: number, count: number): string => (i === 0 ? 'first' : i === count - 1 ? 'last' : 'middle')

function headOfGroup<T>(items: T[], row: number, { groupOf }: Pick<RowsProps<T>, 'groupOf'>) {
  const item = items[row]
  const before = items[row - 1]
  if (!groupOf || item === undefined) return null
  const text = groupOf(item)
  if (before !== undefined && groupOf(before) === text) return null
  return (
    <tr key={text} class="group-head">
      <th scope="colgroup" colSpan={99}>
        {text}
      </th>
    </tr>
  )
}

const keyAtIndex = <T,>(items: T[], keyOf: (item: T) => string, index: number): string => {
  const item = items[index]
  return item === undefined ? String(index) : keyOf(item)
}

/** Caches rendered rows, so that unchanged rows do not render again. */
function useRowCache<T>() {
  const previousRows = useRef(new Map<string, { row: RowProps<T>; node: VNode }>())
  const currentRows = new Map<string, { row: RowProps<T>; node: VNode }>()
  useLayoutEffect(() => {
    previousRows.current = currentRows
  })
  return (row: RowProps<T>, key: string): VNode => {
    const cached = previousRows.current.get(key)
    const node = cached && isSame(cached.row, row) ? cached.node : <Row key={key} {...row} />
    currentRows.set(key, { row, node })
    return node
  }
}

const isSame = <T,>(a: RowProps<T>, b: RowProps<T>): boolean =>
  a.item === b.item &&
  a.columns === b.columns &&
  a.href === b.href &&
  a.index === b.index &&
  a.isPartial === b.isPartial

interface PartialTableProps {
  /** Whether some rows are not in the document, so that each row needs an `aria-rowindex`. */
  isPartial: boolean
}

const TableHead = <T,>({ columns, isPartial }: Pick<RowsProps<T>, 'columns'> & PartialTableProps) => (
  <thead role="rowgroup">
    <tr role="row" aria-rowindex={isPartial ? 1 : undefined}>
      {columns.map((column) => (
        <th key={column.head} role="columnheader" scope="col" class={classOf(column)}>
          {column.head || <span class="unseen">Actions</span>}
        </th>
      ))}
    </tr>
  </thead>
)

interface RowProps<T> extends Pick<RowsProps<T>, 'columns' | 'href'>, PartialTableProps {
  item: T
  index: number
}

const Row = <T,>({ item, columns, href, index, isPartial }: RowProps<T>) => (
  <tr
    role="row"
    class={href ? 'link' : ''}
    data-index={index}
    aria-rowindex={isPartial ? index + 2 : undefined}
    tabIndex={href ? undefined : -1}
    onClick={(event) => href && followLink(event, href(item))}
  >
    {columns.map((column, i) => {
      const content = column.cell(item)
      return (
        <td
          key={column.head}
          role="cell"
          class={classOf(column, isBlank(content))}
          data-head={i === 0 || column.isSelfEvident ? undefined : column.head}
        >
          {i === 0 && href ? <a href={href(item)}>{content}</a> : content}
        </td>
      )
    })}
  </tr>
)

/** A placeholder for rows that are not in the document. */
const Gap = ({ height, width }: { height: number; width: number }) => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus
  <tr class="gap" aria-hidden="true">
    <td colSpan={width} style={{ height: `${height}px` }} />
  </tr>
)

function renderedRange(parts: VirtualPart[]): { from: number; to: number } {
  const rows = parts.flatMap((part) => ('row' in part ? [part.row] : []))
  return { from: rows[0] ?? 0, to: rows.at(-1) ?? 0 }
}

function classOf<T>({ head, isNumber, isMinor, isState, cardLine }: Column<T>, hasNoValue = false): string {
  const classes = [
    isNumber && 'number',
    isMinor && 'minor',
    isState && 'state',
    head === '' && 'row-end',
    cardLine && `card-line-${cardLine}`,
    hasNoValue && 'blank',
  ]
  return classes.filter(Boolean).join(' ')
}

/** Whether a cell has nothing to show on a card. */
const isBlank = (content: ComponentChildren): boolean =>
  content === null || content === undefined || content === false || content === '' || content === '–'

function followLink(event: MouseEvent, href: string): void {
  const onControl = event.target instanceof Element && event.target.closest('a, button, input')
  if (!onControl && !getSelection()?.toString()) go(href)
}

/** Whether the page is being printed, which requires all rows in the document. */
function useIsPrinting(): boolean {
  const isPrinting = useSignal(false)
  useEffect(() => {
    const start = () => assign(isPrinting, true)
    const end = () => assign(isPrinting, false)
    addEventListener('beforeprint', start)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', start)
      removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting.value
}
