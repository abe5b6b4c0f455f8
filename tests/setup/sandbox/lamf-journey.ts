// Plays a borrower's loan against mutual funds with one lender, step by step, from search to confirmation.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { uuidv4 } from '@lendloom/seal/id'
import type { NetworkDomain, Party } from '@lendloom/wire/network/context'
import type { Answers } from '@lendloom/wire/network/v230/form-data'
import {
  type CatalogItem,
  readOnSearch,
  search,
  searchWithConsent,
  searchWithProfile,
} from '@lendloom/wire/network/v230/search'
import { type BuyerDraft, confirm, init, select } from '@lendloom/wire/network/v230/select-to-confirm'
import { status } from '@lendloom/wire/network/v230/update-and-status'
import { type Buyer, post, type ReceivedCallback } from './buyer.ts'
import { formUrl } from './journey.ts'

const version = '2.3.0' as const
export const terms = { staticTerms: 'https://buyer.example/terms', offlineContract: true }

/** ₹5,31,321.22 in a CAMS flexi cap fund, ₹4,09,308.83 in a KFintech debt fund, and a locked-in ELSS fund. */
export const holdings = [
  {
    isin: 'INF000A01011',
    schemeCode: 'SHK-FLEX-G',
    schemeName: 'Shakti Flexi Cap',
    folio: '4410077',
    rta: 'CAMS',
    amcCode: 'SHAKTI',
    assetType: 'EQUITY',
    units: '6249.000',
    nav: '85.0250',
  },
  {
    isin: 'INF000B02022',
    schemeCode: 'NDH-DEBT-G',
    schemeName: 'Nidhi Corporate Bond',
    folio: '8820131',
    rta: 'KFINTECH',
    amcCode: 'NIDHI',
    assetType: 'DEBT',
    units: '10201.250',
    nav: '40.1234',
  },
  {
    schemeCode: 'SHK-ELSS-G',
    schemeName: 'Shakti ELSS Tax Saver',
    folio: '4410078',
    rta: 'CAMS',
    amcCode: 'SHAKTI',
    assetType: 'ELSS',
    units: '900.000',
    nav: '120.0000',
    lockInUntil: '2099-03-31',
  },
]

export const accountIn = (paymentId: string) => ({
  paymentId,
  account: {
    accountNumber: '123456789012',
    ifsc: 'HDFC0000001',
    type: 'savings',
    holderName: 'Ravi Patil',
    bankName: null,
  },
})

