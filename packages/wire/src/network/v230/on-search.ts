// Writes the three kinds of on_search: a catalogue, offers to one borrower, a request for consent (FIS12 §10.2 rows 1–3).

import type { Lender } from '@lendloom/lending/lender'
import type { Scheme } from '@lendloom/lending/pledge'
import { type ContractTerms, writeLenderTerms } from '#wire/network/contract-terms.ts'
import { providerOf } from '#wire/network/v203/lender.ts'
import type { ProgressDraft } from '#wire/network/v203/stops.ts'
import { categoriesFor, categoryIdsOf, type ItemCategories } from './categories.ts'
import { type Checklist, writeFulfillment } from './fulfillment.ts'
import { loanInfoOf, loanOfferOf, priceOf, type Terms } from './offer-terms.ts'
import { writePlaceholders } from './payments.ts'
import { schemeTags } from './pledge.ts'
import { consentInput, type Heading, profileInput } from './xinput.ts'

/** A loan product of the catalogue, with its fulfilment. */
export interface NewItem extends ItemCategories {
  id: string
  name: string
  recommended: boolean
  fulfillmentId: string
  /** The stops that follow the offer; absent for a page per step, or one page without stops. */
  progress?: ProgressDraft | undefined
}

/** The content of every on_search besides its items. */
export interface Shop {
  lender: Lender
  terms: ContractTerms
  /** Null for a lender with stops, which announces no payments. */
  paymentIds: { installmentId: string; disbursalId: string } | null
}

const itemOf = ({ id, name, recommended, fulfillmentId, progress: _, ...kind }: NewItem) => ({
  id,
  descriptor: { code: 'LOAN', name },
  category_ids: categoryIdsOf(kind),
  fulfillment_ids: [fulfillmentId],
  matched: true,
  recommended,
})

function catalogOf<Part extends object>({ lender, terms, paymentIds }: Shop, part: Part) {
  const { id, descriptor, tags } = providerOf(lender)
  return {
    catalog: {
      descriptor: { name: lender.name },
      providers: [{ id, descriptor, ...part, ...(paymentIds && { payments: writePlaceholders(paymentIds) }), tags }],
      tags: [writeLenderTerms(terms)],
    },
  }
}

/** The borrower's steps; an offline item has one page for all of them. */
export const stepsOf = ({ offline }: Pick<ItemCategories, 'offline'>): Heading[] =>
  offline ? ['JOURNEY_OFFLINE'] : ['KYC', 'LIEN_MARKING', 'EMANDATE', 'LOAN_AGREEMENT']

type ItemKind = Pick<ItemCategories, 'offline' | 'portfolio'>

/** The steps completed by the time of the offer. */
export const appliedSteps = ({ portfolio }: Pick<ItemCategories, 'portfolio'>): Heading[] =>
  portfolio === 'account-aggregator' ? ['PERSONAL_INFORMATION_LAMF', 'CONSENT_APPROVAL'] : ['PERSONAL_INFORMATION_LAMF']

/** The checklist after these steps. Account monitoring follows the sanction (FIS12 §17.3). */
export const checklistAt = (kind: ItemKind, done: readonly Heading[]): Checklist =>
  Object.fromEntries(
    [
      ...appliedSteps(kind),
      ...stepsOf(kind),
      ...(kind.portfolio === 'account-aggregator' ? (['ACCOUNT_MONITORING'] as const) : []),
    ].map((step) => [step, done.includes(step) ? 'COMPLETED' : 'PENDING']),
  )

/** Writes the `message` of a lender's catalogue: each item with its application form. */
export function onSearch({ items, ...shop }: Shop & { items: (NewItem & { formId: string })[] }) {
  const byFulfillment = new Map(items.map((item) => [item.fulfillmentId, item]))
  return catalogOf(shop, {
    categories: categoriesFor(items),
    items: items.map(({ formId, ...item }) => ({ ...itemOf(item), xinput: profileInput(formId, item.portfolio) })),
    fulfillments: [...byFulfillment].map(([id, item]) =>
      writeFulfillment({ id, offline: item.offline, checklist: checklistAt(item, []), progress: item.progress }),
    ),
  })
}

/** An offer: a child of the item for which the borrower applied. */
export interface NewOffer {
  id: string
  terms: Terms
  schemes: Scheme[]
  /** That of all schemes, which only lenders with stops state (FIS12 §27.3). */
  loanToValue?: string | null
}

const fulfillmentAfter = ({ fulfillmentId: id, progress, ...kind }: NewItem, done: Heading[]) =>
  writeFulfillment({ id, offline: kind.offline, checklist: checklistAt(kind, done), progress })

export const onSearchOffers = ({ item, offers, ...shop }: Shop & { item: NewItem; offers: NewOffer[] }) =>
  catalogOf(shop, {
    items: [
      itemOf(item),
      ...offers.map(({ id, terms, schemes, loanToValue = null }) => {
        const { matched: _, recommended: __, ...itemFields } = itemOf({ ...item, id })
        return {
          ...itemFields,
          parent_item_id: item.id,
          price: priceOf(terms, item.product),
          tags: [
            loanInfoOf(terms, loanToValue),
            loanOfferOf(terms, item.product, item.progress !== undefined),
            ...schemeTags(schemes),
          ],
        }
      }),
    ],
    fulfillments: [fulfillmentAfter(item, appliedSteps(item))],
  })

/** No offer yet: the borrower must share the holdings first, under this consent at the account aggregator. */
export const onSearchConsent = ({
  item,
  formId,
  consentHandle,
  ...shop
}: Shop & { item: NewItem; formId: string; consentHandle: string }) =>
  catalogOf(shop, {
    items: [{ ...itemOf(item), xinput: consentInput(formId, consentHandle) }],
    fulfillments: [fulfillmentAfter(item, ['PERSONAL_INFORMATION_LAMF'])],
  })
