// Flows of personal loans: by consent or bureau, with or without monitoring, several offers, offline, and servicing (FIS12 §8, §18, §19).
import {
  answerFaults,
  catalogFees,
  consentInfo,
  consentRequest,
  customer,
  dueStep,
  forms,
  generalInfo,
  instalments,
  onOrder,
  order,
} from './loans-203.ts'
import {
  cancellationTerms,
  descriptor,
  orderDocuments,
  profileInput,
  providerId,
  providerTags,
  response,
} from './parts.ts'
import { servicingSteps } from './servicing.ts'
import { answerStep, type Flow, pushStep, type Step, type Talk } from './talk.ts'
import type { Json } from './wire.ts'

const items = { bureau: 'ITEM_PL_BUREAU', aa: 'ITEM_PL_AA' } as const
type PersonalItem = keyof typeof items

const kinds = {
  bureau: { name: 'Personal loan without AA', category: 'C_BUREAU' },
  aa: { name: 'Personal loan with AA', category: 'C_AA' },
}

const onSearch = (ways: PersonalItem[]) => (talk: Talk) => ({
  catalog: {
    descriptor: { name: descriptor.name },
    providers: [
      {
        id: providerId,
        descriptor,
        categories: [
          { id: 'C_LOAN', descriptor: { code: 'LOAN', name: 'Loan' } },
          { id: 'C_PL', parent_category_id: 'C_LOAN', descriptor: { code: 'PERSONAL_LOAN', name: 'Personal Loan' } },
          { id: 'C_BUREAU', parent_category_id: 'C_PL', descriptor: { code: 'BUREAU_LOAN', name: 'Bureau Loan' } },
          {
            id: 'C_AA',
            parent_category_id: 'C_PL',
            descriptor: { code: 'AA_PERSONAL_LOAN', name: 'AA Personal Loan' },
          },
        ],
        items: ways.map((way) => ({
          id: items[way],
          descriptor: { code: 'PERSONAL_LOAN', name: kinds[way].name },
          category_ids: ['C_PL', kinds[way].category],
          matched: true,
          recommended: way === 'aa',
          tags: [generalInfo],
          xinput: profileInput(talk, 'Personal Information'),
        })),
        payments: [{ collected_by: 'BPP', tags: catalogFees }],
        tags: providerTags,
      },
    ],
  },
})

const firstStage = ['SET_LOAN_AMOUNT', 'KYC']
const secondStage = ['ACCOUNT_INFORMATION', 'EMANDATE', 'LOAN_AGREEMENT']

/** An order of this product with one item and its pending or completed step. */
const statedOrder = (talk: Talk, way: PersonalItem, xinput: Json, more: Json = {}, loan = talk.loan): Json =>
  order(talk, false, { item: { id: items[way], ...(xinput && { xinput }) }, loan, more })

const initiatedParts = (talk: Talk, state: string, payments: Json[], type?: string): Json => ({
  fulfillments: [{ ...(type && { type }), customer: customer(talk), state: { descriptor: { code: state } } }],
  payments,
  cancellation_terms: cancellationTerms,
})
const plan = (talk: Talk) => instalments(talk, (i) => talk.id(`installment_${i + 1}`))

/** The order from on_confirm on, with id, documents and dates. */
function placedOrder(talk: Talk, way: PersonalItem, state: string, paid = false): Json {
  const now = new Date().toISOString()
  if (!talk.facts.has('placed')) talk.facts.set('placed', now)
  const created_at = talk.facts.get('placed')!
  const isFresh = state === 'SANCTIONED'
  const payments = [onOrder(talk, paid ? 'PAID' : 'NOT-PAID'), ...plan(talk)]
  const { order } = statedOrder(talk, way, null, initiatedParts(talk, state, payments))
  if (talk.flow.deviates) order.provider.id = `${order.provider.id}_ORDERS`
  return {
    order: {
      id: talk.id('ORDER'),
      ...order,
      documents: orderDocuments,
      created_at,
      updated_at: isFresh ? created_at : now,
    },
  }
}

