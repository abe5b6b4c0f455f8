// Lists whose filters can be saved as a view, as plain data that browsers load too: where each stands, and what its filters are.
import { ownValue } from '#kit/runtime/record.ts'

/** What a value may be: a word of a list of choices, a day, an id of the platform's own, or the address of a lender. */
export type FilterKind = 'word' | 'day' | 'id' | 'party'

interface ViewList {
  /** What people call it. */
  name: string
  /** Its path in the console. */
  path: readonly string[]
  /** Of the address bar. What is typed freely is none of them: a view outlives what somebody looked for once. */
  filters: Readonly<Record<string, FilterKind>>
}

export const viewLists = {
  journeys: {
    name: 'Journeys',
    path: ['journeys'],
    filters: { status: 'word', product: 'word', from: 'day', to: 'day' },
  },
  deliveries: {
    name: 'Deliveries',
    path: ['webhooks', 'deliveries'],
    filters: { state: 'word', status: 'word', since: 'word' },
  },
  requests: { name: 'Requests', path: ['developers', 'requests'], filters: { method: 'word', failed: 'word' } },
  'partner-events': {
    name: 'Partner events',
    path: ['lenders', 'events'],
    filters: { direction: 'word', state: 'word', since: 'word' },
  },
  complaints: {
    name: 'Complaints',
    path: ['grievances'],
    filters: {
      ...{ state: 'word', due: 'word', category: 'word', route: 'word', matched: 'word', replied: 'word' },
      ...{ assignee: 'id', lender: 'party' },
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
  const known = filtersOf(list)
  const kind = ownValue(known, name)
  return kind !== undefined && patterns[kind].test(value)
}

/** Of one person in one list. */
export const mostViews = 50
export const longestViewName = 60
