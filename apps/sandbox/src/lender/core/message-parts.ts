// Parts of a lender's messages as `#contract` defines them: identity, price and progress of a loan.

import { required } from '@lendloom/foundation/required'
import type { Lender } from '@lendloom/lending/lender'
import { divideHalfUp, type Paise } from '@lendloom/lending/money'
import type { LoanDocument, Terms } from '@lendloom/lending/terms'
import { base62 } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import type { Installment } from '@lendloom/wire/network/v203/payments'
import type { FinderFee, LenderTerms } from '@lendloom/wire/network/v203/settlement'
import type { CancellationTerms } from '@lendloom/wire/network/v203/write-order'
import type { PageKind } from '@lendloom/wire/network/v203/xinput'
import type { Conversation } from './conversation.ts'
import type { LenderPolicy } from './lender-policies.ts'
import { instalmentRange, type Loan, type LoanRequest, loanOf } from './lending-decision.ts'
import { type LinkPurpose, linkToken } from './link-token.ts'
import type { LenderStep, StepHeading } from './step.ts'

export interface AddressDeps {
  url: string
  seal: Seal
}

/** A loan at a lender: its policy, its conversation, and the dependencies for its URLs. */
export interface LoanFile<Lending extends LenderPolicy = LenderPolicy> {
  deps: AddressDeps
  policy: Lending
  conversation: Conversation
}

/** The bank's reference of a payout or a payment, always the same for one id. */
export const bankReference = ({ seal }: Pick<AddressDeps, 'seal'>, id: string): string =>
  `UTR${base62(seal.digest(id, 'bank reference').subarray(0, 8))}`

export const providerId = ({ slug }: LenderPolicy): string => `PROV-${slug.toUpperCase()}`
export const lenderUrl = ({ url }: Pick<AddressDeps, 'url'>, { slug }: LenderPolicy): string => `${url}/lenders/${slug}`

