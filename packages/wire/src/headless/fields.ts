// Schemas shared by the headless API: ids, money, pages, and the enums of D2 §2.2.

import { Closed, OneOf, type Static, Type, Uuid } from '@lendloom/foundation/schema'
import { type ProductsThat, productsThat } from '@lendloom/lending/product/products'
import { MaybeText, Text } from '#wire/atoms.ts'
import { stepStatuses } from '#wire/hosted/embed.ts'

/** D2 §2.2 JourneyType. */
export const JourneyType = OneOf(productsThat('isHeadless'), {
  'x-says': `must be ${productsThat('isHeadless').join(' or ')}`,
})
export type JourneyType = ProductsThat<'isHeadless'>

/** D2 §2.2 JourneyLifecycleStatus. */
export const journeyStatuses = [
  'STARTED',
  'PROFILE_REQUIRED',
  'PROFILE_SUBMITTED',
  'OFFERS_PENDING',
  'OFFERS_AVAILABLE',
  'OFFER_SELECTED',
  'AA_REQUIRED',
  'KYC_PENDING',
  'BANK_MANDATE_PENDING',
  'E_MANDATE_PENDING',
  'LOAN_AGREEMENT_PENDING',
  'LENDER_PROCESSING',
  'DISBURSED',
  'REJECTED',
  'EXPIRED',
  'CLOSED',
] as const
export type JourneyStatus = (typeof journeyStatuses)[number]

export const offerCardStatuses = ['OFFER_RECEIVED', 'OFFER_AWAITED', 'NO_OFFER_AVAILABLE'] as const

export { stepStatuses }

const actionsRequired = ['NONE', 'REDIRECT', 'SUBMIT_FORM', 'AWAIT_CALLBACK', 'RECONCILE', 'WAIT'] as const
export type RequiredAction = (typeof actionsRequired)[number]

export const aaSessionStates = [
  'REQUIRED',
  'REDIRECT_READY',
  'IN_PROGRESS',
  'USER_RETURNED',
  'APPROVAL_DISPATCHED',
  'RECONCILING',
  'CONFIRMED',
  'NOT_REQUIRED',
  'FAILED',
  'EXPIRED',
] as const
export type AaSessionState = (typeof aaSessionStates)[number]

/** The borrower's next action; null when another party must act, or the journey has ended. */
export const nextActions = ['FILL_PROFILE', 'WAIT_FOR_OFFERS', 'VIEW_OFFERS', 'COMPLETE_AA', 'COMPLETE_STEP'] as const
export type NextAction = (typeof nextActions)[number]

export const pendingOperations = ['PROFILE_SUBMISSION', 'SELECT_DISPATCH'] as const
export type PendingOperation = (typeof pendingOperations)[number]

export const JourneyStatus = OneOf([...journeyStatuses])
export const StepStatus = OneOf([...stepStatuses])
export type StepStatus = (typeof stepStatuses)[number]
export const RequiredAction = OneOf([...actionsRequired])
export const AaSessionState = OneOf([...aaSessionStates])

export const Money = Type.String({ examples: ['200000.00'] })

/** D2 §8: amounts that a client sends are positive digit strings, in whole rupees. */
export const AmountDigits = Type.String({
  pattern: '^0*[1-9]\\d{0,9}$',
  maxLength: 20,
  'x-says': 'must be a positive amount in whole rupees, digits only',
  examples: ['150000'],
})

/** An empty body: `{}`, or none at all. */
export const NoBody = Closed({})

export const JourneyParams = Closed({ journeyID: Uuid })
export const OfferParams = Closed({ journeyID: Uuid, offerID: Uuid })
export const AaSessionParams = Closed({ journeyID: Uuid, aaSessionID: Uuid })
export const OperationParams = Closed({ journeyID: Uuid, operationID: Uuid })

/** Cursor pagination: pass `nextCursor` as `cursor` to read on. */
export const Page = Closed({ nextCursor: MaybeText, hasMore: Type.Boolean() })
export const pageQuery = {
  limit: Type.Optional(
    Type.String({ pattern: '^(?:[1-9]\\d?|100)$', 'x-says': 'must be a whole number from 1 to 100' }),
  ),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
}
export const PageQuery = Closed(pageQuery)

/** D2 §2.3 Async acceptance. */
export const AsyncAcceptance = Closed({
  operationID: Text,
  status: OneOf(['ACCEPTED']),
  /** Also as the header `Retry-After`. */
  pollAfterSeconds: Type.Integer(),
})
export type AsyncAcceptance = Static<typeof AsyncAcceptance>
