// The dialect of a journey, and the validation and parsing of lenders' messages in it (FIS12 §1, §4).

import type { FieldError } from '@lendloom/foundation/refusal'
import { type Dialect, dialectIn, type NetworkDomain, usualDomain } from '@lendloom/wire/network/context'
import { bodyFaultsIn } from '@lendloom/wire/network/received-body-faults'
import { type Action, type Callback, sequence203 } from '@lendloom/wire/network/sequence'
import { type NetworkOrder, readOrder as readOrder203 } from '@lendloom/wire/network/v203/read-order'
import {
  type CatalogItem,
  readOnSearch as readOnSearch203,
  search as search203,
} from '@lendloom/wire/network/v203/search'
import type { Variant } from '@lendloom/wire/network/v203/variant'
import { type OwnCategories, sequence230 } from '@lendloom/wire/network/v230/categories'
import type { DrawdownOrder } from '@lendloom/wire/network/v230/drawdown'
import { type NetworkOrder as OrderIn230, readOrder as readOrder230 } from '@lendloom/wire/network/v230/read-order'
import {
  type SearchAnswer as CatalogAnswer,
  readOnSearch as readOnSearch230,
  search as search230,
} from '@lendloom/wire/network/v230/search'
import { variantIn, variants } from '@lendloom/wire/network/variants'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { productOf } from '#platform/lending/product/products.ts'
import type { Conversation } from './conversation.ts'
import { buyerTerms, domainsOf, finderFee, type NetworkConfig } from './own-identity.ts'

export const dialectOf = (journey: Pick<Journey, 'type'>): Dialect => productOf(journey).network.dialect

export const dialectOfConversation = ({
  journeyType,
  version,
}: Pick<Conversation, 'journeyType' | 'version'>): Dialect => version ?? dialectOf({ type: journeyType })

/** A way to ask the lenders of the network: a version of the protocol, in a domain. */
export interface SearchWay {
  dialect: Dialect
  domain: NetworkDomain
}

/** The ways of a journey's searches: its own, and those older versions and other domains that the settings add. */
export const searchWays = (journey: Pick<Journey, 'type'>, config: NetworkConfig): SearchWay[] => {
  const { dialect, olderDialects, domains } = productOf(journey).network
  const older = olderDialects.filter((each) => config.NETWORK_OLDER_VERSIONS.split(',').includes(each))
  const further = domainsOf(config).filter((domain) => domain !== usualDomain && domains.includes(domain))
  return [
    { dialect, domain: usualDomain },
    ...older.map((each) => ({ dialect: each, domain: usualDomain })),
    ...further.map((domain) => ({ dialect, domain })),
  ]
}

/** The domain of a conversation: that of the lender's catalogue. */
export const domainOfConversation = ({ extras }: Pick<Conversation, 'extras'>): NetworkDomain =>
  extras.domain ?? usualDomain

/** The `message` of a search for lenders of the journey's product. */
export function searchFor(journey: Pick<Journey, 'type'>, config: NetworkConfig, dialect: Dialect): object {
  const terms = buyerTerms(config)
  const { category } = productOf(journey).network
  if (category === null) return search230(terms)
  return search203({ product: category, fee: finderFee(config), terms }, variantIn(dialect))
}

/** The version of a received message if lenders of the journey may speak it, else the journey's own version. */
export function acceptedDialect(journey: Pick<Journey, 'type'>, body: unknown): Dialect {
  const { dialect, olderDialects } = productOf(journey).network
  const spoken = dialectIn(body)
  return olderDialects.some((older) => older === spoken) ? spoken : dialect
}

export const isSecured = ({ journeyType }: Pick<Conversation, 'journeyType'>): boolean =>
  productOf({ type: journeyType }).pledgesFunds

/** The answer to a search. In 2.3.0 it may also have offers and consent requests (FIS12 §10.2). */
export type SearchResult = ({ dialect: '2.0.3' } & { items: CatalogItem[] }) | ({ dialect: '2.3.0' } & CatalogAnswer)

type SecuredOrder = Pick<OrderIn230, 'schemes' | 'offline' | 'line'>

/** `drawdown`: the parts of an order that draws on a credit line; absent or null in the order of a loan. */
export type LenderOrder = NetworkOrder & { secured?: SecuredOrder; drawdown?: DrawdownOrder | null }

interface DialectReader {
  /** The faults for a NACK; empty when the body is valid. */
  bodyFaults: (action: Action, body: unknown) => FieldError[]
  mayBeUnsolicited: (callback: Callback, message?: unknown) => boolean
  /** Throws `invalid` for a malformed message, as `readOrder` does. `ownCategories` are the lender's own categories. */
  readOnSearch: (message: unknown, ownCategories?: OwnCategories) => SearchResult
  readOrder: (message: unknown, ownCategories?: OwnCategories) => LenderOrder
}

const readerOf = (variant: Variant): DialectReader => ({
  bodyFaults: bodyFaultsIn[variant.version],
  mayBeUnsolicited: sequence203.mayBeUnsolicited,
  readOnSearch: (message) => ({ dialect: '2.0.3', items: readOnSearch203(message, variant) }),
  readOrder: (message) => readOrder203(message, variant),
})

export const dialectReaders: Record<Dialect, DialectReader> = {
  '2.0.1': readerOf(variants['2.0.1']),
  '2.0.2': readerOf(variants['2.0.2']),
  '2.0.3': readerOf(variants['2.0.3']),
  '2.3.0': {
    bodyFaults: bodyFaultsIn['2.3.0'],
    mayBeUnsolicited: sequence230.mayBeUnsolicited,
    readOnSearch: (message, ownCategories) => ({ dialect: '2.3.0', ...readOnSearch230(message, ownCategories) }),
    readOrder(message, ownCategories) {
      const order = readOrder230(message, ownCategories)
      const { disbursal, schemes, contractTerms, offline, line } = order
      return {
        ...order,
        // When a loan is repaid, the fulfilment stays DISBURSED and only the order becomes COMPLETED (FIS12 §12.3).
        state: order.orderStatus === 'COMPLETED' ? 'COMPLETED' : order.state,
        branches: [],
        agent: null,
        visitAt: null,
        returnAccount: null,
        settlementPaymentId: disbursal?.paymentId ?? null,
        settlementPaid: false,
        lenderTerms: contractTerms,
        secured: { schemes, offline, line },
      }
    },
  },
}