const pageReport = (talk: Talk, way: PersonalItem, page: string, status: string, more: Json = {}): Json =>
  statedOrder(talk, way, response(talk.id(page), status, talk.submission(page)), more)

const consentSteps: Step[] = [
  answerStep(
    'select',
    async (talk) => {
      talk.facts.set('consent', await talk.consents.ask(talk.answer('PROFILE', 'aa_id'), 'underwriting'))
      return consentRequest(talk, false, items.aa, talk.facts.get('consent')!)
    },
    { check: (talk, message) => answerFaults(talk, message, 'PROFILE', items.aa) },
  ),
]

const offerStep = (way: PersonalItem): Step =>
  answerStep(
    'select',
    async (talk) => {
      if (way === 'aa' && !(await talk.consents.isGiven(talk.facts.get('consent')!)))
        talk.faults.push('select: reports a consent that was not given')
      const amount = { title: 'Set Loan Amount', headings: firstStage, at: 0, mime: 'text/html' } as const
      return statedOrder(talk, way, dueStep(talk, 'AMOUNT', amount), {}, talk.firstLoan)
    },
    { check: (talk, message) => answerFaults(talk, message, 'PROFILE', items[way]) },
  )

const choiceSteps = (way: PersonalItem, page: string, heading: string): Step[] => [
  answerStep(
    'select',
    (talk) => {
      const headings = ['SET_LOAN_AMOUNT', heading]
      return statedOrder(talk, way, dueStep(talk, page, { title: heading, headings, at: 1, mime: 'application/html' }))
    },
    { check: (talk, message) => answerFaults(talk, message, 'AMOUNT', items[way]) },
  ),
]

const initStep = (way: PersonalItem, answered: string, name: string, at: number, isPage: boolean): Step =>
  answerStep(
    'init',
    (talk) => {
      const mime = isPage ? 'application/html' : 'text/html'
      const payments = [onOrder(talk, 'NOT-PAID'), ...(at === 2 ? plan(talk) : [])]
      const next = dueStep(talk, name, { title: name, headings: secondStage, at, mime })
      return statedOrder(talk, way, next, initiatedParts(talk, 'INITIATED', payments))
    },
    { check: (talk, message) => answerFaults(talk, message, answered, items[way]) },
  )

const pageStatus = (way: PersonalItem, page: string, status: string, withPayments: boolean): Step =>
  pushStep('on_status', page, (talk) => {
    const payments = [onOrder(talk, 'NOT-PAID'), ...(page === 'LOAN_AGREEMENT' ? plan(talk) : [])]
    return pageReport(talk, way, page, status, withPayments ? initiatedParts(talk, 'INITIATED', payments) : {})
  })

/** From the KYC page to the sanction (FIS12 §8.1 rows 9–17). */
const agreementSteps = (way: PersonalItem): Step[] => [
  ...choiceSteps(way, 'KYC', 'KYC'),
  pageStatus(way, 'KYC', 'APPROVED', false),
  initStep(way, 'KYC', 'BANK', 0, false),
  initStep(way, 'BANK', 'EMANDATE', 1, true),
  pageStatus(way, 'EMANDATE', 'COMPLETED', true),
  initStep(way, 'EMANDATE', 'LOAN_AGREEMENT', 2, true),
  pageStatus(way, 'LOAN_AGREEMENT', 'APPROVED', true),
  answerStep('confirm', (talk) => placedOrder(talk, way, 'SANCTIONED'), {
    check: (talk, message) => answerFaults(talk, message, 'LOAN_AGREEMENT', items[way]),
  }),
]

const approvedUpdate = (talk: Talk, { update_target, order: named }: Json) => [
  update_target !== 'fulfillment' && `is about ${update_target}`,
  named.id !== talk.id('ORDER') && `names the order ${named.id}`,
]

