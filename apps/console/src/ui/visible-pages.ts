// Finds the loaded pages of a list that are visible, and refreshes their rows.

/** A loaded page: its cursor and number of rows. */
export interface LoadedPage {
  after: string | null
  count: number
}

export interface Widths {
  cells: number[]
  /** Whether the table is wider than its frame. */
  isWide: boolean
  /** Width of the frame at which the columns were measured. */
  frame: number
}

/** The rendering state of a list, so that going back shows the same rows. */
export interface View<T> {
  heights: Map<string, number>
  /** Height that is assumed for rows that were not rendered yet. */
  typicalHeight?: number | null
  columns?: Widths | null
  /** Index of the first rendered row; `to` is that of the last. */
  from: number
  to: number
  keyOf?(item: T): string
}

/** The pages that contain rows from `from` to `to`, with the index of their first row. */
export function pagesWithin(pages: LoadedPage[], { from, to }: Pick<View<never>, 'from' | 'to'>) {
  let start = 0
  return pages
    .map(({ after, count }, number) => {
      const firstRow = start
      start += count
      return { number, after, count, firstRow }
    })
    .filter(({ firstRow, count }) => count > 0 && firstRow <= to && firstRow + count > from)
}

/**
 * Refreshes a page's rows in place: removes deleted rows, and ignores new ones until the next reload. Rows after the last
 * one that still exists are kept, because they may have moved to the next page.
 */
export function refreshRows<T>(rows: T[], fresh: T[], keyOf: (item: T) => string): T[] {
  const freshByKey = new Map(fresh.map((each) => [keyOf(each), each]))
  const lastExisting = rows.findLastIndex((each) => freshByKey.has(keyOf(each)))
  return rows.flatMap((row, i) => freshByKey.get(keyOf(row)) ?? (i < lastExisting ? [] : [row]))
}
