// The loan as it is placed and not paid out yet, in dialect 2.0.3 (FIS12 §8.1 row 18).
import type { ConfirmedOrder } from '#contract/network/v203/confirm.ts'
import type { With } from '#contract/network/v203/order.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import type { Applicant } from '#sandbox/lender/core/decide.ts'
import type { Place } from '#sandbox/lender/core/order.ts'
import { draftOf } from './draft.ts'
import type { Policy203 } from './product.ts'

/** Its state says that the consent is waited for. */
export const sanctionedOrder = (place: Place, policy: Policy203, conversation: Conversation, applicant: Applicant) =>
  draftOf(place, policy, conversation, applicant) as ConfirmedOrder & With<'state'>
