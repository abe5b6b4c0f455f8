// A lender answered the search: it is listed, and the profile form it asks for is filled (FIS12 §8.1, D1 PROFILED).
import type { AnswersTo, profileFields } from '#contract/network/form-fields.ts'
import type { Tx } from '#kit/sql.ts'
import { ownHandle } from '#platform/aa/require.ts'
import type { Person } from '#platform/borrower/person.ts'
import type { Journey } from '#platform/journey/journey.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import type { Happening } from '#platform/network/happening/happening.ts'
import { openConversations } from '#platform/network/open-conversation.ts'
import { productOf } from '#platform/network/product.ts'
import { submitForm } from '#platform/network/submit-form.ts'
import { awaitOffer } from '#platform/offer/receive.ts'
import { readProfile } from '#platform/profile/edit.ts'
import type { World } from '#platform/world.ts'

/** Lenders may join as long as the borrower has not chosen. */
const open: Journey['status'][] = ['STARTED', 'PROFILED', 'OFFERED']

export async function onSearch(
  tx: Tx,
  world: World,
  journey: Journey,
  _: Conversation | null,
  { sender, items }: Happening<'on_search'>,
  at: Date,
): Promise<void> {
  if (!open.includes(journey.status) || journey.search === 'NONE') return
  const wanted = items.filter(({ product }) => product === productOf(journey))
  const fresh = await openConversations(tx, world, journey, sender, wanted, at)
  if (fresh.length === 0) return
  const { person } = await readProfile(tx, world, journey)
  for (const conversation of fresh) {
    const item = wanted.find(
      ({ itemId, providerId }) => itemId === conversation.itemId && providerId === conversation.providerId,
    )!
    await awaitOffer(tx, journey, conversation, item.ranges, at)
    await submitForm(tx, world, conversation, 'PROFILE', profileAnswers(world, person, journey), at)
  }
}

/** Purposes that the personal-loan form knows; every other one is `other` to it. */
const knownEndUses = ['consumerDurablePurchase', 'education', 'travel', 'health', 'other']

function profileAnswers(
  world: World,
  { personal, work, address }: Person,
  { endUse, bureauConsent }: Journey,
): AnswersTo<typeof profileFields> {
  const answers = {
    panName: personal.panName,
    pan: personal.pan,
    dob: personal.dob,
    gender: personal.gender,
    contactNumber: personal.mobile,
    personalemail: personal.personalEmail,
    officialemail: work.officialEmail,
    employmentType: work.employmentType,
    income: work.income?.toString(),
    companyName: work.companyName,
    udyamNumber: work.udyamNumber ?? undefined,
    addressL1: address.addressL1,
    addressL2: address.addressL2,
    city: address.city,
    state: address.state,
    pincode: address.pincode,
    aa_id: ownHandle(world, personal.mobile),
    endUse: endUse !== null && knownEndUses.includes(endUse) ? endUse : 'other',
    bureauConsent: bureauConsent ? 'true' : 'false',
  }
  return Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== undefined)) as AnswersTo<
    typeof profileFields
  >
}
