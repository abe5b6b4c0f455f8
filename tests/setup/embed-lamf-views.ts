// The view of a loan against mutual funds, as the platform sends it to the hosted page.

import type { EmbedDrawdown } from '@lendloom/wire/hosted/drawdown'
import type { EmbedHolding, EmbedPledge, EmbedScheme } from '@lendloom/wire/hosted/embed-lender'
import type { EmbedView, Screen } from '@lendloom/wire/hosted/embed-view'
import { kaveri, meridian, viewAt } from './embed-views.ts'

const flexi = { schemeCode: 'SHK-FLEX-G', name: 'Shakti Flexi Cap Fund', registrar: 'CAMS', folio: '4410077' }
const bond = { schemeCode: 'NDH-DEBT-G', name: 'Nidhi Corporate Bond Fund', registrar: 'KFIN', folio: '8820131' }
const schemes: EmbedScheme[] = [
  { ...flexi, unitsRequired: '6249.000', ltv: '50%', nav: '85.0250' },
  { ...bond, unitsRequired: '10201.250', ltv: '80%', nav: '40.1234' },
]
const pledges: EmbedPledge[] = [
  { ...flexi, units: '3160.813' },
  { ...bond, units: '5159.904' },
]

/** Both funds that can be pledged, and a locked-in fund. */
export const holdings: EmbedHolding[] = [
  { name: flexi.name, kind: 'equity', worth: '531321.22', free: '531321.22' },
  { name: bond.name, kind: 'debt', worth: '409308.83', free: '409308.83' },
  { name: 'Shakti ELSS Tax Saver Fund', kind: 'elss', worth: '108000.00', free: '0.00' },
]

/** Offers against both funds and against one of them, each with a fixed term. */
export const kaveriFunds = {
  ...kaveri,
  amountPrincipal: '593107.00',
  schemes,
  start: { amount: '593107.00', tenureMonths: 24 },
  least: { ...kaveri.least, tenureMonths: 24 },
  most: { amount: '593107.00', tenureMonths: 24 },
}
export const meridianFunds = {
  ...meridian,
  schemes: [schemes[0]!],
  creditLine: true,
  ownPage: true,
  tenureMonths: 36,
  offerTerm: '36 months',
  start: { ...meridian.start, tenureMonths: 36 },
  least: { ...meridian.least, tenureMonths: 36 },
  most: { ...meridian.most, tenureMonths: 36 },
}

export function lamfViewAt(screen: Screen, more: Partial<EmbedView> = {}): EmbedView {
  const view = viewAt(screen)
  return {
    ...view,
    journeyType: 'LAMF_LOAN',
    offers: view.offers.length === 0 ? [] : [kaveriFunds, meridianFunds],
    holdings: screen === 'OFFERS' ? holdings : [],
    selected: view.selected && {
      ...view.selected,
      amount: '300000.00',
      terms: { ...kaveriFunds, amountPrincipal: '300000.00' },
      pledges,
    },
    ...more,
  }
}

/** A drawdown whose lender owes its terms. */
export const askedDrawdown: EmbedDrawdown = {
  drawdownId: 'ae1b7c8e-0000-4000-8000-000000000001',
  status: 'REQUESTED',
  askedAt: '2026-11-30T09:30:00.000Z',
  amount: '25000.00',
  terms: null,
  accountEnding: null,
  paid: null,
  isLate: false,
  problem: null,
}
const quote = { quoteId: askedDrawdown.drawdownId, termsDigest: 'a'.repeat(64) }
const terms = {
  principal: '25000.00',
  interest: '1000.00',
  charges: '0.00',
  total: '26000.00',
  quote,
  interestRate: '12%',
  until: '2099-12-15T09:30:00.000Z',
  isOver: false,
}
/** A drawdown that waits for the borrower's agreement. */
export const statedDrawdown: EmbedDrawdown = { ...askedDrawdown, status: 'TERMS_READY', terms, accountEnding: '4471' }
