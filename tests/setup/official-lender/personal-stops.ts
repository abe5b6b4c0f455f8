// Flows of personal loans with stops: with the lender's people or on one page, servicing, complaints, and the check whether the lender knows the borrower.
import { askedGrievanceSteps } from './grievance.ts'
import { answerFaults, forms, generalInfo, instalments } from './loans-203.ts'
import { descriptor, profileInput, providerId } from './parts.ts'
import { type Kind, servicingSteps } from './servicing.ts'
import {
  borrower,
  catalogParts,
  catalogTerms,
  journeySteps,
  listedFulfilment,
  namesAnother,
  offer,
  placedOrder,
  profileFields,
  type StopsLoan,
  type Way,
  ways,
} from './stops-203.ts'
import { loanOf } from './sums.ts'
import { answerStep, type Flow, pushStep, type Step, type Talk } from './talk.ts'
import type { Json } from './wire.ts'

const names = { offline: 'Personal loan at your place', onePage: 'Personal loan on one page' } as const
const itemOf = (way: Way): Json => ({
  id: way === 'offline' ? 'ITEM_PL_OFFLINE' : 'ITEM_PL_ONE_PAGE',
  descriptor: { code: 'PERSONAL_LOAN', name: names[way] },
  category_ids: ['C_PL', 'C_BUREAU'],
})
const personalLoan = (way: Way): StopsLoan => ({
  way,
  isGold: false,
  itemOf: () => itemOf(way),
  partyOf: borrower,
})

const listedItem = (talk: Talk, way: Way): Json => ({
  ...itemOf(way),
  fulfillment_ids: [ways[way].id],
  tags: [generalInfo],
  xinput: profileInput(talk, 'Customer Information'),
})

const preQualifier = {
  id: 'ITEM_PRE_QUALIFIER',
  descriptor: { code: 'PRE_QUALIFIER', name: 'Known borrowers' },
  category_ids: ['C_PRE_QUALIFIER'],
  fulfillment_ids: ['F_DEDUPE'],
}

/** The catalogue with the loans of these ways; with the check of the borrower if the flow is about it. */
const onSearch = (listed: Way[], withCheck: boolean) => (talk: Talk) => ({
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
            id: 'C_PRE_QUALIFIER',
            parent_category_id: 'C_LOAN',
            descriptor: { code: 'PRE_QUALIFIER', name: 'Pre Qualifier' },
          },
        ],
        items: [...listed.map((way) => listedItem(talk, way)), ...(withCheck ? [preQualifier] : [])],
        fulfillments: [
          listedFulfilment('offline'),
          listedFulfilment('onePage'),
          ...(withCheck ? [{ id: 'F_DEDUPE', type: 'DEDUPE' }] : []),
        ],
        ...catalogParts,
      },
    ],
    tags: [catalogTerms],
  },
})

/** The order with its payment plan, of which this many instalments are paid. */
const orderWithPlan = (talk: Talk, way: Way, { paid = 0, state = 'DISBURSED' } = {}): Json => {
  const payments = instalments(
    talk,
    (i) => talk.id(`installment_${i + 1}`),
    (i) => (i < paid ? 'PAID' : 'NOT-PAID'),
  )
  return placedOrder(talk, personalLoan(way), { payments, state })
}

const loan = loanOf(200_000_00n, 5)

/** One select brings the offer together with the page. */
const loanSteps = (way: Way): Step[] => [
  answerStep('select', (talk) => offer(talk, personalLoan(way), true), {
    check: (talk, message) => answerFaults(talk, message, 'PROFILE', itemOf(way).id),
  }),
  ...journeySteps(personalLoan(way), (talk) => orderWithPlan(talk, way)),
]

/** Each instalment is reported when it is paid. */
const repaymentSteps = (way: Way): Step[] =>
  loan.rows.map((_row, i) => pushStep('on_status', null, (talk) => orderWithPlan(talk, way, { paid: i + 1 })))

const servicedSteps = (way: Way, kind: Kind): Step[] =>
  servicingSteps(kind, {
    baseOrder: (talk, state) => orderWithPlan(talk, way, { state }).order,
    onOrderId: (talk) => talk.id('disbursement'),
    instalmentId: (talk, i) => talk.id(`installment_${i + 1}`),
    paidId: (talk) => talk.id(kind),
    repeatsRequestedAmount: true,
    // The published flow and the network's rules name this charge differently.
    foreclosureTitle: way === 'offline' ? 'FORCLOSUER_CHARGES' : 'FORECLOSURE_CHARGES',
  })

/** Whether the lender takes the borrower at all: the answer has no offer. */
const dedupeSteps = (state: 'ACCEPTED' | 'REJECTED'): Step[] => [
  answerStep(
    'select',
    (_talk, { order: { fulfillments } }) => ({
      order: {
        provider: { id: providerId, descriptor },
        items: [preQualifier],
        fulfillments: [{ ...fulfillments?.[0], state: { descriptor: { code: state } } }],
      },
    }),
    {
      check: (_talk, { order: { items, fulfillments } }) => [
        namesAnother(items[0].id, preQualifier.id),
        items[0].xinput !== undefined && 'answers a form that the item does not have',
        fulfillments?.length !== 1 && 'names no fulfilment with the borrower',
        fulfillments?.[0].id !== 'F_DEDUPE' && `names the fulfilment ${fulfillments?.[0].id}`,
      ],
    },
  ),
]

const baseFlow = { version: '2.0.3', product: 'PERSONAL_LOAN', hasStops: true, loan } as const
const formsOfFlow = { PROFILE: profileFields(forms.PERSONAL!) }

const flow = (id: string, way: Way, steps: Step[]): Flow => ({
  ...baseFlow,
  id,
  steps: [answerStep('search', onSearch([way], false)), ...steps],
  forms: formsOfFlow,
})

const flowsOf = (id: string, way: Way): Flow[] => [
  { ...flow(id, way, [...loanSteps(way), ...repaymentSteps(way)]), deviates: way === 'onePage' },
  flow(`${id}-foreclosure`, way, [...loanSteps(way), ...servicedSteps(way, 'foreclosure')]),
  flow(`${id}-missed-instalment`, way, [...loanSteps(way), ...servicedSteps(way, 'missed_emi')]),
  flow(`${id}-part-payment`, way, [...loanSteps(way), ...servicedSteps(way, 'pre_part')]),
  flow(`${id}-grievance`, way, [...loanSteps(way), ...repaymentSteps(way), ...askedGrievanceSteps]),
]

/** The published flow ends with the answer. An accepted borrower may go on to the loan. */
const dedupeFlow = (id: string, state: 'ACCEPTED' | 'REJECTED'): Flow => {
  const checkSteps = [answerStep('search', onSearch(['offline', 'onePage'], true)), ...dedupeSteps(state)]
  return {
    ...baseFlow,
    id,
    steps: [...checkSteps, ...(state === 'ACCEPTED' ? loanSteps('onePage') : [])],
    mayEndAfter: checkSteps.length,
    forms: formsOfFlow,
  }
}

export const personalStops: Flow[] = [
  ...flowsOf('personal-loan-offline-page', 'offline'),
  ...flowsOf('personal-loan-one-page', 'onePage'),
  dedupeFlow('personal-loan-dedupe', 'ACCEPTED'),
  dedupeFlow('personal-loan-dedupe-rejected', 'REJECTED'),
]
