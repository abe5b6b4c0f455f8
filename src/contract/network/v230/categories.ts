// The official categories of unified credit, and what they say about a loan against mutual funds (FIS12 §10.1).

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
export const categoryCodes = Object.keys(tree) as Category[]
export const categoryIds: string[] = Object.values(tree).map(([id]) => id)

/** How the lender learns the holdings: by the statement of MF Central or of one registrar, or through an account aggregator. */
export type Portfolio = 'mfc' | 'rta' | 'account-aggregator'
export const products = ['TERM_LOAN', 'CREDIT_LINE'] as const
export type Product = (typeof products)[number]

const ways: Record<Portfolio, Category> = { mfc: 'MFC', rta: 'RTA', 'account-aggregator': 'AA_LOAN' }

/** What the categories of an item say. An offline item is finished on the lender's own page. */
export interface Kind {
  portfolio: Portfolio
  product: Product
  offline: boolean
}

const codesFor = ({ portfolio, product, offline }: Kind): Category[] => [
  'LAMF',
  product,
  ...(offline ? (['NON_DOCUMENT_BASED_DRAWDOWN'] as const) : []),
  ways[portfolio],
]

export const categoryIdsOf = (kind: Kind): string[] => codesFor(kind).map((code) => tree[code][0])

/** The part of the tree that these items need, the trunk first. */
export function categoriesFor(kinds: readonly Kind[]) {
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

/** The codes of category ids, however they are padded; those unknown to the official tree are left out. */
export const categoryCodesOf = (ids: readonly string[] = []): Category[] =>
  ids.flatMap((id) => categoryCodes.find((code) => tree[code][0] === id.trim()) ?? [])

export const portfolioOf = (codes: readonly Category[]): Portfolio | null =>
  (Object.keys(ways) as Portfolio[]).find((portfolio) => codes.includes(ways[portfolio])) ?? null

export const productOf = (codes: readonly Category[]): Product | null =>
  products.find((product) => codes.includes(product)) ?? null
