// The official categories of unified credit, and which action may follow which in dialect 2.3.0 (FIS12 §4.1, §10.1).

import { type Action, type Callback, type Sequence, sequence as sequenceOf203, to } from '#contract/network/sequence.ts'
import { next, type Table } from '#kit/runtime/machine.ts'
import { keysOf, ownValue } from '#kit/runtime/record.ts'

/** Each with its id and the category it belongs to. */
const tree = {
  LOAN: ['101110', null],
  SECURED_PERSONAL: ['104111', 'LOAN'],
  OFFERS: ['104112', 'LOAN'],
  ADDITIONAL_DATA: ['104129', 'LOAN'],
  LAMF: ['101118', 'SECURED_PERSONAL'],
  TERM_LOAN: ['101117', 'OFFERS'],
  CREDIT_LINE: ['104125', 'OFFERS'],
  DOCUMENT_BASED_DRAWDOWN: ['104126', 'CREDIT_LINE'],
  NON_DOCUMENT_BASED_DRAWDOWN: ['104127', 'CREDIT_LINE'],
  MUTUAL_FUND: ['104132', 'ADDITIONAL_DATA'],
  MFC: ['101119', 'MUTUAL_FUND'],
  RTA: ['101120', 'MUTUAL_FUND'],
  AA_LOAN: ['104142', 'MUTUAL_FUND'],
} as const satisfies Record<string, [id: string, parent: string | null]>

export type Category = keyof typeof tree
export const categoryCodes = keysOf(tree)
export const categoryIds: string[] = Object.values(tree).map(([id]) => id)

/** How the lender learns the holdings: by the statement of MF Central or of one registrar, or through an account aggregator. */
export type Portfolio = 'mfc' | 'rta' | 'account-aggregator'
/** A line has priority: an item is one if any of its categories says so (FIS12 §17.1). */
const products = ['CREDIT_LINE', 'TERM_LOAN'] as const
export type CatalogProduct = (typeof products)[number]

const ways: Record<Portfolio, Category> = { mfc: 'MFC', rta: 'RTA', 'account-aggregator': 'AA_LOAN' }

/** The meaning of an item's categories. An offline item is completed on the lender's own page. */
export interface ItemCategories {
  portfolio: Portfolio
  product: CatalogProduct
  offline: boolean
}

/** An item names the leaf: of a line, how it is drawn on (FIS12 §17.1). */
const codesFor = ({ portfolio, product, offline }: ItemCategories): Category[] => [
  'LAMF',
  product === 'TERM_LOAN' ? product : offline ? 'NON_DOCUMENT_BASED_DRAWDOWN' : 'DOCUMENT_BASED_DRAWDOWN',
  ways[portfolio],
]

export const categoryIdsOf = (kind: ItemCategories): string[] => codesFor(kind).map((code) => tree[code][0])

/** The part of the tree that these items need, the trunk first. */
export function categoriesFor(kinds: readonly ItemCategories[]) {
  const needed = new Set<Category>()
  for (let waiting = kinds.flatMap(codesFor); waiting.length > 0; ) {
    for (const code of waiting) needed.add(code)
    waiting = waiting.flatMap((code) => tree[code][1] ?? [])
  }
  return categoryCodes
    .filter((code) => needed.has(code))
    .map((code) => {
      const [id, parent] = tree[code]
      return { id, ...(parent && { parent_category_id: tree[parent][0] }), descriptor: { code, name: code } }
    })
}

/** A lender's own categories with their parents; only its catalogue has them (FIS12 §17.1). */
export type OwnCategories = Readonly<Record<string, string>>

/** The lender's own part of a catalogue's tree, stored because its later messages have no categories. */
export const ownCategories = (
  categories: readonly { id: string; parent_category_id?: string | undefined }[] = [],
): OwnCategories =>
  Object.fromEntries(
    categories.flatMap(({ id, parent_category_id: parent }) =>
      parent === undefined || codeOf(id) !== null ? [] : [[id.trim(), parent.trim()]],
    ),
  )

const codeOf = (id: string): Category | null => categoryCodes.find((code) => tree[code][0] === id.trim()) ?? null

/**
 * The official codes of category ids, however they are padded; of a category of the lender's own, the nearest official one
 * above it. Those without any are left out.
 */
export const categoryCodesOf = (ids: readonly string[] = [], own: OwnCategories = {}): Category[] =>
  ids.flatMap((id) => {
    let at: string | undefined = id.trim()
    // A tree that leads in a circle has no top.
    for (let steps = 0; at !== undefined && steps < 10; steps++) {
      const code = codeOf(at)
      if (code !== null) return [code]
      at = ownValue(own, at)
    }
    return []
  })

export const portfolioOf = (codes: readonly Category[]): Portfolio | null =>
  keysOf(ways).find((portfolio) => codes.includes(ways[portfolio])) ?? null

/** A term loan or a line, by the leaf that an item names or by its parents; null when no category states it. */
export const productOf = (codes: readonly Category[]): CatalogProduct | null =>
  products.find((product) => codes.some((code) => isBelow(code, product))) ?? null

function isBelow(code: Category, above: Category): boolean {
  const [, parent] = tree[code]
  return code === above || (parent !== null && isBelow(parent, above))
}

/**
 * The additions of 2.3.0. `cancel` and `track` are omitted: no message of a loan against mutual funds uses them (FIS12
 * §11.3).
 */
const added = {
  on_search: to('search'),
  on_select: to('on_status'),
  confirm: to('status'),
  on_confirm: to('status', 'on_status', 'on_update', 'update'),
  on_status: to('select', 'init', 'status', 'on_status', 'on_update', 'update'),
  on_update: to('status', 'update', 'on_status', 'on_update'),
}

const sequence: Table<Action | 'start', Action> = {
  ...sequenceOf203,
  ...Object.fromEntries(keysOf(added).map((last) => [last, { ...sequenceOf203[last], ...added[last] }])),
}

/** Offers may be unsolicited too; only `on_init` and `on_confirm` must answer under their request's id. */
export const sequence230: Sequence = {
  mayFollow: (last: Action | 'start', action: Action) => next(sequence, last, action) !== undefined,
  mayBeUnsolicited: (callback: Callback) => callback !== 'on_init' && callback !== 'on_confirm',
}
