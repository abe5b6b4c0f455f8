// Plays a borrower's gold loan with one lender, step by step, from the search to the money.
import { fillForm, readForm } from '#contract/network/forms.ts'
import { confirm, select } from '#contract/network/v203/buyer-order.ts'
import { readOrder } from '#contract/network/v203/read-order.ts'
import { status } from '#contract/network/v203/update.ts'
import { call } from '#kit/http/client.ts'
import { type Buyer, post } from './buyer.ts'
import {
  formUrl,
  initWith,
  type Played,
  responseIn,
  searching,
  selectWith,
  settlementFor,
  submissionIn,
} from './journey.ts'

/** Forty grams of 22 carat, worth 4,39,680 rupees; the PAN is the test's. */
export const goldProfileOf = (pan: string): Record<string, string> => ({
  userType: 'individual',
  pan,
  fullName: 'Ravi Patil',
  gender: 'male',
  dob: '1994-03-21',
  annualIncome: '720000',
  contactNumber: '+91 98765 00001',
  email: 'ravi@mail.example',
  address: '4 Karve Road',
  city: 'Pune',
  state: 'Maharashtra',
  pincode: '411004',
  jewellery: '40',
  purity: '22K',
  endUse: 'marriage',
  bureauConsent: 'true',
  aa_id: '9876500001@sandbox-aa',
})

/** Applies with this PAN and gives what came of the first select. */
export async function applyingForGold(buyer: Buyer, slug: string, pan: string, answers: Record<string, string> = {}) {
  const played = await searching(buyer, slug, 'GOLD_LOAN')
  const submissionId = await submissionIn(buyer.submit(played.profileUrl, { ...goldProfileOf(pan), ...answers }))
  const sent = await selectWith(buyer, played, 'FORM-GOLD-PROFILE', submissionId)
  return { ...played, submissionId, sent }
}

/** The select that names a branch, or none. */
export function selectBranch(buyer: Buyer, played: Played, submissionId: string, branchId?: string) {
  const { transactionId, lender, providerId, itemId } = played
  const submission = { formId: 'FORM-GOLD-AMOUNT', submissionId }
  const message = select({ providerId, itemId, submission, ...(branchId !== undefined && { branchId }) })
  return buyer.send('select', message, { transactionId, lender })
}

/** Chooses two lakh over twelve months, and the offer's second branch: gives the revised offer. */
export async function choosing<P extends Played>(buyer: Buyer, played: P) {
  const offer = await buyer.receive('on_select', played)
  const { branches } = readOrder(offer.body.message)
  const choice = await submissionIn(buyer.submit(formUrl(offer), { requestAmount: '200000', requestTerm: '12' }))
  await selectBranch(buyer, played, choice, branches[1]!.id)
  const quote = await buyer.receive('on_select', played)
  return { ...played, offer, quote }
}

/** What is posted to book the first hour that the page of the branch offers. */
export async function bookingOn(visitUrl: string): Promise<[string, string][]> {
  const form = readForm((await call({ method: 'GET', url: visitUrl })).body.toString(), visitUrl)
  return [...fillForm(form, {}).entries, ['outcome', 'approve']]
}

export const book = async (visitUrl: string) => post(visitUrl, await bookingOn(visitUrl))

/** … up to the appointment. */
export async function booked(buyer: Buyer, slug: string, pan: string) {
  const played = await choosing(buyer, await applyingForGold(buyer, slug, pan))
  const visitUrl = formUrl(played.quote)
  await book(visitUrl)
  return { ...played, visitUrl, pending: await buyer.receive('on_status', played) }
}

export async function asking(buyer: Buyer, played: Played) {
  const { transactionId, lender } = played
  await buyer.send('status', status({ refId: transactionId }), { transactionId, lender })
  return buyer.receive('on_status', played)
}

/** From the visit's good end to the money: gives both orders. */
export async function payingOut<P extends Played>(buyer: Buyer, played: P, submissionId: string) {
  const { transactionId, lender, providerId, itemId } = played
  await initWith(buyer, played, 'FORM-BRANCH', submissionId, null)
  const sanctioned = await buyer.receive('on_init', played)
  const settlement = settlementFor(sanctioned.body.message.order.payments[0].id)
  await buyer.send('confirm', confirm({ providerId, itemId, settlement }), { transactionId, lender })
  return { ...played, sanctioned, order: await buyer.receive('on_confirm', played) }
}

/** … all of it. */
export async function paidOut(buyer: Buyer, slug: string, pan: string) {
  const played = await booked(buyer, slug, pan)
  await post(played.visitUrl, { outcome: 'approve' })
  const { submission_id: submissionId } = responseIn(await buyer.receive('on_status', played))
  return payingOut(buyer, played, submissionId)
}
