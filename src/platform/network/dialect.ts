// The dialect of a journey, and the validation and parsing of lenders' messages in it (FIS12 §1, §4).

import type { Dialect } from '#contract/network/context.ts'
import { type Action, type Callback, sequence203 } from '#contract/network/sequence.ts'
import { type NetworkOrder, readOrder as readOrder203 } from '#contract/network/v203/read-order.ts'
import { bodyFaults as bodyFaults203 } from '#contract/network/v203/receive.ts'
import { type CatalogItem, readOnSearch as readOnSearch203 } from '#contract/network/v203/search.ts'
import { type OwnCategories, sequence230 } from '#contract/network/v230/categories.ts'
import { type NetworkOrder as OrderIn230, readOrder as readOrder230 } from '#contract/network/v230/read-order.ts'
import { bodyFaults as bodyFaults230 } from '#contract/network/v230/receive.ts'
import { type SearchAnswer as CatalogAnswer, readOnSearch as readOnSearch230 } from '#contract/network/v230/search.ts'
import type { FieldError } from '#kit/http/refusal.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { productOf } from '#platform/product/products.ts'
import type { Conversation } from './conversation.ts'

export const dialectOf = (journey: Pick<Journey, 'type'>): Dialect => productOf(journey).network.dialect

/** Whether pledged fund units secure the conversation's loan. */
export const isSecured = ({ journeyType }: Pick<Conversation, 'journeyType'>): boolean =>
  productOf({ type: journeyType }).pledgesFunds

/** The answer to a search. In 2.3.0 it may also have offers and consent requests (FIS12 §10.2). */
export type SearchResult = ({ dialect: '2.0.3' } & { items: CatalogItem[] }) | ({ dialect: '2.3.0' } & CatalogAnswer)

type SecuredOrder = Pick<OrderIn230, 'schemes' | 'contractTerms' | 'offline' | 'line'>

export type LenderOrder = NetworkOrder & { secured?: SecuredOrder }

interface DialectReader {
  /** The faults for a NACK; empty when the body is valid. */
  bodyFaults: (action: Action, body: unknown) => FieldError[]
  mayBeUnsolicited: (callback: Callback) => boolean
  /** Throws `invalid` for a malformed message, as `readOrder` does. `ownCategories` are the lender's own categories. */
  readOnSearch: (message: unknown, ownCategories?: OwnCategories) => SearchResult
  readOrder: (message: unknown, ownCategories?: OwnCategories) => LenderOrder
}

export const dialectReaders: Record<Dialect, DialectReader> = {
  '2.0.3': {
    bodyFaults: bodyFaults203,
    mayBeUnsolicited: sequence203.mayBeUnsolicited,
    readOnSearch: (message) => ({ dialect: '2.0.3', items: readOnSearch203(message) }),
    readOrder: (message) => readOrder203(message),
  },
  '2.3.0': {
    bodyFaults: bodyFaults230,
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
        settlementPaymentId: disbursal?.paymentId ?? null,
        settlementPaid: false,
        secured: { schemes, contractTerms, offline, line },
      }
    },
  },
}
