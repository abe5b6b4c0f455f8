// Plays a borrower's journey with one lender, step by step, from the search to the money.
import type { Party } from '#contract/network/context.ts'
import { confirm, init, select } from '#contract/network/v203/buyer-order.ts'
import { type CatalogProduct, search } from '#contract/network/v203/search.ts'
import type { BuyerSettlement } from '#contract/network/v203/settlement.ts'
import { uuidv4 } from '#kit/crypto/id.ts'
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

/** A salaried person in Pune with a good income; the PAN is the test's. */
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

export interface Played {
  transactionId: string
  lender: Party
  providerId: string
  itemId: string
}

const itemIn = (received: ReceivedCallback) => received.body.message.order.items[0]
export const formUrl = (received: ReceivedCallback): string => itemIn(received).xinput.form.url
export const responseIn = (received: ReceivedCallback) => itemIn(received).xinput.form_response

/** Sends the search to everybody and follows the answer of one lender. */
export async function searching(
  buyer: Buyer,
  slug: string,
  product: CatalogProduct = 'PERSONAL_LOAN',
): Promise<Played & { profileUrl: string }> {
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

type Answering = Pick<SendOptions, 'messageId' | 'ttl'>

export function selectWith(buyer: Buyer, played: Played, formId: string, submissionId: string, more: Answering = {}) {
  const { transactionId, lender, providerId, itemId } = played
  const message = select({ providerId, itemId, submission: { formId, submissionId } })
  return buyer.send('select', message, { transactionId, lender, ...more })
}

export function initWith(buyer: Buyer, played: Played, formId: string, submissionId: string, paymentId: string | null) {
  const { transactionId, lender, providerId, itemId } = played
  const draft = { providerId, itemId, submission: { formId, submissionId }, settlement: settlementFor(paymentId) }
  return buyer.send('init', init(draft), { transactionId, lender })
}

function confirmWith(buyer: Buyer, played: Played, submissionId: string, paymentId: string) {
  const { transactionId, lender, providerId, itemId } = played
  const submission = { formId: 'FORM-ESIGN', submissionId }
  const draft = { providerId, itemId, submission, settlement: settlementFor(paymentId) }
  return buyer.send('confirm', confirm(draft), { transactionId, lender })
}

/** Applies with this PAN and gives what came of the first select. */
export async function applying(buyer: Buyer, slug: string, pan: string, answers: Record<string, string> = {}) {
  const played = await searching(buyer, slug)
  const profile = { ...profileOf(pan), ...answers }
  const submissionId = await submissionIn(buyer.submit(played.profileUrl, profile))
  const sent = await selectWith(buyer, played, 'FORM-PROFILE', submissionId)
  return { ...played, submissionId, sent }
}

/** … up to the KYC page: gives the revised offer. */
export async function quoted(buyer: Buyer, slug: string, pan: string) {
  const played = await applying(buyer, slug, pan)
  const offer = await buyer.receive('on_select', played)
  const choice = await submissionIn(buyer.submit(formUrl(offer), { requestAmount: '100000', requestTerm: '12' }))
  await selectWith(buyer, played, 'FORM-AMOUNT', choice)
  return { ...played, offer, quote: await buyer.receive('on_select', played) }
}

/** … up to the bank form, KYC approved. */
export async function initiated(buyer: Buyer, slug: string, pan: string) {
  const played = await quoted(buyer, slug, pan)
  await post(formUrl(played.quote), { outcome: 'approve' })
  const { submission_id: submissionId } = responseIn(await buyer.receive('on_status', played))
  await initWith(buyer, played, 'FORM-KYC', submissionId, null)
  const bank = await buyer.receive('on_init', played)
  return { ...played, bank, paymentId: bank.body.message.order.payments[0].id as string }
}

/** … up to the mandate page, account given. */
export async function mandating(buyer: Buyer, slug: string, pan: string) {
  const played = await initiated(buyer, slug, pan)
  const submissionId = await submissionIn(buyer.submit(formUrl(played.bank), bankAccount))
  await initWith(buyer, played, 'FORM-BANK', submissionId, played.paymentId)
  return { ...played, mandate: await buyer.receive('on_init', played) }
}

/** … up to the agreement page, mandate given. */
export async function agreeing(buyer: Buyer, slug: string, pan: string) {
  const played = await mandating(buyer, slug, pan)
  await post(formUrl(played.mandate), { outcome: 'approve' })
  const { submission_id: submissionId } = responseIn(await buyer.receive('on_status', played))
  await initWith(buyer, played, 'FORM-MANDATE', submissionId, played.paymentId)
  return { ...played, agreement: await buyer.receive('on_init', played) }
}

/** … up to the sanction, agreement signed. */
export async function sanctioned(buyer: Buyer, slug: string, pan: string) {
  const played = await agreeing(buyer, slug, pan)
  await post(formUrl(played.agreement), { outcome: 'approve', otp: '123456' })
  const { submission_id: submissionId } = responseIn(await buyer.receive('on_status', played))
  await confirmWith(buyer, played, submissionId, played.paymentId)
  return { ...played, order: await buyer.receive('on_confirm', played) }
}
