// Plays a borrower's personal loan with one lender, step by step, from search to sanction.

import { uuidv4 } from '@lendloom/seal/id'
import type { Party } from '@lendloom/wire/network/context'
import { search } from '@lendloom/wire/network/v203/search'
import { confirm, init, select } from '@lendloom/wire/network/v203/select-to-confirm'
import type { BuyerSettlement } from '@lendloom/wire/network/v203/settlement'
import type { CatalogProduct } from '@lendloom/wire/network/v203/variant'
import { type Buyer, json, post, type ReceivedCallback, type SendOptions } from './buyer.ts'

const fee = { type: 'percent-annualized', value: '1' } as const
const terms = { delayInterest: '2.5', staticTerms: 'https://buyer.example/terms', offlineContract: true }

export const settlementFor = (paymentId: string | null): BuyerSettlement => ({
  paymentId,
  fee,
  terms,
  settlementAmount: 2_000_00n,
  settlementType: 'neft',
  account: { ifsc: 'ABCD0001234', accountNumber: '1234509876', vpa: 'buyerapp@okbank' },
})

/** The profile of a salaried person in Pune with a good income and this PAN. */
export const profileOf = (pan: string): Record<string, string> => ({
  panName: 'Ravi Patil',
  personalemail: 'ravi@mail.example',
  dob: '1994-03-21',
  gender: 'male',
  pan,
  contactNumber: '+91 98765 00001',
  employmentType: 'salaried',
  income: '60000',
  companyName: 'Deccan Tools',
  addressL1: '4 Karve Road',
  city: 'Pune',
  state: 'Maharashtra',
  pincode: '411004',
  endUse: 'travel',
  bureauConsent: 'true',
})

export const bankAccount = {
  accHolderName: 'Ravi Patil',
  acctype: 'saving',
  accNo: '123456789012',
  ifscCode: 'HDFC0000001',
}

export interface LoanConversation {
  transactionId: string
  lender: Party
  providerId: string
  itemId: string
}

const itemIn = (received: ReceivedCallback) => received.body.message.order.items[0]
export const formUrl = (received: ReceivedCallback): string => itemIn(received).xinput.form.url
export const responseIn = (received: ReceivedCallback) => itemIn(received).xinput.form_response

/** Broadcasts a search and returns the conversation with the lender that has this slug. */
export async function searchLender(
  buyer: Buyer,
  slug: string,
  product: CatalogProduct = 'PERSONAL_LOAN',
): Promise<LoanConversation & { profileUrl: string }> {
  const transactionId = uuidv4()
  await buyer.send('search', search({ product, fee, terms }), { transactionId })
  const { body } = await buyer.receive('on_search', { transactionId, lender: { id: `${slug}.sandbox.example` } })
  const { bpp_id: id, bpp_uri: uri } = body.context
  const [provider] = body.message.catalog.providers
  const [item] = provider.items
  const profileUrl = item.xinput.form.url
  return { transactionId, lender: { id, uri }, providerId: provider.id, itemId: item.id, profileUrl }
}

export const submissionIn = async (answer: ReturnType<Buyer['submit']>): Promise<string> =>
  json(await answer).submission_id

type SelectOptions = Pick<SendOptions, 'messageId' | 'ttl'>

export function selectWith(
  buyer: Buyer,
  conversation: LoanConversation,
  formId: string,
  submissionId: string,
  options: SelectOptions = {},
) {
  const { transactionId, lender, providerId, itemId } = conversation
  const message = select({ providerId, itemId, submission: { formId, submissionId } })
  return buyer.send('select', message, { transactionId, lender, ...options })
}

export function initWith(
  buyer: Buyer,
  conversation: LoanConversation,
  formId: string,
  submissionId: string,
  paymentId: string | null,
) {
  const { transactionId, lender, providerId, itemId } = conversation
  const draft = { providerId, itemId, submission: { formId, submissionId }, settlement: settlementFor(paymentId) }
  return buyer.send('init', init(draft), { transactionId, lender })
}

function confirmWith(buyer: Buyer, conversation: LoanConversation, submissionId: string, paymentId: string) {
  const { transactionId, lender, providerId, itemId } = conversation
  const submission = { formId: 'FORM-ESIGN', submissionId }
  const draft = { providerId, itemId, submission, settlement: settlementFor(paymentId) }
  return buyer.send('confirm', confirm(draft), { transactionId, lender })
}

/** Applies with this PAN; `sent` is the reply to the first select. */
export async function applyWithPan(buyer: Buyer, slug: string, pan: string, answers: Record<string, string> = {}) {
  const conversation = await searchLender(buyer, slug)
  const profile = { ...profileOf(pan), ...answers }
  const submissionId = await submissionIn(buyer.submit(conversation.profileUrl, profile))
  const sent = await selectWith(buyer, conversation, 'FORM-PROFILE', submissionId)
  return { ...conversation, submissionId, sent }
}

/** Plays up to the KYC page; returns the first offer and the revised one (`quote`). */
export async function proceedToQuote(buyer: Buyer, slug: string, pan: string) {
  const conversation = await applyWithPan(buyer, slug, pan)
  const offer = await buyer.receive('on_select', conversation)
  const choice = await submissionIn(buyer.submit(formUrl(offer), { requestAmount: '100000', requestTerm: '12' }))
  await selectWith(buyer, conversation, 'FORM-AMOUNT', choice)
  return { ...conversation, offer, quote: await buyer.receive('on_select', conversation) }
}

/** Plays up to the bank form, with the KYC approved. */
export async function proceedToBankForm(buyer: Buyer, slug: string, pan: string) {
  const conversation = await proceedToQuote(buyer, slug, pan)
  await post(formUrl(conversation.quote), { outcome: 'approve' })
  const { submission_id: submissionId } = responseIn(await buyer.receive('on_status', conversation))
  await initWith(buyer, conversation, 'FORM-KYC', submissionId, null)
  const bank = await buyer.receive('on_init', conversation)
  return { ...conversation, bank, paymentId: bank.body.message.order.payments[0].id as string }
}

/** Plays up to the mandate page, with the bank account submitted. */
export async function proceedToMandate(buyer: Buyer, slug: string, pan: string) {
  const conversation = await proceedToBankForm(buyer, slug, pan)
  const submissionId = await submissionIn(buyer.submit(formUrl(conversation.bank), bankAccount))
  await initWith(buyer, conversation, 'FORM-BANK', submissionId, conversation.paymentId)
  return { ...conversation, mandate: await buyer.receive('on_init', conversation) }
}

/** Plays up to the agreement page, with the mandate approved. */
export async function proceedToAgreement(buyer: Buyer, slug: string, pan: string) {
  const conversation = await proceedToMandate(buyer, slug, pan)
  await post(formUrl(conversation.mandate), { outcome: 'approve' })
  const { submission_id: submissionId } = responseIn(await buyer.receive('on_status', conversation))
  await initWith(buyer, conversation, 'FORM-MANDATE', submissionId, conversation.paymentId)
  return { ...conversation, agreement: await buyer.receive('on_init', conversation) }
}

/** Plays up to the sanction, with the agreement signed. */
export async function proceedToSanction(buyer: Buyer, slug: string, pan: string) {
  const conversation = await proceedToAgreement(buyer, slug, pan)
  await post(formUrl(conversation.agreement), { outcome: 'approve', otp: '123456' })
  const { submission_id: submissionId } = responseIn(await buyer.receive('on_status', conversation))
  await confirmWith(buyer, conversation, submissionId, conversation.paymentId)
  return { ...conversation, order: await buyer.receive('on_confirm', conversation) }
}
