// The input values of the model loans against mutual funds: from these our builders must build the same messages.

import type { Lender } from '@lendloom/lending/lender'
import type { Scheme } from '@lendloom/lending/pledge'
import type { Terms } from '@lendloom/wire/network/v230/offer-terms'
import type { NewItem, Shop } from '@lendloom/wire/network/v230/on-search'

const girnar = 'https://girnar.example'

export const lender: Lender = {
  providerId: 'girnar',
  name: 'Girnar Capital',
  shortDescription: 'A lender against securities',
  longDescription: 'Girnar Capital Limited, Junagadh',
  logoUrl: `${girnar}/logo.png`,
  contact: {
    groName: 'Hetal Vora',
    groEmail: 'gro@girnar.example',
    groContactNumber: '0285-2650001',
    groDesignation: 'Grievance Redressal Officer',
    groAddress: '8 Talav Darwaja, Junagadh 362001',
    customerSupportLink: `${girnar}/help`,
    customerSupportContactNumber: '1800-000-333',
    customerSupportEmail: 'care@girnar.example',
  },
  serviceProvider: {
    name: 'Setu Seva',
    email: 'lsp@setu-seva.example',
    contactNumber: '0281-2440002',
    address: '21 Yagnik Road, Rajkot 360001',
  },
}

export const buyerTerms = { staticTerms: 'https://buyer.lendloom.example/terms', offlineContract: true }
export const lenderTerms = { staticTerms: `${girnar}/terms`, offlineContract: true }
export const shop: Shop = {
  lender,
  terms: lenderTerms,
  paymentIds: { installmentId: 'installments', disbursalId: 'disbursal-1' },
}

const online = { fulfillmentId: 'online-1', offline: false, recommended: true }
export const items = {
  mfc: {
    ...online,
    id: 'lamf-mfc',
    name: 'Term loan with an MF Central statement',
    portfolio: 'mfc',
    product: 'TERM_LOAN',
  },
  rta: {
    ...online,
    id: 'lamf-rta',
    name: 'Term loan with a registrar statement',
    portfolio: 'rta',
    product: 'TERM_LOAN',
    recommended: false,
  },
  aa: {
    ...online,
    fulfillmentId: 'online-2',
    id: 'lamf-line',
    name: 'Credit line with account aggregator',
    portfolio: 'account-aggregator',
    product: 'CREDIT_LINE',
  },
  offline: {
    id: 'lamf-page',
    name: "Credit line on the lender's page",
    portfolio: 'mfc',
    product: 'CREDIT_LINE',
    recommended: true,
    offline: true,
    fulfillmentId: 'page-1',
  },
} as const satisfies Record<string, NewItem>

export const terms: Terms = {
  quoteId: 'quote-5',
  quoteTtl: 'P10D',
  principal: 15_000_000n,
  interest: 476_028n,
  processingFee: 118_000n,
  otherUpfront: 30_000n,
  insurance: 0n,
  otherCharges: 0n,
  netDisbursed: 14_852_000n,
  interestRate: '10.8%',
  apr: '14.2%',
  interestType: 'FIXED',
  term: '6 months',
  termMonths: 6,
  repaymentFrequency: 'P1M',
  installmentsCount: 6,
  installmentAmount: 2_579_338n,
  applicationFee: '0 INR',
  foreclosureFee: '1 %',
  interestRateConversionCharge: '0 INR',
  delayPenaltyFee: '2 %',
  otherPenaltyFee: '1 %',
  tncLink: `${girnar}/tnc`,
  kfsLink: `${girnar}/kfs/5`,
  coolOffPeriod: 'P3D',
  ltvRatio: null,
  marginCall: '15 %',
  annualisedPenalCharges: '24 %',
}

/** The terms of both credit lines: no instalments, interest or disbursal. */
export const lineTerms: Terms = {
  ...terms,
  interest: 0n,
  netDisbursed: 0n,
  installmentsCount: 0,
  installmentAmount: 0n,
}

export const schemes: Scheme[] = [
  {
    rta: 'CAMS',
    amcCode: 'SHAKTI',
    schemeCode: 'SHK-FLEX-G',
    folioId: '4410077',
    unitsRequired: '312.450',
    ltv: '50%',
  },
  {
    rta: 'KFIN',
    amcCode: 'NIDHI',
    schemeCode: 'NDH-DEBT-G',
    folioId: '8820131',
    unitsRequired: '1020.125',
    ltv: '80%',
  },
]
export const pledges = schemes.map(({ schemeCode, unitsRequired: units }) => ({ schemeCode, units }))
