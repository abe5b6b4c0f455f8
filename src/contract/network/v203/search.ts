// Search and on_search: what a borrower is looking for, by product, and which lenders answer with which forms (FIS12 §8.3, §12.1).
import { defined } from '#contract/network/context.ts'
import { monthsOf, tagGroup, tagsOf } from '#contract/network/tags.ts'
import { parse, type Static } from '#kit/http/schema.ts'
import { moneyOf, type Paise, percentOf, rupees } from '#kit/money/money.ts'
import { type Lender, lenderIn, providerOf } from './lender.ts'
import { type FormPage, type NewPage, pageInput, pageOf } from './page.ts'
import { type Item, OnSearchMessage, SearchMessage } from './schema.ts'
import { type BuyerTerms, buyerTags, type FinderFee, finderFeeOf, type LenderTerms, lenderTags } from './settlement.ts'

/** A gold loan is appraised at a branch, where the borrower signs as well; a personal loan needs no visit. */
const products = ['PERSONAL_LOAN', 'GOLD_LOAN'] as const
export type CatalogProduct = (typeof products)[number]

/** How the lender judges an application: by the credit bureau, or by bank data through an account aggregator. */
export type Assessment = 'bureau' | 'account-aggregator'

/** `descriptor.code` of an item; LOAN switches on the rules of gold (FIS12 §9.1). */
export const itemCode: Record<CatalogProduct, string> = { PERSONAL_LOAN: 'PERSONAL_LOAN', GOLD_LOAN: 'LOAN' }

interface Category {
  id: string
  parent_category_id?: string
  descriptor: { code: string; name: string }
}

interface CatalogueCategories {
  /** Parent categories, from the top. */
  above: readonly Category[]
  own: Category
  assessed: Record<Assessment, Category>
}

const under = (id: string, parent: string, code: string, name: string): Category => ({
  id,
  parent_category_id: parent,
  descriptor: { code, name },
})

/** The catalogue category of each product. */
const catalogueCategories: Record<CatalogProduct, CatalogueCategories> = {
  PERSONAL_LOAN: {
    above: [{ id: 'C1', descriptor: { code: 'LOAN', name: 'Loan' } }],
    own: under('C2', 'C1', 'PERSONAL_LOAN', 'Personal loan'),
    assessed: {
      bureau: under('C3', 'C2', 'BUREAU_LOAN', 'Bureau based'),
      'account-aggregator': under('C4', 'C2', 'AA_PERSONAL_LOAN', 'Account aggregator based'),
    },
  },
  GOLD_LOAN: {
    above: [],
    own: { id: 'G1', descriptor: { code: 'GOLD_LOAN', name: 'Gold loan' } },
    assessed: {
      bureau: under('G2', 'G1', 'BUREAU_LOAN', 'Bureau based'),
      'account-aggregator': under('G3', 'G1', 'AA_LOAN', 'Account aggregator based'),
    },
  },
}

/** Writes the `message` of a broadcast search. */
export const search = ({ product, fee, terms }: { product: CatalogProduct; fee: FinderFee; terms: BuyerTerms }) => ({
  intent: {
    category: { descriptor: { code: product } },
    payment: { collected_by: 'BPP', tags: buyerTags(fee, terms) },
  },
})

/** A lender's view of a search: the requested category, and the offered fee, if readable. */
export function readSearch(message: unknown): { category: string; fee: FinderFee | null } {
  const { intent } = parse(SearchMessage, message, 'message')
  return { category: intent.category.descriptor.code, fee: finderFeeOf(intent.payment?.tags) }
}

/** A lender's limits: money in paise, tenure in months, rates as percentage texts. */
export interface Ranges {
  minInterestRate: string | null
  maxInterestRate: string | null
  minTenureMonths: number | null
  maxTenureMonths: number | null
  minAmount: Paise | null
  maxAmount: Paise | null
}

export interface NewCatalogItem {
  id: string
  name: string
  assessment: Assessment
  recommended: boolean
  ranges: { [Key in keyof Ranges]: NonNullable<Ranges[Key]> }
  page: NewPage
}

export interface NewCatalog {
  lender: Lender
  product: CatalogProduct
  items: NewCatalogItem[]
  fee: FinderFee
  terms: LenderTerms
}

/** Writes the `message` of a lender's catalogue: one item per way of judging. */
export function onSearch(given: NewCatalog) {
  const { lender, product, items, fee, terms } = given
  const { above, own, assessed } = catalogueCategories[product]
  const used = (['bureau', 'account-aggregator'] as const).filter((way) => items.some((i) => i.assessment === way))
  const { id, descriptor, tags } = providerOf(lender)
  return {
    catalog: {
      descriptor: { name: lender.name },
      providers: [
        {
          id,
          descriptor,
          categories: [...above, own, ...used.map((way) => assessed[way])],
          items: items.map((item) => catalogItem(product, item)),
          payments: [{ collected_by: 'BPP', tags: lenderTags(fee, terms) }],
          tags,
        },
      ],
    },
  }
}

