// Plays a borrower's gold loan with one lender, step by step, from search to disbursal.
import { fillForm, readForm } from '@lendloom/wire/network/html-form'
import { readOrder } from '@lendloom/wire/network/v203/read-order'
import { confirm, select } from '@lendloom/wire/network/v203/select-to-confirm'
import { status } from '@lendloom/wire/network/v203/update-and-status'
import { type Buyer, call, post } from './buyer.ts'
import {
  formUrl,
  initWith,
  type LoanConversation,
  responseIn,
  searchLender,
  selectWith,
  settlementFor,
  submissionIn,
} from './journey.ts'

/** A profile with 40 g of 22 carat gold, worth ₹4,39,680, and this PAN. */
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

/** Applies with this PAN; `sent` is the reply to the first select. */
export async function applyForGold(buyer: Buyer, slug: string, pan: string, answers: Record<string, string> = {}) {
  const conversation = await searchLender(buyer, slug, 'GOLD_LOAN')
  const submissionId = await submissionIn(buyer.submit(conversation.profileUrl, { ...goldProfileOf(pan), ...answers }))
  const sent = await selectWith(buyer, conversation, 'FORM-GOLD-PROFILE', submissionId)
  return { ...conversation, submissionId, sent }
}

/** Sends a select, with or without a branch. */
export function selectBranch(buyer: Buyer, conversation: LoanConversation, submissionId: string, branchId?: string) {
  const { transactionId, lender, providerId, itemId } = conversation
  const submission = { formId: 'FORM-GOLD-AMOUNT', submissionId }
  const message = select({ providerId, itemId, submission, ...(branchId !== undefined && { branchId }) })
  return buyer.send('select', message, { transactionId, lender })
}

/** Chooses ₹2 lakh over twelve months and the offer's second branch; `quote` is the revised offer. */
export async function chooseOffer<P extends LoanConversation>(buyer: Buyer, conversation: P) {
  const offer = await buyer.receive('on_select', conversation)
  const { branches } = readOrder(offer.body.message)
  const choice = await submissionIn(buyer.submit(formUrl(offer), { requestAmount: '200000', requestTerm: '12' }))
  await selectBranch(buyer, conversation, choice, branches[1]!.id)
  const quote = await buyer.receive('on_select', conversation)
  return { ...conversation, offer, quote }
}

/** The form fields that book the first slot on the branch's page. */
export async function bookingFields(visitUrl: string): Promise<[string, string][]> {
  const form = readForm((await call({ method: 'GET', url: visitUrl })).body.toString(), visitUrl)
  return fillForm(form, {}).entries
}

export const bookVisit = async (visitUrl: string) => post(visitUrl, await bookingFields(visitUrl))

/** Plays up to the booked appointment. */
export async function proceedToAppointment(buyer: Buyer, slug: string, pan: string) {
  const conversation = await chooseOffer(buyer, await applyForGold(buyer, slug, pan))
  const visitUrl = formUrl(conversation.quote)
  await bookVisit(visitUrl)
  return { ...conversation, visitUrl, pending: await buyer.receive('on_status', conversation) }
}

export async function requestStatus(buyer: Buyer, conversation: LoanConversation) {
  const { transactionId, lender } = conversation
  await buyer.send('status', status({ refId: transactionId }), { transactionId, lender })
  return buyer.receive('on_status', conversation)
}

/** Plays from the successful visit to the disbursal; returns the sanctioned order and the confirmed one. */
export async function proceedToDisbursal<P extends LoanConversation>(
  buyer: Buyer,
  conversation: P,
  submissionId: string,
) {
  const { transactionId, lender, providerId, itemId } = conversation
  await initWith(buyer, conversation, 'FORM-BRANCH', submissionId, null)
  const sanctionedOrder = await buyer.receive('on_init', conversation)
  const settlement = settlementFor(sanctionedOrder.body.message.order.payments[0].id)
  await buyer.send('confirm', confirm({ providerId, itemId, settlement }), { transactionId, lender })
  return { ...conversation, sanctionedOrder, order: await buyer.receive('on_confirm', conversation) }
}

/** Plays the whole loan. */
export async function runToDisbursal(buyer: Buyer, slug: string, pan: string) {
  const conversation = await proceedToAppointment(buyer, slug, pan)
  await post(conversation.visitUrl, { outcome: 'approve' })
  const { submission_id: submissionId } = responseIn(await buyer.receive('on_status', conversation))
  return proceedToDisbursal(buyer, conversation, submissionId)
}
