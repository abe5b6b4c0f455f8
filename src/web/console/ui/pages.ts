// Pages of a list: the visited ones, and refreshing one with current data.

/** A loaded page of a list: its cursor, and how many rows are shown. */
export interface PageRead {
  after: string | null
  count: number
}

/** How wide the columns of a long table are, in pixels. */
export interface Widths {
  cells: number[]
  /** Whether the table is wider than its frame. */
  isWide: boolean
  /** The frame's scroll position. */
  frame: number
}

/** The visited part of a list, to restore it as it was left. */
export interface View<T> {
  heights: Map<string, number>
  /** The estimated height of rows that were not rendered. */
  usual?: number | null
  columns?: Widths | null
  /** The rows that were in the document. */
  from: number
  to: number
  keyOf?(item: T): string
}

/** The pages that hold some of these rows, with the index at which each begins. */
export function pagesWithin(pages: PageRead[], { from, to }: Pick<View<never>, 'from' | 'to'>) {
  let start = 0
  return pages
    .map(({ after, count }, number) => {
      const begins = start
      start += count
      return { number, after, count, begins }
    })
    .filter(({ begins, count }) => count > 0 && begins <= to && begins + count > from)
}

/**
 * Refreshes a page's rows in place: removed rows disappear, and new ones wait for the next reload. Rows behind the last
 * remaining one may have moved to the next page, and stay.
 */
export function mended<T>(rows: T[], fresh: T[], keyOf: (item: T) => string): T[] {
  const now = new Map(fresh.map((each) => [keyOf(each), each]))
  const last = rows.findLastIndex((each) => now.has(keyOf(each)))
  return rows.flatMap((row, i) => now.get(keyOf(row)) ?? (i < last ? [] : [row]))
}