const catalogItem = (product: CatalogProduct, item: NewCatalogItem) =>
  defined({
    id: item.id,
    descriptor: { code: itemCode[product], name: item.name },
    category_ids: [catalogueCategories[product].own.id, catalogueCategories[product].assessed[item.assessment].id],
    matched: true,
    recommended: item.recommended,
    tags: [
      tagGroup('GENERAL_INFO', {
        MIN_INTEREST_RATE: item.ranges.minInterestRate,
        MAX_INTEREST_RATE: item.ranges.maxInterestRate,
        MIN_TENURE: `${item.ranges.minTenureMonths} months`,
        MAX_TENURE: `${item.ranges.maxTenureMonths} months`,
        MIN_LOAN_AMOUNT: wholeRupees(item.ranges.minAmount),
        MAX_LOAN_AMOUNT: wholeRupees(item.ranges.maxAmount),
      }),
    ],
    xinput: pageInput(item.page),
  })

const wholeRupees = (amount: Paise): string => rupees(amount).replace(/\.00$/, '')

/** One loan that one lender has on offer, and the form that asks for it. */
export interface CatalogItem {
  lender: Lender
  product: CatalogProduct
  providerId: string
  itemId: string
  itemName: string | null
  /** The item's own categories and all that contain them. */
  categoryCodes: string[]
  /** Null when no category states it. */
  assessment: Assessment | null
  matched: boolean
  recommended: boolean
  ranges: Ranges
  /** Null when the lender forgot its form: such an item cannot be applied for. */
  form: FormPage | null
  warnings: string[]
}

/** Reads a catalogue; of all that a lender may send, the products we know (FIS12 §14). Throws `invalid` on a wrong shape. */
export function readOnSearch(message: unknown): CatalogItem[] {
  const { catalog } = parse(OnSearchMessage, message, 'message')
  return catalog.providers.flatMap((provider) => {
    const lender = lenderIn(provider)
    const byId = new Map(provider.categories?.map((category) => [category.id.trim(), category]))
    return provider.items.flatMap((item) => {
      const categoryCodes = codesOf(item.category_ids ?? [], byId)
      const product = products.find((each) => [...categoryCodes, item.descriptor?.code].includes(each))
      return product ? [catalogItemOf(lender, product, item, categoryCodes)] : []
    })
  })
}

type Categories = Map<string, { parent_category_id?: string; descriptor: { code: string } }>

function codesOf(ids: string[], categories: Categories): string[] {
  const codes = new Set<string>()
  for (let waiting = ids; waiting.length > 0; ) {
    const found = waiting.flatMap((id) => categories.get(id.trim()) ?? []).filter((c) => !codes.has(c.descriptor.code))
    for (const { descriptor } of found) codes.add(descriptor.code)
    waiting = found.flatMap(({ parent_category_id: parent }) => parent ?? [])
  }
  return [...codes]
}

function catalogItemOf(
  lender: Lender,
  product: CatalogProduct,
  item: Static<typeof Item>,
  categoryCodes: string[],
): CatalogItem {
  const warnings: string[] = []
  const info = tagsOf(item.tags, 'GENERAL_INFO') ?? {}
  const read = <T>(code: string, reader: (text: string) => T | null): T | null => {
    const value = info[code] === undefined ? null : reader(info[code])
    if (value === null) warnings.push(`${code} is absent or cannot be read`)
    return value
  }
  return {
    lender,
    product,
    providerId: lender.providerId,
    itemId: item.id,
    itemName: item.descriptor?.name || null,
    categoryCodes,
    assessment: assessmentOf(categoryCodes),
    matched: item.matched ?? true,
    recommended: item.recommended ?? false,
    ranges: rangesBy(read),
    form: pageOf(item.xinput, warnings),
    warnings,
  }
}

/** Parses each range by its code in GENERAL_INFO; `read` handles an absent one. */
export const rangesBy = (read: <T>(code: string, reader: (text: string) => T | null) => T | null): Ranges => ({
  minInterestRate: read('MIN_INTEREST_RATE', percentOf),
  maxInterestRate: read('MAX_INTEREST_RATE', percentOf),
  minTenureMonths: read('MIN_TENURE', monthsOf),
  maxTenureMonths: read('MAX_TENURE', monthsOf),
  minAmount: read('MIN_LOAN_AMOUNT', moneyOf),
  maxAmount: read('MAX_LOAN_AMOUNT', moneyOf),
})

function assessmentOf(codes: string[]): Assessment | null {
  if (codes.includes('BUREAU_LOAN')) return 'bureau'
  return codes.some((code) => code === 'AA_PERSONAL_LOAN' || code === 'AA_LOAN') ? 'account-aggregator' : null
}
