// Search, and the kinds of on_search: ways to a loan, offers to this borrower, a request for consent (FIS12 §10.1,
// §10.2).
import { tagsOf } from '#contract/network/tags.ts'
import { type Lender, lenderIn } from '#contract/network/v203/lender.ts'
import { type Ranges, rangesBy } from '#contract/network/v203/search.ts'
import { invalid } from '#kit/http/refusal.ts'
import { parse } from '#kit/http/schema.ts'
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
import { buyerTerms, type Checklist, type ContractTerms, checklistOf } from './order.ts'
import { consentAnswer, consentHandleOf, type DataForm, dataFormOf, headingOf, profileAnswer } from './page.ts'
import { type Scheme, schemesOf } from './pledge.ts'
import { type Catalog, type Item, OnSearchMessage, SearchMessage } from './schema.ts'
import { type CreditLine, isLine, lineIn, loanInfoIn, quoteOfOffer, type Terms, termsOf } from './terms.ts'

/** One loan against mutual funds that a lender has, and the form that asks for it. */
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
  /** The borrower finishes on the lender's own page. */
  offline: boolean
  fulfillmentId: string | null
  checklist: Checklist
  matched: boolean
  recommended: boolean
  /** All null as a rule: only some lenders state any. */
  ranges: Ranges
  /** Null when it cannot be applied for, or has been already. */
  form: DataForm | null
  /** To be named in `init`; null when the lender gave its place no id. */
  disbursalPaymentId: string | null
  warnings: string[]
}

/** A loan offered to this borrower: it is selected by its own id and its parent's. */
export interface Offer extends Omit<CatalogItem, 'form' | 'ranges'> {
  parentItemId: string
  terms: Terms
  /** Null for a term loan. */
  line: CreditLine | null
  schemes: Scheme[]
}

/** The borrower is to approve the consent at the account aggregator, then `formId` is answered in another search. */
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
 * Parses loans against mutual funds only, because a lender may send its whole catalogue (FIS12 §14). `own` are the
 * lender's own categories from its catalogue, in an answer to one borrower. Throws a `Refusal` of kind `invalid` naming
 * the path when the shape is wrong or when an offer lacks what must be shown.
 */
export function readOnSearch(message: unknown, own: OwnCategories = {}): SearchAnswer {
  const { catalog } = parse(OnSearchMessage, message, 'message')
  const answer: SearchAnswer = { items: [], offers: [], consents: [] }
  for (const [p, provider] of catalog.providers.entries()) {
    const tree = { ...own, ...ownCategories(provider.categories) }
    for (const [i, item] of provider.items.entries()) {
      const categoryCodes = categoryCodesOf(item.category_ids, tree)
      if (!categoryCodes.includes('LAMF')) continue
      const path = `message.catalog.providers.${p}.items.${i}`
      const known = itemOf(provider, item, categoryCodes, tree)
      if (item.parent_item_id) answer.offers.push(offerOf(known, item, item.parent_item_id, path))
      else if (headingOf(item.xinput) === 'CONSENT_APPROVAL') answer.consents.push(requestOf(known, item, path))
      else answer.items.push({ ...known, ranges: rangesOf(item), form: dataFormOf(item.xinput) })
    }
  }
  return answer
}

function itemOf(
  provider: Provider,
  item: Item,
  categoryCodes: Category[],
  tree: OwnCategories,
): Omit<CatalogItem, 'form' | 'ranges'> {
  const warnings: string[] = []
  const fulfillmentId = item.fulfillment_ids?.[0] ?? null
  const fulfillment = provider.fulfillments?.find(({ id }) => id === fulfillmentId)
  const disbursal = provider.payments?.find(({ type }) => type === 'ON_FULFILLMENT')
  const portfolio = portfolioOf(categoryCodes)
  const product = productOf(categoryCodes)
  if (!portfolio) warnings.push('no category tells how the portfolio is read')
  if (!product) warnings.push('no category tells a term loan from a credit line')
  if (!fulfillment) warnings.push('the item has no fulfilment')
  return {
    lender: lenderIn(provider),
    providerId: provider.id,
    itemId: item.id,
    itemName: item.descriptor?.name || null,
    categoryCodes,
    ownCategories: tree,
    portfolio,
    product,
    offline: fulfillment?.type?.toUpperCase() === 'SEMI_ONLINE',
    fulfillmentId,
    checklist: checklistOf(fulfillment?.tags, warnings),
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

function offerOf(known: Omit<CatalogItem, 'form' | 'ranges'>, item: Item, parentItemId: string, path: string): Offer {
  const quote = quoteOfOffer(item)
  if (!quote) throw invalid({ path: `${path}.tags.LOAN_OFFER`, message: 'is required, with a price' })
  const info = loanInfoIn(item.tags) ?? {}
  const places = { path: `${path}.tags.LOAN_OFFER`, tag: `${path}.tags.LOAN_INFO` }
  const titles = quote.breakup.map(({ title }) => title)
  const drawn = isLine(known.product, titles)
  return {
    ...known,
    product: drawn ? 'CREDIT_LINE' : known.product,
    parentItemId,
    terms: termsOf({ quote, info, ...places, isLine: drawn }, known.warnings),
    line: drawn ? lineIn(quote, places.path) : null,
    schemes: schemesOf(item.tags, `${path}.tags`),
  }
}

function requestOf(known: Omit<CatalogItem, 'form' | 'ranges'>, { xinput }: Item, path: string): ConsentRequest {
  const consentHandle = consentHandleOf(xinput)
  if (!xinput?.form || consentHandle === null)
    throw invalid({ path: `${path}.xinput.form.data.consent_handler`, message: 'is required' })
  return { ...known, formId: xinput.form.id, consentHandle }
}

/** Writes the `message` of a broadcast search. */
export const search = (terms: ContractTerms) => ({
  intent: { category: { descriptor: { code: 'LOAN' } }, ...settledBy(terms) },
})

const settledBy = (terms: ContractTerms) => ({ payment: { collected_by: 'BPP' }, tags: [buyerTerms(terms)] })

/** Which item of which lender is meant; `formId` is that of the form or of the consent it asked for. */
export interface ItemReference {
  providerId: string
  itemId: string
  formId: string
  terms: ContractTerms
}

/** The borrower's form, which asks one lender for offers. Such a search is posted to the lender, not to the gateway. */
export const searchWithProfile = ({ formId, answers, ...directedTo }: ItemReference & { answers: Answers }) =>
  directed(directedTo, profileAnswer(formId, answers))

/** The consent was given at the account aggregator: the lender may read the holdings now (FIS12 §7.8). */
export const searchWithConsent = ({ formId, submissionId, ...directedTo }: ItemReference & { submissionId: string }) =>
  directed(directedTo, consentAnswer(formId, submissionId))

const directed = <XInput>({ providerId, itemId, terms }: Omit<ItemReference, 'formId'>, xinput: XInput) => ({
  intent: { provider: { id: providerId, items: [{ id: itemId, xinput }] }, ...settledBy(terms) },
})

/** A lender's view of a search. */
export type SearchRequest =
  | { kind: 'broadcast'; category: string }
  | { kind: 'profile'; providerId: string; itemId: string; formId: string; answers: Answers }
  | { kind: 'consent'; providerId: string; itemId: string; formId: string; submissionId: string | null }

/** Throws a `Refusal` of kind `invalid` naming the path. */
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
    : { kind: 'profile', ...reference, answers: answersOf(xinput.form.data) }
}
