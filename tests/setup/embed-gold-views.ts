// The view of a gold loan at each screen, as the platform sends it to the hosted page.
import type { EmbedBranch } from '@lendloom/wire/hosted/embed-lender'
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import type { EmbedView, Screen } from '@lendloom/wire/hosted/embed-view'
import { kaveri, lendersPage, meridian, viewAt } from './embed-views.ts'

const branch = (id: string, name: string, address: string, pincode: string, aboutKm: number | null): EmbedBranch => ({
  id,
  name,
  address,
  pincode,
  aboutKm,
})

/** Nearest first, as the platform sorts them. */
export const branches = [
  branch('fort', 'Fort', '7 Fort Road, Mumbai', '400001', 0),
  branch('dadar', 'Dadar West', '12 Ranade Road, Mumbai', '400028', 0),
  branch('thane', 'Thane', '3 Station Road, Thane', '400601', 30),
  branch('panvel', 'Panvel', '41 Shivaji Chowk, Panvel', '410206', 40),
  branch('pune', 'Pune Camp', '9 East Street, Pune', '411001', 120),
  branch('nashik', 'Nashik', '18 Main Road, Nashik', '422001', 140),
  branch('abroad', 'Head Office', '1 Fort Kochi Road, Kochi', '682001', null),
]

const asGoldOffer = (offer: EmbedOffer, ltvRatio: string, offerBranches: EmbedBranch[]): EmbedOffer => ({
  ...offer,
  ltvRatio,
  branches: offerBranches,
  start: { amount: '150000.00', tenureMonths: 12 },
  least: { amount: '25000.00', tenureMonths: 6 },
  most: { amount: '200000.00', tenureMonths: 24 },
})
/** A lender with seven branches, and a lender whose only branch is far away. */
export const kaveriGold = asGoldOffer(kaveri, '74.07%', branches)
export const meridianGold = asGoldOffer(meridian, '85%', [branches[3]!])

const gold: NonNullable<EmbedView['goldLoan']> = {
  userType: 'individual',
  constitution: null,
  jewelleryWeightGrams: 24.5,
  purity: '22K',
}

const agent = { name: 'Meera Joshi', phone: '+91-9876500002' }
const notNeeded = { status: 'NOT_REQUIRED', attempts: 0, redirectUrl: null, problem: null } as const

/** Returns the view at a screen; the branch visit is the only step. */
export function goldViewAt(screen: Screen, more: Partial<EmbedView> = {}): EmbedView {
  const view = viewAt(screen)
  return {
    ...view,
    journeyType: 'GOLD_LOAN',
    goldLoan: gold,
    workProfile: {},
    address: { pincode: '400001' },
    endUse: 'marriage',
    bankAccount: null,
    offers: view.offers.length === 0 ? [] : [kaveriGold, meridianGold],
    selected: view.selected && { ...view.selected, terms: kaveriGold, branch: branches[2]!, agent },
    steps: {
      ...view.steps,
      bankMandate: notNeeded,
      eMandate: notNeeded,
      loanAgreement: notNeeded,
    },
    ...more,
  }
}

/** Returns the view of the branch visit in one of its states. */
export function visitAt(state: 'due' | 'opened' | 'booked' | 'timed' | 'failed'): EmbedView {
  const view = goldViewAt('VISIT')
  const problem =
    state === 'failed' ? { code: 'UNKNOWN_REASON', en: 'The branch is closed on the day you chose.' } : null
  const status = ({ due: 'READY', failed: 'FAILURE' } as const)[state as 'due'] ?? 'IN_PROGRESS'
  const visit = { at: '2026-12-01T05:30:00.000Z', calendarUrl: 'https://lend.example/lab/visit/1' }
  return {
    ...view,
    selected: {
      ...view.selected!,
      visitBooked: state === 'booked' || state === 'timed',
      visit: state === 'timed' ? visit : null,
    },
    steps: { ...view.steps, kyc: { status, attempts: 1, redirectUrl: lendersPage, problem } },
  }
}
