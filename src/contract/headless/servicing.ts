// What a borrower asks for after disbursal (D2 §4), and how it shows on the journey.
import { Instant, MaybeText } from '#contract/atoms.ts'
import { AmountDigits, Money } from '#contract/headless/fields.ts'
import { maybe } from '#contract/hosted/profile.ts'
import { Closed, OneOf, orNull, type Static, Type, Uuid } from '#kit/http/schema.ts'

const servicingKinds = ['FORECLOSURE', 'PRE_PART_PAYMENT', 'MISSED_EMI_PAYMENT', 'STATUS_REFRESH'] as const
export type ServicingKind = (typeof servicingKinds)[number]

/** A payment ends PAID, FAILED or EXPIRED; a refresh of the status ends DONE or FAILED. */
export const servicingStatuses = ['REQUESTED', 'LINK_READY', 'PAID', 'DONE', 'FAILED', 'EXPIRED'] as const
export type ServicingStatus = (typeof servicingStatuses)[number]

/** An item of the journey's `servicing[]`. */
export const Servicing = Closed({
  operationID: Uuid,
  kind: OneOf([...servicingKinds]),
  status: OneOf([...servicingStatuses]),
  amount: orNull(Money),
  /** The lender's payment page, while it can be paid. */
  redirectURL: MaybeText,
  /** Why it failed, in plain words. */
  reason: MaybeText,
  updatedAt: Instant,
})
export type Servicing = Static<typeof Servicing>

export const PrePartPaymentRequest = Closed({ amount: AmountDigits })
export type PrePartPaymentRequest = Static<typeof PrePartPaymentRequest>

/** The oldest missed instalment when none is named. */
export const MissedEmiPaymentRequest = Closed({ installmentID: maybe(Type.String({ minLength: 1, maxLength: 100 })) })
export type MissedEmiPaymentRequest = Static<typeof MissedEmiPaymentRequest>
