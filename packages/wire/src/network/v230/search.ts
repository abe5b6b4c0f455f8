// Builds and reads search, and reads on_search: loan products, offers, a request for consent (FIS12 §10.1, §10.2).

import { invalid } from '@lendloom/foundation/refusal'
import { parse } from '@lendloom/foundation/schema'
import type { Lender } from '@lendloom/lending/lender'
import type { Scheme } from '@lendloom/lending/pledge'
import type { CreditLine, Ranges } from '@lendloom/lending/terms'
import { type ContractTerms, readBuyerTerms, writeBuyerTerms } from '#wire/network/contract-terms.ts'
import { tagsOf } from '#wire/network/tags.ts'
import { catalogLenderOf } from '#wire/network/v203/lender.ts'
import { requireOneTerm } from '#wire/network/v203/offer-terms.ts'
import { rangesBy } from '#wire/network/v203/search.ts'
import { type ListedProgress, progressOf, readProgress, type Stop } from '#wire/network/v203/stops.ts'
import {
  type CatalogProduct,
  type Category,
  categoryCodesOf,
  type OwnCategories,
  ownCategories,
  type Portfolio,
  portfolioOf,
  productOf,
} from './categories.ts'
import { type Answers, answersOf } from './form-data.ts'
import { type Checklist, readChecklist } from './fulfillment.ts'
import { isLine, lineIn, loanInfoIn, offerFaultsOf, quoteOfOffer, type Terms, termsOf } from './offer-terms.ts'
import { schemesOf } from './pledge.ts'
import { type Catalog, type Item, OnSearchMessage, SearchMessage } from './schema.ts'
import { consentAnswer, consentHandleOf, type DataForm, dataFormOf, headingOf, profileAnswer } from './xinput.ts'

/** A lender's loan against mutual funds, with its application form. */
export interface CatalogItem {
  lender: Lender
  providerId: string
  itemId: string
  itemName: string | null
  categoryCodes: Category[]
  /** The provider's own categories, stored because its later answers have none (FIS12 §17.1). */
  ownCategories: OwnCategories
  /** Null when no category states it. */
  portfolio: Portfolio | null
  product: CatalogProduct | null
  /** Whether the borrower completes the loan on the lender's page. */
  offline: boolean
  fulfillmentId: string | null
  /** How the lender goes on after its offer: by stops with one page (FIS12 §27); null for a page per step. */
  stops: Stop[] | null
  checklist: Checklist
  matched: boolean
  recommended: boolean
  /** Usually null: few lenders state ranges. */
  ranges: Ranges
  /** Null if the borrower cannot apply, or has applied already. */
  form: DataForm | null
  /** The payment id for `init`; null if the lender's placeholder has none. */
  disbursalPaymentId: string | null
  warnings: string[]
}

/** An offer to this borrower; `select` names its id and its parent's. */
export interface Offer extends Omit<CatalogItem, 'form' | 'ranges'> {
  parentItemId: string
  terms: Terms
  /** Null for a term loan. */
  line: CreditLine | null
  schemes: Scheme[]
}

/** The borrower approves the consent at the account aggregator; then another search answers `formId`. */
interface ConsentRequest extends Omit<CatalogItem, 'form' | 'ranges'> {
  formId: string
  consentHandle: string
}

export interface SearchAnswer {
  items: CatalogItem[]
  offers: Offer[]
  consents: ConsentRequest[]
}

type Provider = Catalog['providers'][number]

/**
 * Parses only loans against mutual funds, because a lender may send its whole catalogue (FIS12 §14). For an answer to one
 * borrower, `own` are the lender's own categories from its catalogue. Throws `invalid` with the path if the schema does not
 * match or an offer lacks a required field.
 */
export function readOnSearch(message: unknown, own: OwnCategories = {}): SearchAnswer {
  const { catalog } = parse(OnSearchMessage, message, 'message')
  const answer: SearchAnswer = { items: [], offers: [], consents: [] }
  for (const [p, provider] of catalog.providers.entries()) {
    const tree = { ...own, ...ownCategories(provider.categories) }
    const progressById = readProgress(provider.fulfillments ?? [])
    for (const [i, item] of provider.items.entries()) {
      const categoryCodes = categoryCodesOf(item.category_ids, tree)
      if (!categoryCodes.includes('LAMF')) continue
      const path = `message.catalog.providers.${p}.items.${i}`
      const itemFields = itemOf(provider, item, { categoryCodes, tree, progressById })
      if (item.parent_item_id) answer.offers.push(offerOf(itemFields, item, item.parent_item_id, path))
      else if (headingOf(item.xinput) === 'CONSENT_APPROVAL') answer.consents.push(requestOf(itemFields, item, path))
      else answer.items.push({ ...itemFields, ranges: rangesOf(item), form: dataFormOf(item.xinput) })
    }
  }
  return answer
}

interface ReadCatalogue {
  categoryCodes: Category[]
  tree: OwnCategories
  progressById: Map<string, ListedProgress>
}