export function lenderOf(deps: Pick<AddressDeps, 'url'>, policy: LenderPolicy): Lender {
  const { officer, support, servicer } = policy
  return {
    providerId: providerId(policy),
    name: policy.name,
    shortDescription: policy.kind,
    longDescription: `${policy.legalName}. ${policy.about}`,
    logoUrl: `${lenderUrl(deps, policy)}/logo.svg`,
    contact: {
      groName: officer.name,
      groEmail: officer.email,
      groContactNumber: officer.phone,
      groDesignation: officer.designation,
      groAddress: policy.address,
      customerSupportLink: `${lenderUrl(deps, policy)}/help`,
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
export const settlementTerms = (deps: Pick<AddressDeps, 'url'>, policy: LenderPolicy): LenderTerms => ({
  window: 'PT60M',
  mandatoryArbitration: true,
  courtJurisdiction: policy.court,
  staticTerms: `${lenderUrl(deps, policy)}/terms`,
  offlineContract: true,
})

/** The finder fee when the buyer app's message has no readable one. */
export const defaultFee: FinderFee = { type: 'percent-annualized', value: '1' }

const purposes: Record<StepHeading, { path: string; purpose: LinkPurpose }> = {
  PERSONAL_INFORMATION: { path: 'forms/profile', purpose: 'profile' },
  SET_LOAN_AMOUNT: { path: 'forms/amount', purpose: 'amount' },
  ACCOUNT_INFORMATION: { path: 'forms/bank', purpose: 'bank' },
  KYC: { path: 'pages/kyc', purpose: 'kyc' },
  KYC_OFFLINE: { path: 'pages/kyc-offline', purpose: 'kyc-offline' },
  LIEN_MARKING: { path: 'pages/lien', purpose: 'lien' },
  EMANDATE: { path: 'pages/mandate', purpose: 'mandate' },
  LOAN_AGREEMENT: { path: 'pages/agreement', purpose: 'agreement' },
  SINGLE_REDIRECTION: { path: 'pages/journey', purpose: 'journey' },
  JOURNEY_OFFLINE: { path: 'visits', purpose: 'visit' },
}

/** The form or page of a step, with headings of one dialect. */
interface StepPage<Heading> {
  id: string
  url: string
  mimeType: PageKind
  heading: Heading
  headings: readonly Heading[]
  title?: string
}

/** The form or page of a step, with its link for this conversation. Throws for a heading outside the dialect. */
export function pageOf<Heading extends string>(
  { deps, policy, conversation }: LoanFile,
  step: LenderStep,
  dialectHeadings: readonly Heading[],
): StepPage<Heading> {
  const { path, purpose } = step.pageLink ?? purposes[step.heading]
  const inDialect = (heading: StepHeading): Heading =>
    required(
      dialectHeadings.find((each) => each === heading),
      `heading ${heading} in this dialect`,
    )
  return {
    id: step.formId,
    url: `${lenderUrl(deps, policy)}/${path}/${linkToken(deps.seal, purpose, conversation.conversationId)}`,
    mimeType: step.mimeType,
    heading: inDialect(step.heading),
    headings: step.headings.map(inDialect),
    ...(step.title !== undefined && { title: step.title }),
  }
}

/** Returns the order draft as one with these parts. Throws when one is missing, which is a bug. */
export function requireParts<Draft extends object, Part extends keyof Draft & string>(
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

/** The lender's offer; null before the lender makes one. */
export function offeredOf({ offeredPrincipal, offeredMonths, annualBps }: Conversation): LoanRequest | null {
  if (offeredPrincipal === null || offeredMonths === null || annualBps === null) return null
  return { principal: offeredPrincipal, months: offeredMonths, annualBps }
}

/** The borrower's choice within the offer; null before the borrower chooses. */
export function chosenOf({ principal, months, annualBps }: Conversation): LoanRequest | null {
  if (principal === null || months === null || annualBps === null) return null
  return { principal, months, annualBps }
}

/** Whether the lender sent the revised quote. */
export const isQuoted = ({ status }: Pick<Conversation, 'status'>): boolean =>
  status !== 'CHOSEN' && status !== 'OFFERED'

/** The priced loan: the offered one until the revised quote, then the chosen one. */
export function currentLoan(policy: LenderPolicy, conversation: Conversation): Loan | null {
  const request = (isQuoted(conversation) ? chosenOf(conversation) : null) ?? offeredOf(conversation)
  return request && loanOf(policy, request)
}

/** The priced loan. Throws before there is an offer. */
export const requireLoan = ({ policy, conversation }: Pick<LoanFile, 'policy' | 'conversation'>): Loan =>
  required(currentLoan(policy, conversation), 'offer in this conversation')

/** The terms of a loan as `#contract` defines them. `stage` selects the linked key facts. */
export function termsOf({ deps, policy, conversation }: LoanFile, loan: Loan, stage: 'offer' | 'final'): Terms {
  const { conversationId, offerTtl } = conversation
  const token = linkToken(deps.seal, `${stage}-key-facts`, conversationId)
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
    repaymentFrequency: policy.repaysAtEnd ? 'BULLET' : 'MONTHLY',
    installmentsCount: loan.rows.length,
    installmentAmount: loan.instalment,
    applicationFee: '0 INR',
    foreclosureFee: bpsText(policy.foreclosureBps),
    interestRateConversionCharge: '0 INR',
    delayPenaltyFee: penalText(policy, 'instalment'),
    otherPenaltyFee: '0%',
    tncLink: `${lenderUrl(deps, policy)}/terms`,
    kfsLink: `${lenderUrl(deps, policy)}/key-facts/${stage}/${token}`,
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

/** The penal rate in words, with its period and base. */
export const penalText = ({ penalBps }: LenderPolicy, overdue: 'instalment' | 'amount'): string =>
  `${bpsText(penalBps)} a year on the overdue ${overdue}`

export const cancellationOf = (deps: Pick<AddressDeps, 'url'>, policy: LenderPolicy): CancellationTerms => ({
  fees: [
    { state: 'SANCTIONED', percentage: '0%' },
    { state: 'DISBURSED', percentage: bpsText(policy.foreclosureBps) },
  ],
  link: `${lenderUrl(deps, policy)}/cancellation`,
})

export const documentsOf = (deps: AddressDeps, policy: LenderPolicy, conversationId: string): LoanDocument[] => [
  {
    code: 'LOAN_AGREEMENT',
    name: 'Loan agreement',
    description: 'The signed loan agreement',
    mimeType: 'application/pdf',
    url: `${lenderUrl(deps, policy)}/agreement/${linkToken(deps.seal, 'agreement-document', conversationId)}`,
  },
  {
    code: 'LOAN_CANCELLATION',
    name: 'How to cancel',
    description: 'Leaving the loan within the cooling-off period',
    mimeType: 'text/html',
    url: `${lenderUrl(deps, policy)}/cancellation`,
  },
]

/** The sanction letter, before disbursal; dialect 2.3.0 has no such document (FIS12 §8.3). */
export const sanctionPaper = (deps: AddressDeps, policy: LenderPolicy, conversationId: string): LoanDocument => ({
  code: 'SANCTION_LETTER',
  name: 'Sanction letter',
  description: 'The sanctioned loan and its terms',
  mimeType: 'application/pdf',
  url: `${lenderUrl(deps, policy)}/sanction-letter/${linkToken(deps.seal, 'sanction-letter', conversationId)}`,
})

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
