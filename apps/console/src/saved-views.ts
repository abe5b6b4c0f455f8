// The saved views, for lists and for the palette.

import { filtersOf, type ViewListName, viewLists } from '@lendloom/wire/console/saved-view-lists'
import type { SavedView, SavedViews } from '@lendloom/wire/console/saved-views'
import { signal } from '@preact/signals'
import { get } from './api.ts'
import { query, to } from './router.ts'

/** Null until the views are loaded. */
export const savedViews = signal<SavedView[] | null>(null)

/** Loads the views. Ignores a failure, because lists work without them. */
export async function loadViews(): Promise<void> {
  const response = await get<SavedViews>('/views').catch(() => null)
  if (response) savedViews.value = response.items
}

/** The current filters of a list that a view can save. */
export const currentFilters = (list: ViewListName): Record<string, string> =>
  Object.fromEntries(
    Object.keys(filtersOf(list))
      .map((name) => [name, query.value(name)] as const)
      .filter(([, value]) => value !== ''),
  )

export const hasSameFilters = (one: Record<string, string>, other: Record<string, string>): boolean => {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}

/** The URL of a view's list with its filters; keeps the selected tenant. */
export function hrefOfView({ list, filters }: Pick<SavedView, 'list' | 'filters'>): string {
  const path = to(...viewLists[list].path)
  const search = new URLSearchParams(filters).toString()
  return search ? `${path}${path.includes('?') ? '&' : '?'}${search}` : path
}
