// A lender's messages about one conversation in the contract's terms: its identity, the price, and the loan's progress.

import type { Lender } from '#contract/network/v203/lender.ts'
import type { CancellationTerms, Installment, LoanDocument } from '#contract/network/v203/order.ts'
import type { PageKind } from '#contract/network/v203/page.ts'
import type { FinderFee, LenderTerms } from '#contract/network/v203/settlement.ts'
import type { Terms } from '#contract/network/v203/terms.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { divideHalfUp, type Paise } from '#kit/money/money.ts'
import { required } from '#kit/runtime/record.ts'
import type { Conversation } from './conversation.ts'
import { instalmentRange, type Loan, type LoanRequest, loanOf } from './decide.ts'
import { linkToken, type Purpose } from './link.ts'
import type { LenderPolicy } from './policy.ts'
import type { LenderStep, StepHeading } from './step.ts'

/** What addresses are made of. */
export interface AddressDeps {
  url: string
  seal: Seal
}

/** A lender's file of one loan: its policy, the agreed terms, and the addresses of its pages. */
export interface LoanFile<Lending extends LenderPolicy = LenderPolicy> {
  place: AddressDeps
  policy: Lending
  conversation: Conversation
}

export const providerId = ({ slug }: LenderPolicy): string => `PROV-${slug.toUpperCase()}`
/** Where this lender answers, and where its public pages are. */
export const lenderUrl = ({ url }: Pick<AddressDeps, 'url'>, { slug }: LenderPolicy): string => `${url}/lenders/${slug}`

export function lenderOf(place: Pick<AddressDeps, 'url'>, policy: LenderPolicy): Lender {
  const { officer, support, servicer } = policy
  return {
    providerId: providerId(policy),
    name: policy.name,
    shortDescription: policy.kind,
    longDescription: `${policy.legalName}. ${policy.about}`,
    logoUrl: `${lenderUrl(place, policy)}/logo.svg`,
    contact: {
      groName: officer.name,
      groEmail: officer.email,
      groContactNumber: officer.phone,
      groDesignation: officer.designation,
      groAddress: policy.address,
      customerSupportLink: `${lenderUrl(place, policy)}/help`,
      customerSupportContactNumber: support.phone,
      customerSupportEmail: support.email,
    },
    serviceProvider: {
      name: servicer.name,
      email: servicer.email,
      contactNumber: servicer.phone,
      address: servicer.address,
    },
  }
}

/** The terms of settlement with the buyer app; they never concern the borrower. */
export const settlementTerms = (place: Pick<AddressDeps, 'url'>, policy: LenderPolicy): LenderTerms => ({
  window: 'PT60M',
  mandatoryArbitration: true,
  courtJurisdiction: policy.court,
  staticTerms: `${lenderUrl(place, policy)}/terms`,
  offlineContract: true,
})

/** What is charged when a buyer app names no fee that can be read. */
export const defaultFee: FinderFee = { type: 'percent-annualized', value: '1' }

const purposes: Record<StepHeading, { path: string; purpose: Purpose }> = {
  PERSONAL_INFORMATION: { path: 'forms/profile', purpose: 'profile' },
  SET_LOAN_AMOUNT: { path: 'forms/amount', purpose: 'amount' },
  ACCOUNT_INFORMATION: { path: 'forms/bank', purpose: 'bank' },
  KYC: { path: 'pages/kyc', purpose: 'kyc' },
  KYC_OFFLINE: { path: 'pages/kyc-offline', purpose: 'kyc-offline' },
  LIEN_MARKING: { path: 'pages/lien', purpose: 'lien' },
  EMANDATE: { path: 'pages/mandate', purpose: 'mandate' },
  LOAN_AGREEMENT: { path: 'pages/agreement', purpose: 'agreement' },
  JOURNEY_OFFLINE: { path: 'visits', purpose: 'visit' },
}

/** The form or page of a step in the words of its dialect. */
interface StepPage<Heading> {
  id: string
  url: string
  mimeType: PageKind
  heading: Heading
  headings: readonly Heading[]
  title?: string
}

/** The page of a step, at an address of this conversation; `known` are the headings of the dialect. */
export function pageOf<Heading extends string>(
  { place, policy, conversation }: LoanFile,
  step: LenderStep,
  known: readonly Heading[],
): StepPage<Heading> {
  const { path, purpose } = step.opens ?? purposes[step.heading]
  const inDialect = (heading: StepHeading): Heading =>
    required(
      known.find((each) => each === heading),
      `heading ${heading} in this dialect`,
    )
  return {
    id: step.formId,
    url: `${lenderUrl(place, policy)}/${path}/${linkToken(place.seal, purpose, conversation.conversationId)}`,
    mimeType: step.mimeType,
    heading: inDialect(step.heading),
    headings: step.headings.map(inDialect),
    ...(step.title !== undefined && { title: step.title }),
  }
}

/** An order with the parts that its stage must have fixed; one without them would be a bug, not an answer. */
export function having<Draft extends object, Part extends keyof Draft & string>(
  draft: Draft,
  ...parts: Part[]
): Draft & Required<Pick<Draft, Part>> {
  const missing = parts.find((part) => draft[part] === undefined)
  if (missing !== undefined || !hasAll(draft, parts)) throw new Error(`the order has no ${missing} yet`)
  return draft
}

const hasAll = <Draft extends object, Part extends keyof Draft>(
  draft: Draft,
  parts: readonly Part[],
): draft is Draft & Required<Pick<Draft, Part>> => parts.every((part) => draft[part] !== undefined)

