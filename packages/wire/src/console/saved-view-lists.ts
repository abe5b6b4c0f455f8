// The lists whose filters can be saved as a view; without schema imports, because browsers load them.
import { ownValue } from '@lendloom/foundation/record'

/** The type of a filter value: a word of a list, a day, one of our ids, or a lender's address. */
export type FilterKind = 'word' | 'day' | 'id' | 'party'

interface ViewList {
  name: string
  path: readonly string[]
  /** Filters of the address bar. Free text is not included: a saved view outlives a single search. */
  filters: Readonly<Record<string, FilterKind>>
}

export const viewLists = {
  journeys: {
    name: 'Journeys',
    path: ['journeys'],
    filters: { status: 'word', product: 'word', waiting: 'word', longer: 'word', from: 'day', to: 'day' },
  },
  deliveries: {
    name: 'Deliveries',
    path: ['webhooks', 'deliveries'],
    filters: { state: 'word', status: 'word', since: 'word' },
  },
  requests: { name: 'Requests', path: ['developers', 'requests'], filters: { method: 'word', failed: 'word' } },
  'partner-events': {
    name: 'Partner events',
    path: ['lenders', 'partners'],
    filters: { direction: 'word', state: 'word', since: 'word' },
  },
  complaints: {
    name: 'Complaints',
    path: ['grievances'],
    filters: {
      state: 'word',
      due: 'word',
      category: 'word',
      route: 'word',
      matched: 'word',
      replied: 'word',
      assignee: 'id',
      lender: 'party',
    },
  },
} as const satisfies Record<string, ViewList>

export type ViewListName = keyof typeof viewLists
export const viewListNames = ['journeys', 'deliveries', 'requests', 'partner-events', 'complaints'] as const

const patterns: Record<FilterKind, RegExp> = {
  word: /^(?:[A-Za-z][A-Za-z_-]{0,39}|\d{1,3}[a-z])$/,
  day: /^\d{4}-\d{2}-\d{2}$/,
  id: /^(?:me|none|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
  party: /^(?=[^@]*[a-z])[a-z0-9:./-]{1,200}$/i,
}

export const filtersOf = (list: ViewListName): Readonly<Record<string, FilterKind>> => viewLists[list].filters

/** Whether a list has a filter of that name that may have this value. */
export function isFilterOf(list: ViewListName, name: string, value: string): boolean {
  const filters = filtersOf(list)
  const kind = ownValue(filters, name)
  return kind !== undefined && patterns[kind].test(value)
}

/** The maximum number of views per person and list. */
export const maxViews = 50
export const maxViewNameLength = 60
