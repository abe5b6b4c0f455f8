// The submission of a lender's profile form, after its catalogue or after its check of the borrower (FIS12 §8.1, §26.3).

import type { TxContext } from '#platform/context.ts'
import { handleOf } from '#platform/lenders/network/consent/consent-request.ts'
import type { Conversation } from '#platform/lenders/network/conversation.ts'
import { profileAnswers } from '#platform/lenders/network/profile-answers.ts'
import { submitForm } from '#platform/lenders/network/submit-form.ts'
import type { BorrowerDetails } from '#platform/lending/borrower/borrower.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { readProfile } from '#platform/lending/profile/edit-profile.ts'

export function submitProfileForm(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  person: BorrowerDetails,
): Promise<Conversation> {
  const answers = profileAnswers(person, journey, handleOf(ctx, journey, conversation, person))
  return submitForm(ctx, conversation, 'PROFILE', answers)
}

/** Applies to a lender that takes the borrower, or that did not answer its own check. */
export async function applyAfterCheck(ctx: TxContext, journey: Journey, conversation: Conversation): Promise<void> {
  const { person } = await readProfile(ctx.tx, ctx, journey)
  await submitProfileForm(ctx, journey, conversation, person)
}
