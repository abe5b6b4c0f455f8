// Builds and reads search and on_search: the requested product, and lenders' catalogues with their forms (FIS12 §8.3, §12.1).

import { required } from '@lendloom/foundation/required'
import { parse, type Static } from '@lendloom/foundation/schema'
import type { Lender } from '@lendloom/lending/lender'
import { moneyOf, type Paise, percentOf, rupees } from '@lendloom/lending/money'
import type { Assessment, Ranges } from '@lendloom/lending/terms'
import { omitUndefined } from '#wire/network/context.ts'
import { type ContractTerms, readLenderTerms, writeBuyerTerms, writeLenderTerms } from '#wire/network/contract-terms.ts'
import { monthsOf, tagGroup, tagsOf } from '#wire/network/tags.ts'
import { catalogLenderOf, providerOf } from './lender.ts'
import { announcedPayout } from './payments.ts'
import { type Item, OnSearchMessage, SearchMessage } from './schema.ts'
import { type BuyerTerms, buyerTags, type FinderFee, finderFeeOf, type LenderTerms, lenderTags } from './settlement.ts'
import {
  dedupeCategory,
  dedupeType,
  type ProgressDraft,
  progressOf,
  readProgress,
  type Stop,
  writeStops,
} from './stops.ts'
import { type CatalogProduct, childCategory, products, type Variant, variant203 } from './variant.ts'
import { type FormPage, type NewPage, pageInput, pageOf } from './xinput.ts'

/** `descriptor.code` of an item; the rules for gold loans apply to LOAN (FIS12 §9.1). */
export const itemCode: Record<CatalogProduct, string> = { PERSONAL_LOAN: 'PERSONAL_LOAN', GOLD_LOAN: 'LOAN' }

interface SearchedLoan {
  product: CatalogProduct
  fee: FinderFee
  terms: BuyerTerms
}

/** In 2.0.3 our terms stand in two places: lenders with a page per step read the payment's, those with stops the intent's. */
export const search = ({ product, fee, terms }: SearchedLoan, variant: Variant = variant203) => ({
  intent: omitUndefined({
    category: { descriptor: { code: product } },
    payment: { collected_by: 'BPP', tags: buyerTags(fee, terms) },
    tags: variant.hasTermsInIntent ? [writeBuyerTerms(terms)] : undefined,
  }),
})

/** A lender's view of a search: the requested category, and the offered fee, if readable. */
export function readSearch(message: unknown): { category: string; fee: FinderFee | null } {
  const { intent } = parse(SearchMessage, message, 'message')
  return { category: intent.category.descriptor.code, fee: finderFeeOf(intent.payment?.tags) }
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
  /** Set by a lender with stops; any other states its terms and the fee in its payment. */
  stops?: StopsCatalog
  variant?: Variant
}

/** The ways on from an offer with stops, and the item that checks a borrower first (FIS12 §26.1, §26.3). */
interface StopsCatalog {
  ways: ProgressDraft[]
  dedupe: { itemId: string; name: string; fulfillmentId: string } | null
}

/** Writes the `message` of a lender's catalogue: one item per kind of assessment. */
export function onSearch(catalogue: NewCatalog) {
  const { lender, product, items, fee, terms, stops, variant = variant203 } = catalogue
  const { ancestors, own, byAssessment } = required(variant.categories[product], `${product} in ${variant.version}`)
  const children = (['bureau', 'account-aggregator'] as const).flatMap((assessment) =>
    items.some((i) => i.assessment === assessment) ? (byAssessment[assessment] ?? []) : [],
  )
  const dedupe = stops?.dedupe ?? null
  const fulfillmentIds = stops?.ways.map((way) => way.id)
  const { id, descriptor, tags } = providerOf(variant.catalogueNamesOfficer ? lender : withoutOfficer(lender))
  return {
    catalog: {
      descriptor: { name: lender.name },
      providers: [
        {
          id,
          descriptor,
          categories: [...ancestors, own, ...children, ...(dedupe ? [dedupeCategoryUnder(ancestors[0] ?? own)] : [])],
          items: [
            ...items.map((item) => catalogItem(item, { product, variant, fulfillmentIds })),
            ...(dedupe ? [dedupeItem(dedupe)] : []),
          ],
          ...(stops && { fulfillments: listedFulfillments(stops) }),
          payments: [stops ? announcedPayout : { collected_by: 'BPP', tags: lenderTags(fee, terms) }],
          tags,
        },
      ],
      ...(stops && { tags: [writeLenderTerms(terms)] }),
    },
  }
}

const dedupeCategoryUnder = (parent: { id: string }) =>
  childCategory('CHECK', parent.id, dedupeCategory, 'Check of the borrower')