function itemOf(
  provider: Provider,
  item: Item,
  { categoryCodes, tree, progressById }: ReadCatalogue,
): Omit<CatalogItem, 'form' | 'ranges'> {
  const warnings: string[] = []
  const ids = item.fulfillment_ids ?? []
  const progress = progressOf(ids, progressById)
  const fulfillmentId = progress.stops ? progress.fulfillmentId : (ids[0] ?? null)
  const fulfillment = provider.fulfillments?.find(({ id }) => id === fulfillmentId)
  const disbursal = provider.payments?.find(({ type }) => type === 'ON_FULFILLMENT')
  const portfolio = portfolioOf(categoryCodes)
  const product = productOf(categoryCodes)
  if (!portfolio) warnings.push('no category tells how the portfolio is read')
  if (!product) warnings.push('no category tells a term loan from a credit line')
  if (!fulfillment) warnings.push('the item has no fulfilment')
  return {
    lender: catalogLenderOf(provider),
    providerId: provider.id,
    itemId: item.id,
    itemName: item.descriptor?.name || null,
    categoryCodes,
    ownCategories: tree,
    portfolio,
    product,
    offline: fulfillment?.type?.toUpperCase() === 'SEMI_ONLINE',
    fulfillmentId,
    stops: progress.stops,
    checklist: readChecklist(fulfillment?.tags, warnings),
    matched: item.matched ?? true,
    recommended: item.recommended ?? false,
    disbursalPaymentId: disbursal?.id ?? null,
    warnings,
  }
}

function rangesOf({ tags }: Item): Ranges {
  const info = tagsOf(tags, 'GENERAL_INFO') ?? {}
  return rangesBy((code, reader) => (info[code] === undefined ? null : reader(info[code])))
}

function offerOf(
  itemFields: Omit<CatalogItem, 'form' | 'ranges'>,
  item: Item,
  parentItemId: string,
  path: string,
): Offer {
  const quote = quoteOfOffer(item)
  if (!quote) throw invalid({ path: `${path}.tags.LOAN_OFFER`, message: 'is required, with a price' })
  const info = loanInfoIn(item.tags) ?? {}
  const paths = { path: `${path}.tags.LOAN_OFFER`, tag: `${path}.tags.LOAN_INFO` }
  requireOneTerm(item.tags, paths.tag)
  const titles = quote.breakup.map(({ title }) => title)
  const isCreditLine = isLine(itemFields.product, titles)
  const offer = { quote, info, ...paths, isLine: isCreditLine }
  const terms = termsOf(offer, itemFields.warnings)
  const [first, ...more] = offerFaultsOf(offer, terms)
  if (first) throw invalid(first, ...more)
  return {
    ...itemFields,
    product: isCreditLine ? 'CREDIT_LINE' : itemFields.product,
    parentItemId,
    terms,
    line: isCreditLine ? lineIn(quote, paths.path) : null,
    schemes: schemesOf(item.tags, `${path}.tags`),
  }
}

function requestOf(itemFields: Omit<CatalogItem, 'form' | 'ranges'>, { xinput }: Item, path: string): ConsentRequest {
  const consentHandle = consentHandleOf(xinput)
  if (!xinput?.form || consentHandle === null)
    throw invalid({ path: `${path}.xinput.form.data.consent_handler`, message: 'is required' })
  return { ...itemFields, formId: xinput.form.id, consentHandle }
}

/** Writes the `message` of a broadcast search. */
export const search = (terms: ContractTerms) => ({
  intent: { category: { descriptor: { code: 'LOAN' } }, ...paymentAndTerms(terms) },
})

const paymentAndTerms = (terms: ContractTerms) => ({ payment: { collected_by: 'BPP' }, tags: [writeBuyerTerms(terms)] })

/** An item of a lender; `formId` is the id of its form or of its consent request. */
export interface ItemReference {
  providerId: string
  itemId: string
  formId: string
  terms: ContractTerms
}

/** Applies to one lender with the borrower's form. This search is posted to the lender, not to the gateway. */
export const searchWithProfile = ({ formId, answers, ...directedTo }: ItemReference & { answers: Answers }) =>
  directedSearch(directedTo, profileAnswer(formId, answers))

/** Reports that the borrower gave the consent at the account aggregator (FIS12 §7.8). */
export const searchWithConsent = ({ formId, submissionId, ...directedTo }: ItemReference & { submissionId: string }) =>
  directedSearch(directedTo, consentAnswer(formId, submissionId))

const directedSearch = <XInput>({ providerId, itemId, terms }: Omit<ItemReference, 'formId'>, xinput: XInput) => ({
  intent: { provider: { id: providerId, items: [{ id: itemId, xinput }] }, ...paymentAndTerms(terms) },
})

/** A lender's view of a search. */
export type SearchRequest =
  | { kind: 'broadcast'; category: string }
  | {
      kind: 'profile'
      providerId: string
      itemId: string
      formId: string
      answers: Answers
      /** The buyer app's terms, which no later request to a lender with stops has. */
      terms: ContractTerms | null
    }
  | { kind: 'consent'; providerId: string; itemId: string; formId: string; submissionId: string | null }

/** Reads a search (the lender's side). Throws `invalid` with the path. */
export function readSearch(message: unknown): SearchRequest {
  const { intent } = parse(SearchMessage, message, 'message')
  if (!intent.provider) {
    if (!intent.category) throw invalid({ path: 'message.intent.category', message: 'is required' })
    return { kind: 'broadcast', category: intent.category.descriptor.code }
  }
  const { id: providerId, items } = intent.provider
  const { id: itemId, xinput } = items[0]
  if (!xinput?.form) throw invalid({ path: 'message.intent.provider.items.0.xinput.form', message: 'is required' })
  const reference = { providerId, itemId, formId: xinput.form.id }
  return headingOf(xinput) === 'CONSENT_APPROVAL'
    ? { kind: 'consent', ...reference, submissionId: xinput.form_response?.submission_id || null }
    : { kind: 'profile', ...reference, answers: answersOf(xinput.form.data), terms: readBuyerTerms(intent.tags) }
}