/** What the lender offered, or null before it did. */
export function offeredOf({ offeredPrincipal, offeredMonths, annualBps }: Conversation): LoanRequest | null {
  if (offeredPrincipal === null || offeredMonths === null || annualBps === null) return null
  return { principal: offeredPrincipal, months: offeredMonths, annualBps }
}

/** What the borrower chose of it, or null before that. */
export function chosenOf({ principal, months, annualBps }: Conversation): LoanRequest | null {
  if (principal === null || months === null || annualBps === null) return null
  return { principal, months, annualBps }
}

/** Whether the revised quote of what the borrower chose was given. */
export const isQuoted = ({ status }: Pick<Conversation, 'status'>): boolean =>
  status !== 'CHOSEN' && status !== 'OFFERED'

/** The loan that the conversation is about now: the offered one until the revised quote is given. */
export function presentLoan(policy: LenderPolicy, conversation: Conversation): Loan | null {
  const request = (isQuoted(conversation) ? chosenOf(conversation) : null) ?? offeredOf(conversation)
  return request && loanOf(policy, request)
}

/** The same where an offer was made. */
export const requireLoan = ({ policy, conversation }: Pick<LoanFile, 'policy' | 'conversation'>): Loan =>
  required(presentLoan(policy, conversation), 'offer in this conversation')

/** The contract's terms of a loan. `stage` selects the linked key facts: the first offer's or the final ones. */
export function termsOf({ place, policy, conversation }: LoanFile, loan: Loan, stage: 'offer' | 'final'): Terms {
  const { conversationId, offerTtl } = conversation
  const token = linkToken(place.seal, `${stage}-key-facts`, conversationId)
  return {
    quoteId: `Q-${conversationId}`,
    quoteTtl: offerTtl,
    principal: loan.principal,
    interest: loan.interest,
    processingFee: loan.processingFee,
    otherUpfront: loan.stampDuty,
    insurance: 0n,
    otherCharges: 0n,
    netDisbursed: loan.netDisbursed,
    interestRate: bpsText(loan.annualBps),
    apr: `${loan.aprPercent}%`,
    interestType: 'FIXED',
    term: `${loan.months} months`,
    termMonths: loan.months,
    repaymentFrequency: 'MONTHLY',
    installmentsCount: loan.months,
    installmentAmount: loan.instalment,
    applicationFee: '0 INR',
    foreclosureFee: bpsText(policy.foreclosureBps),
    interestRateConversionCharge: '0 INR',
    delayPenaltyFee: penalText(policy, 'instalment'),
    otherPenaltyFee: '0%',
    tncLink: `${lenderUrl(place, policy)}/terms`,
    kfsLink: `${lenderUrl(place, policy)}/key-facts/${stage}/${token}`,
    coolOffPeriod: `P${policy.coolOffDays}D`,
    ltvRatio: null,
  }
}

/** `1375n` hundredths of a percent is `13.75%`, `1400n` is `14%`. */
export function bpsText(bps: bigint): string {
  const fraction = (bps % 100n)
    .toString()
    .padStart(2, '0')
    .replace(/(?<!0)0+$/, '')
  return `${bps / 100n}${fraction && `.${fraction}`}%`
}

/** What being late costs, in words: a rate alone would leave open for what time it is, and on what. */
export const penalText = ({ penalBps }: LenderPolicy, overdue: 'instalment' | 'amount'): string =>
  `${bpsText(penalBps)} a year on the overdue ${overdue}`

export const cancellationOf = (place: Pick<AddressDeps, 'url'>, policy: LenderPolicy): CancellationTerms => ({
  fees: [
    { state: 'SANCTIONED', percentage: '0%' },
    { state: 'DISBURSED', percentage: bpsText(policy.foreclosureBps) },
  ],
  link: `${lenderUrl(place, policy)}/cancellation`,
})

export const documentsOf = (place: AddressDeps, policy: LenderPolicy, conversationId: string): LoanDocument[] => [
  {
    code: 'LOAN_AGREEMENT',
    name: 'Loan agreement',
    description: 'The signed loan agreement',
    mimeType: 'application/pdf',
    url: `${lenderUrl(place, policy)}/agreement/${linkToken(place.seal, 'agreement-document', conversationId)}`,
  },
  {
    code: 'LOAN_CANCELLATION',
    name: 'How to cancel',
    description: 'Leaving the loan within the cooling-off period',
    mimeType: 'text/html',
    url: `${lenderUrl(place, policy)}/cancellation`,
  },
]

/** The sanction letter, before disbursal; dialect 2.3.0 has no such document (FIS12 §8.3). */
export const sanctionPaper = (place: AddressDeps, policy: LenderPolicy, conversationId: string): LoanDocument => ({
  code: 'SANCTION_LETTER',
  name: 'Sanction letter',
  description: 'What was sanctioned, and on which terms',
  mimeType: 'application/pdf',
  url: `${lenderUrl(place, policy)}/sanction-letter/${linkToken(place.seal, 'sanction-letter', conversationId)}`,
})

/** The loan to the value, `84.24%`. */
export function ltvText(loan: Paise, value: Paise): string {
  const bps = divideHalfUp(loan * 10_000n, value)
  return `${bps / 100n}.${(bps % 100n).toString().padStart(2, '0')}%`
}

/** The instalments as payments of the order, each with the month that ends on its due day. */
export const installmentsOf = ({ rows }: Loan, agreedOn: string): Installment[] =>
  rows.map(({ number, amount }) => {
    const { start, end } = instalmentRange(agreedOn, number)
    const id = `INST-${String(number).padStart(2, '0')}`
    return { id, amount, status: 'NOT-PAID', startsAt: start, endsAt: end }
  })
