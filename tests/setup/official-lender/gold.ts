// Flows of gold loans: by bureau or consent, with a branch visit, several offers, complaints, and servicing with changing ids (FIS12 §9, §18, §19.2).
import { escalationSteps, grievanceSteps, questionSteps } from './grievance.ts'
import {
  answerFaults,
  catalogFees,
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
import { type Kind, servicingSteps } from './servicing.ts'
import { answerStep, type Flow, pushStep, type Step, type Talk } from './talk.ts'
import type { Json } from './wire.ts'

const items = { bureau: 'ITEM_GOLD_BUREAU', aa: 'ITEM_GOLD_AA' } as const
type GoldItem = keyof typeof items

const onSearch = (ways: GoldItem[]) => (talk: Talk) => ({
  catalog: {
    descriptor: { name: descriptor.name },
    providers: [
      {
        id: providerId,
        descriptor,
        categories: [
          { id: 'C_GOLD', descriptor: { code: 'GOLD_LOAN', name: 'Gold Loan' } },
          { id: 'C_G_BUREAU', parent_category_id: 'C_GOLD', descriptor: { code: 'BUREAU_LOAN', name: 'Bureau Loan' } },
          { id: 'C_G_AA', parent_category_id: 'C_GOLD', descriptor: { code: 'AA_LOAN', name: 'AA Loan' } },
        ],
        items: ways.map((way) => ({
          id: items[way],
          descriptor: { code: 'LOAN', name: way === 'aa' ? 'Gold loan with AA' : 'Gold loan without AA' },
          category_ids: ['C_GOLD', way === 'aa' ? 'C_G_AA' : 'C_G_BUREAU'],
          matched: true,
          recommended: true,
          tags: [generalInfo],
          xinput: profileInput(talk, 'Personal Information'),
        })),
        payments: [{ collected_by: 'BPP', tags: catalogFees }],
        tags: providerTags,
      },
    ],
  },
})

const branch = (id: string, gps: string, name: string, address: string, area_code: string): Json => ({
  id,
  gps,
  descriptor: { name },
  address,
  area_code,
})
export const branches = [
  branch('BRANCH_FORT', '18.9388, 72.8354', 'Fort', '4 Marine Lines, Mumbai', '400020'),
  branch('BRANCH_PUNE', '18.5204, 73.8567', 'Pune', '9 Dhole Patil Road, Pune', '411001'),
  branch('BRANCH_SATARA', '17.6805, 74.0183', 'Satara', '2 Powai Naka, Satara', '415001'),
]
export const agent = { person: { name: 'Suresh Kale' }, contact: { phone: '+91-9876509901' } }
const headings = ['SET_LOAN_AMOUNT', 'JOURNEY_OFFLINE']

const chosenBranch = (talk: Talk): Json => branches.find(({ id }) => id === talk.facts.get('branch')) ?? branches[0]

function statedOrder(talk: Talk, way: GoldItem, xinput: Json, more: Json = {}, all = false, loan = talk.loan): Json {
  const locations = all ? branches : [chosenBranch(talk)]
  const item = { id: items[way], location_ids: locations.map(({ id }) => id), ...(xinput && { xinput }) }
  return order(talk, true, { item, loan, provider: { locations }, more })
}

const consentStep: Step = answerStep(
  'select',
  async (talk) => {
    talk.facts.set('consent', await talk.consents.ask(talk.answer('PROFILE', 'aa_id'), 'underwriting'))
    return consentRequest(talk, true, items.aa, talk.facts.get('consent')!)
  },
  { check: (talk, message) => answerFaults(talk, message, 'PROFILE', items.aa) },
)

const offerStep = (way: GoldItem): Step =>
  answerStep(
    'select',
    (talk) => {
      const amount = { title: 'Set Loan Amount', headings, at: 0, mime: 'text/html' } as const
      const { order } = statedOrder(talk, way, dueStep(talk, 'AMOUNT', amount), {}, true, talk.firstLoan)
      // A first offer shows the price of the most common loan instead of this quote's.
      order.items[0].price.value = '232800.00'
      return { order }
    },
    { check: (talk, message) => answerFaults(talk, message, 'PROFILE', items[way]) },
  )

const meeting = (more: Json = {}): Json => [{ type: 'LOAN', agent, ...more }]

const visitReport = (talk: Talk, way: GoldItem, status: string): Json =>
  statedOrder(talk, way, response(talk.id('BRANCH'), status, talk.submission('BRANCH')), { fulfillments: meeting() })

const plan = (talk: Talk) => instalments(talk, (i) => talk.id(`installment_${i + 1}`))
const initiatedParts = (talk: Talk, state: Json, paid: boolean): Json => ({
  fulfillments: [{ type: 'LOAN', customer: customer(talk), state: { descriptor: state } }],
  payments: [onOrder(talk, paid ? 'PAID' : 'NOT-PAID'), ...plan(talk)],
  cancellation_terms: cancellationTerms,
})

function placedOrder(talk: Talk, way: GoldItem, state: Json): Json {
  const now = new Date().toISOString()
  if (!talk.facts.has('placed')) talk.facts.set('placed', now)
  return {
    order: {
      id: talk.id('ORDER'),
      ...statedOrder(talk, way, null, initiatedParts(talk, state, true)).order,
      documents: orderDocuments,
      created_at: talk.facts.get('placed')!,
      updated_at: now,
    },
  }
}

/** From the choice of a branch to the disbursal (FIS12 §9.1 rows 4–8). */
const visitSteps = (way: GoldItem, done = 'COMPLETED'): Step[] => [
  answerStep(
    'select',
    (
      talk,
      {
        order: {
          items: [item],
        },
      },
    ) => {
      talk.facts.set('branch', item.location_ids[0])
      const page = { title: 'JOURNEY_OFFLINE', headings, at: 1, mime: 'application/html' } as const
      return statedOrder(talk, way, dueStep(talk, 'BRANCH', page), { fulfillments: meeting() })
    },
    {
      check: (talk, message) => [
        ...answerFaults(talk, message, 'AMOUNT', items[way]),
        !branches.some(({ id }) => id === message.order.items[0].location_ids?.[0]) && 'names an unknown branch',
      ],
    },
  ),
  pushStep('on_status', 'BRANCH', (talk) => visitReport(talk, way, 'OFFLINE_PENDING')),
  answerStep('status', (talk) => visitReport(talk, way, done)),
  answerStep('init', (talk) => statedOrder(talk, way, null, initiatedParts(talk, { code: 'SANCTIONED' }, false)), {
    check: (talk, message) => answerFaults(talk, message, 'BRANCH', items[way]),
  }),
  answerStep('confirm', (talk) => placedOrder(talk, way, { code: 'DISBURSED', name: 'Loan Disbursed' })),
]

const flow = (id: string, ways: GoldItem[], steps: Step[]): Flow => ({
  id,
  version: '2.0.3',
  product: 'GOLD_LOAN',
  steps: [answerStep('search', onSearch(ways)), ...steps],
  forms: { PROFILE: forms.GOLD!, AMOUNT: forms.AMOUNT! },
})

/** Servicing in which ids change with each message (FIS12 §18.1). */
const servicedFlow = (kind: Kind, way: GoldItem = 'bureau'): Step[] =>
  servicingSteps(kind, {
    baseOrder: (talk, state) => placedOrder(talk, way, { code: state }).order,
    onOrderId: () => (kind === 'foreclosure' ? 'PAYMENT_ID_PERSONAL_LOAN' : 'PAYMENT_ID_GOLD_LOAN'),
    instalmentId: () => 'INSTALLMENT_ID_GOLD_LOAN',
    paidId: () => 'PAYMENT_ID_GOLD_LOAN',
    includesChargesInTotal: true,
    foreclosureTitle: 'FORECLOSUER_CHARGES',
    late: [0, 2],
  })

/** Offer A with the catalogue's form, then the consent, then offer B with a new form (FIS12 §19.2). */
const severalOffers: Step[] = [
  answerStep('select', (talk) => {
    const amount = { title: 'Set Loan Amount', headings, at: 0, mime: 'text/html' } as const
    const { order } = statedOrder(talk, 'bureau', dueStep(talk, 'PROFILE', amount), {}, true, talk.firstLoan)
    return { order }
  }),
  answerStep('select', async (talk) => {
    talk.facts.set('consent', await talk.consents.ask(talk.answer('PROFILE', 'aa_id'), 'underwriting'))
    const { order } = consentRequest(talk, true, items.aa, talk.facts.get('consent')!)
    order.items[0].xinput.form.url = talk.formUrl('PROFILE')
    return { order }
  }),
  offerStep('aa'),
  ...visitSteps('aa', 'APPROVED'),
]

const byBureau = [offerStep('bureau'), ...visitSteps('bureau')]
const byConsent = [consentStep, offerStep('aa'), ...visitSteps('aa')]

export const goldServicingByConsent: Flow[] = [
  flow('gold-loan-foreclosure-consent', ['aa'], [...byConsent, ...servicedFlow('foreclosure', 'aa')]),
  flow('gold-loan-part-payment-consent', ['aa'], [...byConsent, ...servicedFlow('pre_part', 'aa')]),
  flow('gold-loan-missed-instalment-consent', ['aa'], [...byConsent, ...servicedFlow('missed_emi', 'aa')]),
]

export const goldGrievanceByConsent = flow('gold-loan-grievance-consent', ['aa'], [...byConsent, ...grievanceSteps])

export const goldLoans: Flow[] = [
  flow('gold-loan-bureau', ['bureau'], byBureau),
  flow('gold-loan-consent', ['aa'], byConsent),
  flow('gold-loan-foreclosure', ['bureau'], [...byBureau, ...servicedFlow('foreclosure')]),
  flow('gold-loan-part-payment', ['bureau'], [...byBureau, ...servicedFlow('pre_part')]),
  flow('gold-loan-missed-instalment', ['bureau'], [...byBureau, ...servicedFlow('missed_emi')]),
  flow('gold-loan-several-offers', ['bureau', 'aa'], severalOffers),
  flow('gold-loan-grievance', ['bureau'], [...byBureau, ...grievanceSteps]),
  flow('gold-loan-grievance-question', ['bureau'], [...byBureau, ...questionSteps]),
  flow('gold-loan-grievance-escalation', ['bureau'], [...byBureau, ...escalationSteps]),
]