/** Serves texts by name, as a buyer app serves its borrowers' statements. */
export async function startFileServer(texts: Record<string, string>) {
  const server = createServer((request, response) => {
    const text = texts[request.url!.slice(1)]
    response.statusCode = text === undefined ? 404 : 200
    response.end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { urlOf: (name: string) => `${origin}/${name}`, stop: () => server.close() }
}

/** The answers of a salaried person in Pune with this PAN and statement. */
export const lamfProfile = (pan: string, statementUrl: string): Answers => ({
  userType: 'individual',
  pan,
  fullName: 'Ravi Patil',
  constitution: 'INDIVIDUAL',
  gender: 'male',
  employmentType: 'salaried',
  dob: '1994-03-21',
  annualIncome: '720000',
  mobileNumber: '+91 98765 00001',
  emailId: 'ravi@mail.example',
  addressL1: '4 Karve Road',
  city: 'Pune',
  state: 'Maharashtra',
  pincode: '411004',
  endUse: 'education',
  bureauConsent: 'true',
  statementUpload: { url: statementUrl, format: '.json', validity: 'P5D' },
})

export interface LamfConversation {
  transactionId: string
  lender: Party
  item: CatalogItem
  /** Absent in the usual domain. */
  domain?: NetworkDomain
}

/** Broadcasts a search and returns the conversation with the lender that has this slug. */
export async function searchLamf(buyer: Buyer, slug: string, domain?: NetworkDomain): Promise<LamfConversation> {
  const transactionId = uuidv4()
  await buyer.send('search', search(terms), { transactionId, version, ...(domain && { domain }) })
  const { body } = await buyer.receive('on_search', { transactionId, lender: { id: `${slug}.sandbox.example` } })
  const [item] = readOnSearch(body.message).items
  const lender = { id: body.context.bpp_id, uri: body.context.bpp_uri }
  return { transactionId, lender, item: item!, ...(domain && { domain }) }
}

/** Applies with these answers; `answer` is the callback, with offers or an error. */
export async function applyWith<P extends LamfConversation>(buyer: Buyer, conversation: P, answers: Answers) {
  const { item } = conversation
  const reference = { providerId: item.providerId, itemId: item.itemId, formId: item.form!.id, terms }
  await buyer.send('search', searchWithProfile({ ...reference, answers }), sendOptions(conversation))
  return { ...conversation, answer: await buyer.receive('on_search', conversation) }
}

/** Reports as the buyer app that the borrower has given the consent; `answer` is the callback. */
export async function reportConsent<P extends LamfConversation>(buyer: Buyer, conversation: P) {
  const { transactionId, lender, item } = conversation
  const reference = { providerId: item.providerId, itemId: item.itemId, formId: 'FORM-LAMF-CONSENT', terms }
  const message = searchWithConsent({ ...reference, submissionId: uuidv4() })
  await buyer.send('search', message, { transactionId, lender, version })
  return { ...conversation, answer: await buyer.receive('on_search', conversation) }
}

/** How a request of this conversation is sent. */
export const sendOptions = ({ transactionId, lender, domain }: LamfConversation) => ({
  transactionId,
  lender,
  version,
  ...(domain && { domain }),
})

export const offerIn = ({ body }: ReceivedCallback) => readOnSearch(body.message).offers[0]!

export const draftFor = ({ item }: LamfConversation, pledges: BuyerDraft['pledges']) => ({
  providerId: item.providerId,
  itemId: item.itemId.replace('ITEM-', 'OFFER-'),
  parentItemId: item.itemId,
  fulfillmentId: item.fulfillmentId!,
  pledges,
})

export async function selectPledges<P extends LamfConversation>(
  buyer: Buyer,
  conversation: P,
  pledges: BuyerDraft['pledges'],
) {
  await buyer.send('select', select(draftFor(conversation, pledges)), sendOptions(conversation))
  return { ...conversation, pledges, quote: await buyer.receive('on_select', conversation) }
}

type PledgedConversation = LamfConversation & { pledges: BuyerDraft['pledges'] }
export type PageHeading = 'KYC' | 'LIEN_MARKING' | 'EMANDATE' | 'LOAN_AGREEMENT' | 'JOURNEY_OFFLINE'

/** Sends an init: the first one answers no page, each later one the page that was reported as done. */
export async function initLamf(
  buyer: Buyer,
  conversation: PledgedConversation,
  done?: { heading: PageHeading; callback: ReceivedCallback },
) {
  const { transactionId, lender, item, pledges } = conversation
  const { form, form_response: response } = done?.callback.body.message.order.items[0].xinput ?? {}
  const answer = done && { heading: done.heading, formId: form.id, submissionId: response.submission_id }
  const draft = { ...draftFor(conversation, pledges), disbursal: accountIn(item.disbursalPaymentId!), terms }
  await buyer.send('init', init({ ...draft, ...(answer && { answer }) }), { transactionId, lender, version })
  return buyer.receive('on_init', conversation)
}

/** Completes the page of an on_init and returns the callback about it. */
export async function completePage(
  buyer: Buyer,
  conversation: LamfConversation,
  openPage: ReceivedCallback,
  outcome = 'approve',
) {
  await post(formUrl(openPage), { outcome, otp: '123456' })
  return buyer.receive('on_status', conversation)
}

/** Plays from the bank account to this page, which is left open. */
export async function proceedToPage(buyer: Buyer, conversation: PledgedConversation, last: PageHeading) {
  let openPage = await initLamf(buyer, conversation)
  for (const heading of ['KYC', 'LIEN_MARKING', 'EMANDATE', 'LOAN_AGREEMENT'] as const) {
    if (heading === last) break
    openPage = await initLamf(buyer, conversation, {
      heading,
      callback: await completePage(buyer, conversation, openPage),
    })
  }
  return openPage
}

/** Completes the last, open page and confirms; returns the last on_init and the order. */
export async function concludeLoan(
  buyer: Buyer,
  conversation: PledgedConversation,
  openPage: ReceivedCallback,
  heading: PageHeading = 'LOAN_AGREEMENT',
) {
  const { transactionId, lender, item, pledges } = conversation
  const callback = await completePage(buyer, conversation, openPage)
  const ready = await initLamf(buyer, conversation, { heading, callback })
  const lenderTerms = { staticTerms: ready.body.message.order.tags[0].list[0].value, offlineContract: true }
  const draft = {
    ...draftFor(conversation, pledges),
    disbursal: accountIn(item.disbursalPaymentId!),
    terms,
    lenderTerms,
  }
  await buyer.send('confirm', confirm(draft), { transactionId, lender, version })
  return { ready, order: await buyer.receive('on_confirm', conversation) }
}

export async function requestLamfStatus(buyer: Buyer, conversation: LamfConversation) {
  await buyer.send('status', status({ refId: conversation.transactionId }), sendOptions(conversation))
  return buyer.receive('on_status', conversation)
}
