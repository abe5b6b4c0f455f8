// The choice of the columns of a list, which the browser stores.
import { signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { Column } from './table-rows.tsx'

const storageKey = 'console-columns'
const hiddenColumns = signal<Record<string, string[]>>(readHidden())

function readHidden(): Record<string, string[]> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}')
    return Object.fromEntries(
      Object.entries(stored ?? {}).filter(
        ([, heads]) => Array.isArray(heads) && heads.every((each) => typeof each === 'string'),
      ),
    )
  } catch {
    return {}
  }
}

const hiddenOf = (list: string): string[] => hiddenColumns.value[list] ?? []

/** The visible columns. The first one, which has the link, is always visible. */
export function useVisibleColumns<T>(list: string, columns: Column<T>[]): Column<T>[] {
  const hidden = hiddenOf(list)
  return useMemo(() => columns.filter(({ head }, i) => i === 0 || !hidden.includes(head)), [columns, hidden.join()])
}

function toggle(list: string, head: string): void {
  const hidden = hiddenOf(list)
  const changed = hidden.includes(head) ? hidden.filter((each) => each !== head) : [...hidden, head]
  hiddenColumns.value = { ...hiddenColumns.value, [list]: changed }
  localStorage.setItem(storageKey, JSON.stringify(hiddenColumns.value))
}

export const ColumnMenu = <T,>({ list, columns }: { list: string; columns: Column<T>[] }) => (
  <details
    class="columns-menu"
    onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.removeAttribute('open')}
    onFocusOut={(event) => {
      const { relatedTarget, currentTarget } = event
      if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) currentTarget.removeAttribute('open')
    }}
  >
    <summary class="secondary">Columns</summary>
    <fieldset>
      <legend class="unseen">Columns</legend>
      {columns.slice(1).map(({ head }) => (
        <label key={head}>
          <input type="checkbox" checked={!hiddenOf(list).includes(head)} onChange={() => toggle(list, head)} /> {head}
        </label>
      ))}
    </fieldset>
  </details>
)