/** The monitoring consent before the disbursal (rows 18–20); published lenders of 2.0.3 already report the state DISBURSED. */
const monitoringSteps = (way: PersonalItem): Step[] => [
  pushStep('on_update', null, async (talk) => {
    talk.facts.set('watch', await talk.consents.ask(talk.answer('PROFILE', 'aa_id'), 'monitoring'))
    const state = talk.flow.version === '2.0.3' ? 'DISBURSED' : 'CONSENT_REQUIRED'
    const { order } = placedOrder(talk, way, state)
    order.items[0].tags.push(consentInfo(talk.facts.get('watch')!))
    return { order }
  }),
  answerStep(
    'update',
    async (talk) => {
      if (!(await talk.consents.isGiven(talk.facts.get('watch')!)))
        talk.faults.push('update: reports a consent that was not given')
      const { order } = placedOrder(talk, way, 'DISBURSED', true)
      // A published lender repeats the answered consent with the disbursal.
      order.items[0].tags.push(consentInfo(talk.facts.get('watch')!))
      return { order }
    },
    { check: approvedUpdate },
  ),
]
/** Without monitoring, an unsolicited on_status reports the disbursal and repeats the offer's consent. */
const disbursalSteps = (way: PersonalItem): Step[] => [
  pushStep('on_status', null, (talk) => {
    const { order } = placedOrder(talk, way, 'DISBURSED', true)
    const consent = talk.facts.get('consent')
    if (consent !== undefined) order.items[0].tags.push(consentInfo(consent))
    return { order }
  }),
]
const statusStep = (way: PersonalItem): Step =>
  answerStep('status', (talk) => placedOrder(talk, way, 'DISBURSED', true), { optional: true })

const flow = (id: string, ways: PersonalItem[], steps: Step[]): Flow => ({
  id,
  version: '2.0.3',
  product: 'PERSONAL_LOAN',
  steps: [answerStep('search', onSearch(ways)), ...steps],
  forms: { PROFILE: forms.PERSONAL!, PROFILE_2: forms.CUSTOMER!, AMOUNT: forms.AMOUNT!, BANK: forms.BANK! },
})

/** Servicing in which ids stay the same (FIS12 §18.3). */
const servicedFlow = (way: PersonalItem, kind: 'foreclosure' | 'pre_part' | 'missed_emi'): Step[] => [
  ...disbursalSteps(way),
  statusStep(way),
  ...servicingSteps(kind, {
    baseOrder: (talk, state) => placedOrder(talk, way, state, true).order,
    onOrderId: (talk) => talk.id('on_order'),
    instalmentId: (talk, i) => talk.id(`installment_${i + 1}`),
    paidId: (talk) => talk.id(kind),
    // In the official flow of a part payment the answer is the payment itself, without a link.
    isLinkless: kind === 'pre_part',
  }),
]

/** The bureau's offer first, with a second form for a better offer (FIS12 §19.1). */
const severalOffers: Step[] = [
  answerStep('select', (talk) => {
    const second = { title: 'Customer Information', headings: ['Set Loan Amount', 'Know your Customer'], at: 0 }
    return statedOrder(talk, 'bureau', dueStep(talk, 'PROFILE_2', { ...second, mime: 'text/html' }), {}, talk.firstLoan)
  }),
  ...consentSteps,
  offerStep('aa'),
  ...agreementSteps('aa'),
  ...monitoringSteps('aa'),
]

const offline: Step[] = [
  ...consentSteps,
  offerStep('aa'),
  ...choiceSteps('aa', 'JOURNEY_OFFLINE', 'JOURNEY_OFFLINE'),
  pushStep('on_status', 'JOURNEY_OFFLINE', (talk) =>
    pageReport(talk, 'aa', 'JOURNEY_OFFLINE', 'APPROVED', {
      fulfillments: [{ customer: customer(talk), state: { descriptor: { code: 'INITIATED' } } }],
    }),
  ),
  answerStep(
    'init',
    (talk) =>
      statedOrder(
        talk,
        'aa',
        null,
        initiatedParts(talk, 'SANCTIONED', [onOrder(talk, 'NOT-PAID'), ...plan(talk)], 'LOAN'),
      ),
    { check: (talk, message) => answerFaults(talk, message, 'JOURNEY_OFFLINE', items.aa) },
  ),
  answerStep('confirm', (talk) => placedOrder(talk, 'aa', 'SANCTIONED')),
  answerStep('status', (talk) => placedOrder(talk, 'aa', 'DISBURSED', true)),
]

