// The saved views, for lists and for the palette.
import { signal } from '@preact/signals'
import { filtersOf, type ViewListName, viewLists } from '#contract/console/lists.ts'
import type { SavedView, SavedViews } from '#contract/console/overview.ts'
import { get } from './api.ts'
import { query, to } from './router.ts'

/** Null until the views are loaded. */
export const savedViews = signal<SavedView[] | null>(null)

/** Ignores a failure, because lists work without views. */
export async function loadViews(): Promise<void> {
  const read = await get<SavedViews>('/views').catch(() => null)
  if (read) savedViews.value = read.items
}

/** The current filters of a list that a view can save. */
export const filtersSet = (list: ViewListName): Record<string, string> =>
  Object.fromEntries(
    Object.keys(filtersOf(list))
      .map((name) => [name, query.value(name)] as const)
      .filter(([, value]) => value !== ''),
  )

export const isSame = (one: Record<string, string>, other: Record<string, string>): boolean => {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}

/** The URL of a view's list with its filters; keeps the selected tenant. */
export function hrefOf({ list, filters }: Pick<SavedView, 'list' | 'filters'>): string {
  const place = to(...viewLists[list].path)
  const set = new URLSearchParams(filters).toString()
  return set ? `${place}${place.includes('?') ? '&' : '?'}${set}` : place
}