const dedupeItem = ({ itemId, name, fulfillmentId }: NonNullable<StopsCatalog['dedupe']>) => ({
  id: itemId,
  descriptor: { code: dedupeCategory, name },
  category_ids: ['CHECK'],
  fulfillment_ids: [fulfillmentId],
})

const listedFulfillments = ({ ways, dedupe }: StopsCatalog) => [
  ...ways.map(({ id, type, stops }) => ({ id, type, stops: writeStops(stops) })),
  ...(dedupe ? [{ id: dedupe.fulfillmentId, type: dedupeType }] : []),
]

const withoutOfficer = ({ contact, ...lender }: Lender): Lender => ({
  ...lender,
  contact: { ...contact, groDesignation: null, groAddress: null },
})

const categoryIds = ({ product, variant }: ItemContext, assessment: Assessment): string[] => {
  const { own, byAssessment } = variant.categories[product] ?? {}
  return [own, byAssessment?.[assessment]].flatMap((category) => category?.id ?? [])
}

interface ItemContext {
  product: CatalogProduct
  variant: Variant
  /** The ways on from the offer, of a lender with stops. */
  fulfillmentIds?: string[] | undefined
}

const catalogItem = (item: NewCatalogItem, context: ItemContext) =>
  omitUndefined({
    id: item.id,
    descriptor: { code: itemCode[context.product], name: item.name },
    category_ids: categoryIds(context, item.assessment),
    fulfillment_ids: context.fulfillmentIds,
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
    xinput: pageInput(item.page, context.variant),
  })

const wholeRupees = (amount: Paise): string => rupees(amount).replace(/\.00$/, '')

export interface CatalogItem {
  lender: Lender
  product: CatalogProduct
  providerId: string
  itemId: string
  itemName: string | null
  /** The item's own categories and their ancestors. */
  categoryCodes: string[]
  /** Null when no category states it. */
  assessment: Assessment | null
  matched: boolean
  recommended: boolean
  ranges: Ranges
  /** Null if the lender omitted the form; then the borrower cannot apply. */
  form: FormPage | null
  fulfillmentId: string | null
  /** How the lender goes on after its offer: by stops with one page (FIS12 §26); null for a page per step. */
  stops: Stop[] | null
  /** Whether the item is no loan, but a check whether the lender takes the borrower (FIS12 §26.3). */
  isDedupe: boolean
  /** The lender's terms, which the `confirm` of a loan with stops repeats; null if the catalogue has none. */
  lenderTerms: ContractTerms | null
  warnings: string[]
}

/** Reads the known products of a catalogue (FIS12 §14). Throws `invalid` if the schema does not match. */
export function readOnSearch(message: unknown, variant: Variant = variant203): CatalogItem[] {
  const { catalog } = parse(OnSearchMessage, message, 'message')
  const lenderTerms = readLenderTerms(catalog.tags)
  return catalog.providers.flatMap((provider) => {
    const lender = catalogLenderOf(provider)
    const progressById = readProgress(provider.fulfillments ?? [])
    const byId = new Map(provider.categories?.map((category) => [category.id.trim(), category]))
    return provider.items.flatMap((item) => {
      const categoryCodes = codesOf(item.category_ids ?? [], byId)
      const isDedupe = categoryCodes.includes(dedupeCategory)
      const product = isDedupe
        ? 'PERSONAL_LOAN'
        : products.find((each) => [...categoryCodes, item.descriptor?.code].includes(each))
      if (!product) return []
      const read = catalogItemOf(lender, item, categoryCodes, { product, variant })
      return [{ ...read, ...progressOf(item.fulfillment_ids ?? [], progressById), isDedupe, lenderTerms }]
    })
  })
}

type Categories = Map<string, { parent_category_id?: string; descriptor: { code: string } }>

function codesOf(ids: string[], categories: Categories): string[] {
  const codes = new Set<string>()
  for (let pending = ids; pending.length > 0; ) {
    const found = pending.flatMap((id) => categories.get(id.trim()) ?? []).filter((c) => !codes.has(c.descriptor.code))
    for (const { descriptor } of found) codes.add(descriptor.code)
    pending = found.flatMap(({ parent_category_id: parent }) => parent ?? [])
  }
  return [...codes]
}

function catalogItemOf(
  lender: Lender,
  item: Static<typeof Item>,
  categoryCodes: string[],
  { product, variant }: ItemContext,
): Omit<CatalogItem, 'fulfillmentId' | 'stops' | 'isDedupe' | 'lenderTerms'> {
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
    form: pageOf(item.xinput, warnings, variant),
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
