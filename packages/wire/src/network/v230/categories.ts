// The official categories of unified credit, and the sequence of actions in dialect 2.3.0 (FIS12 §4.1, §10.1).

import { next, type Table } from '@lendloom/foundation/machine'
import { fieldsOf, keysOf, ownValue } from '@lendloom/foundation/record'
import { valueAt } from '#wire/network/rule-combinators.ts'
import { type Action, type Callback, moves, type Sequence, sequence as sequenceOf203 } from '#wire/network/sequence.ts'
import { stopsOf } from '#wire/network/v203/stops.ts'

/** The official categories: id and parent. */
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

/** The source of the holdings: a statement of MF Central or of one registrar, or an account aggregator. */
export type Portfolio = 'mfc' | 'rta' | 'account-aggregator'
/** CREDIT_LINE comes first, because an item is a line if any of its categories is one (FIS12 §17.1). */
const products = ['CREDIT_LINE', 'TERM_LOAN'] as const
export type CatalogProduct = (typeof products)[number]

const categoryByPortfolio: Record<Portfolio, Category> = { mfc: 'MFC', rta: 'RTA', 'account-aggregator': 'AA_LOAN' }

/** The meaning of an item's categories. An offline item is completed on the lender's own page. */
export interface ItemCategories {
  portfolio: Portfolio
  product: CatalogProduct
  offline: boolean
}

/** An item has the leaf category; a line's leaf is the kind of drawdown (FIS12 §17.1). */
const codesFor = ({ portfolio, product, offline }: ItemCategories): Category[] => [
  'LAMF',
  product === 'TERM_LOAN' ? product : offline ? 'NON_DOCUMENT_BASED_DRAWDOWN' : 'DOCUMENT_BASED_DRAWDOWN',
  categoryByPortfolio[portfolio],
]

export const categoryIdsOf = (kind: ItemCategories): string[] => codesFor(kind).map((code) => tree[code][0])

/** The categories of these items with their ancestors, parents first. */
export function categoriesFor(kinds: readonly ItemCategories[]) {
  const codes = new Set<Category>()
  for (let pending = kinds.flatMap(codesFor); pending.length > 0; ) {
    for (const code of pending) codes.add(code)
    pending = pending.flatMap((code) => tree[code][1] ?? [])
  }
  return categoryCodes
    .filter((code) => codes.has(code))
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

/** Returns the official codes of category ids; for a lender's own category, its nearest official ancestor, if any. */
export const categoryCodesOf = (ids: readonly string[] = [], lenderCategories: OwnCategories = {}): Category[] =>
  ids.flatMap((id) => {
    let currentId: string | undefined = id.trim()
    // The limit ends the search in a cyclic tree.
    for (let steps = 0; currentId !== undefined && steps < 10; steps++) {
      const code = codeOf(currentId)
      if (code !== null) return [code]
      currentId = ownValue(lenderCategories, currentId)
    }
    return []
  })

export const portfolioOf = (codes: readonly Category[]): Portfolio | null =>
  keysOf(categoryByPortfolio).find((portfolio) => codes.includes(categoryByPortfolio[portfolio])) ?? null

/** The product, by the item's categories or their ancestors; null if no category states it. */
export const productOf = (codes: readonly Category[]): CatalogProduct | null =>
  products.find((product) => codes.some((code) => isWithin(code, product))) ?? null

function isWithin(code: Category, ancestor: Category): boolean {
  const [, parent] = tree[code]
  return code === ancestor || (parent !== null && isWithin(parent, ancestor))
}

/** The additions of 2.3.0. `cancel` and `track` have an order of their own (FIS12 §25). */
const additions = {
  // A drawdown from a credit line (FIS12 §27.5).
  start: moves('init'),
  on_search: moves('search'),
  // A lender with stops places the order unasked (FIS12 §27.2).
  on_select: moves('on_status', 'on_confirm'),
  confirm: moves('status'),
  on_confirm: moves('status', 'on_status', 'on_update', 'update'),
  on_status: moves('select', 'init', 'status', 'on_status', 'on_confirm', 'on_update', 'update'),
  on_update: moves('status', 'update', 'on_status', 'on_update'),
}

const sequence: Table<Action | 'start', Action> = {
  ...sequenceOf203,
  ...Object.fromEntries(keysOf(additions).map((last) => [last, { ...sequenceOf203[last], ...additions[last] }])),
}

/** Whether an order of a loan has progress by stops. */
function hasStops(message: unknown): boolean {
  const order = fieldsOf(valueAt(message, 'order'))
  const { fulfillments } = order
  if (order.ref_order_ids !== undefined || !Array.isArray(fulfillments)) return false
  return fulfillments.some((each) => stopsOf(fieldsOf(each)).length > 0)
}

/** Offers may be unsolicited too; only `on_init`, and `on_confirm` without stops or of a drawdown, must answer a request. */
export const sequence230: Sequence = {
  mayFollow: (last: Action | 'start', action: Action) => next(sequence, last, action) !== undefined,
  mayBeUnsolicited: (callback: Callback, message?: unknown) =>
    callback === 'on_confirm' ? hasStops(message) : callback !== 'on_init',
}
