// Flows of gold loans with stops: an offer with the branches, a visit to one of them, and a loan that is repaid at once.
import { agent, branches } from './gold.ts'
import { askedGrievanceSteps } from './grievance.ts'
import { answerFaults, forms, generalInfo } from './loans-203.ts'
import { descriptor, profileInput, providerId } from './parts.ts'
import {
  borrower,
  catalogParts,
  catalogTerms,
  journeySteps,
  listedFulfilment,
  namesAnother,
  offer,
  placedOrder,
  type StopsLoan,
  ways,
} from './stops-203.ts'
import { loanOf, rupees } from './sums.ts'
import { answerStep, type Flow, pushStep, type Step, type Talk } from './talk.ts'
import type { Json } from './wire.ts'

const item = { id: 'ITEM_GOLD_OFFLINE', descriptor: { code: 'LOAN', name: 'Gold loan at a branch' } }

const onSearch = (talk: Talk) => ({
  catalog: {
    descriptor: { name: descriptor.name },
    providers: [
      {
        id: providerId,
        descriptor,
        categories: [
          { id: 'C_GOLD', descriptor: { code: 'GOLD_LOAN', name: 'Gold Loan' } },
          { id: 'C_G_BUREAU', parent_category_id: 'C_GOLD', descriptor: { code: 'BUREAU_LOAN', name: 'Bureau Loan' } },
        ],
        items: [
          {
            ...item,
            category_ids: ['C_GOLD', 'C_G_BUREAU'],
            fulfillment_ids: [ways.offline.id],
            matched: true,
            recommended: true,
            tags: [generalInfo],
            xinput: profileInput(talk, 'Customer Information'),
          },
        ],
        fulfillments: [listedFulfilment('offline')],
        ...catalogParts,
      },
    ],
    tags: [catalogTerms],
  },
})

/** Before the choice all branches are offered. */
const chosenBranches = (talk: Talk): Json[] => {
  const chosen = talk.facts.get('branch')
  return chosen === undefined ? branches : branches.filter(({ id }) => id === chosen)
}

/** The fulfilment names the agent of the branch, and at the end the borrower. */
const partyOf = (talk: Talk): Json => {
  if (talk.facts.has('repaid')) return borrower(talk)
  return talk.facts.has('branch') ? { agent } : {}
}

const goldLoan: StopsLoan = {
  way: 'offline',
  isGold: true,
  itemOf: (talk) => ({ ...item, location_ids: chosenBranches(talk).map(({ id }) => id) }),
  providerOf: (talk) => ({ locations: chosenBranches(talk) }),
  partyOf,
}

/** The whole loan is repaid with one payment of the quote's price. */
const repayment = (talk: Talk, isPaid: boolean): Json => ({
  id: talk.id('repayment'),
  type: 'POST_FULFILLMENT',
  status: isPaid ? 'PAID' : 'NOT-PAID',
  params: {
    amount: rupees(talk.loan.total),
    currency: 'INR',
    ...(isPaid && { transaction_id: talk.id('UTR_OF_REPAYMENT') }),
  },
  time: { label: 'REPAYMENT', ...(isPaid && { timestamp: new Date().toISOString() }) },
})

const steps: Step[] = [
  answerStep('search', onSearch),
  answerStep('select', (talk) => offer(talk, goldLoan, false), {
    check: (talk, message) => answerFaults(talk, message, 'PROFILE', item.id),
  }),
  answerStep(
    'select',
    (talk, { order: { items } }) => {
      talk.facts.set('branch', items[0].location_ids?.[0] ?? branches[0]!.id)
      return offer(talk, goldLoan, true)
    },
    {
      check: (_talk, { order: { items } }) => [
        namesAnother(items[0].id, item.id),
        items[0].location_ids?.length !== 1 && 'does not name one branch',
        !branches.some(({ id }) => id === items[0].location_ids?.[0]) && 'names an unknown branch',
      ],
    },
  ),
  ...journeySteps(goldLoan, (talk) => placedOrder(talk, goldLoan, { payments: [repayment(talk, false)] })),
  pushStep('on_status', null, (talk) => {
    talk.facts.set('repaid', 'true')
    return placedOrder(talk, goldLoan, { payments: [repayment(talk, true)], state: 'COMPLETED' })
  }),
]

const flow = (id: string, more: Step[], loan: Flow['loan'], deviates: boolean): Flow => ({
  id,
  version: '2.0.3',
  product: 'GOLD_LOAN',
  hasStops: true,
  steps: [...steps, ...more],
  forms: { PROFILE: forms.GOLD!.filter(({ name }) => name !== 'aa_id') },
  ...(loan && { loan }),
  deviates,
})

const withoutFees = loanOf(400_000_00n, 5, { processing: 0n, other: 0n })

export const goldStops: Flow[] = [
  flow('gold-loan-offline-page', [], withoutFees, false),
  // As published, the repayment includes the fees that were deducted from the payout.
  flow('gold-loan-offline-page-grievance', askedGrievanceSteps, loanOf(400_000_00n, 5), true),
]
