// The loaded pages of a list, and refreshing their rows.

/** A loaded page: its cursor and number of rows. */
export interface PageRead {
  after: string | null
  count: number
}

/** Column widths of a long table, in pixels. */
export interface Widths {
  cells: number[]
  /** Whether the table is wider than its frame. */
  isWide: boolean
  /** Width of the frame at which the columns were measured. */
  frame: number
}

/** Rendering state of a list, with which it is restored. */
export interface View<T> {
  heights: Map<string, number>
  /** Estimated height of rows that were not rendered. */
  usual?: number | null
  columns?: Widths | null
  /** Index of the first and last rendered row. */
  from: number
  to: number
  keyOf?(item: T): string
}

/** The pages that contain rows from `from` to `to`, with the index of their first row. */
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
 * Refreshes a page's rows in place: removes deleted rows, and ignores new ones until the next reload. Rows after the last
 * one that still exists are kept, because they may have moved to the next page.
 */
export function mended<T>(rows: T[], fresh: T[], keyOf: (item: T) => string): T[] {
  const now = new Map(fresh.map((each) => [keyOf(each), each]))
  const last = rows.findLastIndex((each) => now.has(keyOf(each)))
  return rows.flatMap((row, i) => now.get(keyOf(row)) ?? (i < last ? [] : [row]))
}