const offlineOnline: Step[] = [
  ...consentSteps,
  offerStep('aa'),
  ...choiceSteps('aa', 'KYC_OFFLINE', 'KYC'),
  pageStatus('aa', 'KYC_OFFLINE', 'APPROVED', false),
  answerStep(
    'init',
    (talk) => {
      const agreement = { title: 'Loan Agreement', headings: ['LOAN_AGREEMENT'], at: 0 }
      const payments = [onOrder(talk, 'NOT-PAID'), ...plan(talk)]
      return statedOrder(
        talk,
        'aa',
        dueStep(talk, 'LOAN_AGREEMENT', { ...agreement, mime: 'application/html' }),
        initiatedParts(talk, 'INITIATED', payments),
      )
    },
    { check: (talk, message) => answerFaults(talk, message, 'KYC_OFFLINE', items.aa) },
  ),
  // As published: no message reports the signature; the confirmation directly follows the page.
  answerStep('confirm', (talk) => placedOrder(talk, 'aa', 'SANCTIONED'), {
    check: (talk) => [!talk.pages.has('LOAN_AGREEMENT') && 'confirms before the agreement was signed'],
  }),
  answerStep('status', (talk) => placedOrder(talk, 'aa', 'DISBURSED', true)),
]

const byBureau = [offerStep('bureau'), ...agreementSteps('bureau')]
const cancelled = pushStep('on_cancel', null, (talk) => placedOrder(talk, 'bureau', 'CANCELLED'))
const cancelledByState = pushStep('on_update', null, (talk) => placedOrder(talk, 'bureau', 'CANCELLED'))
/** The fulfilment keeps its state. */
const cancelledByStatus = pushStep('on_update', null, (talk) => {
  const { order } = placedOrder(talk, 'bureau', 'SANCTIONED')
  return { order: { ...order, status: 'CANCELLED' } }
})
const byConsent = [...consentSteps, offerStep('aa'), ...agreementSteps('aa')]

export const personalServicingByConsent: Flow[] = [
  flow('personal-loan-foreclosure-consent', ['aa'], [...byConsent, ...servicedFlow('aa', 'foreclosure')]),
  flow('personal-loan-part-payment-consent', ['aa'], [...byConsent, ...servicedFlow('aa', 'pre_part')]),
  flow('personal-loan-missed-instalment-consent', ['aa'], [...byConsent, ...servicedFlow('aa', 'missed_emi')]),
]

export const personalLoans: Flow[] = [
  flow('personal-loan-consent-monitoring', ['aa'], [...byConsent, ...monitoringSteps('aa')]),
  flow('personal-loan-bureau-monitoring', ['bureau'], [...byBureau, ...monitoringSteps('bureau')]),
  flow('personal-loan-consent', ['aa'], [...byConsent, ...disbursalSteps('aa'), statusStep('aa')]),
  {
    ...flow('personal-loan-bureau', ['bureau'], [...byBureau, ...disbursalSteps('bureau'), statusStep('bureau')]),
    deviates: true,
  },
  flow('personal-loan-foreclosure', ['bureau'], [...byBureau, ...servicedFlow('bureau', 'foreclosure')]),
  flow('personal-loan-part-payment', ['bureau'], [...byBureau, ...servicedFlow('bureau', 'pre_part')]),
  flow('personal-loan-missed-instalment', ['bureau'], [...byBureau, ...servicedFlow('bureau', 'missed_emi')]),
  flow('personal-loan-several-offers', ['bureau', 'aa'], severalOffers),
  flow('personal-loan-cancelled', ['bureau'], [...byBureau, cancelled]),
  flow('personal-loan-cancelled-by-state', ['bureau'], [...byBureau, cancelledByState]),
  flow('personal-loan-cancelled-by-status', ['bureau'], [...byBureau, cancelledByStatus]),
  flow('personal-loan-offline', ['aa'], offline),
  flow('personal-loan-offline-online', ['aa'], offlineOnline),
]
