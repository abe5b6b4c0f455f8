// The steps of each product: the forms and pages of a loan, the requests that name them, and what those do (FIS12 §8.1, §9.1).
import type { Callback, Request } from '#contract/network/sequence.ts'
import type { Heading, PageKind } from '#contract/network/v203/page.ts'
import { lamfSteps } from '#sandbox/lender/mutual-fund-loan/steps.ts'
import type { Conversation, Move, Status } from './conversation.ts'
import type { Purpose } from './link.ts'

/** What 2.3.0 adds to the headings of 2.0.3, as far as a borrower fills it in here. */
export type StepHeading = Heading | 'LIEN_MARKING'

/**
 * A step: a form or page that the borrower completes, the request in which the buyer app then names it, and what that
 * request does. The next step's form travels in the callback. A step that comes in between is a row added here.
 */
export interface Step {
  heading: StepHeading
  formId: string
  mimeType: PageKind
  /** The headings of the stage it belongs to, as its form names them. */
  headings: readonly StepHeading[]
  /** How its page is named, when not after its step. */
  title?: string
  /** Where its page is, when that is not where pages of its heading are. */
  opens?: { path: string; purpose: Purpose }
  /** The move that completing the form makes, and how the network spells that success. */
  filled: Move
  success: 'SUCCESS' | 'APPROVED' | 'COMPLETED'
  request: Request
  callback: Callback
  /** The move that the request makes, and where it leads: a request repeated from there is answered again. */
  move: Move
  after: Status
}

const select = { request: 'select', callback: 'on_select' } as const
const init = { request: 'init', callback: 'on_init' } as const
const choosing = ['SET_LOAN_AMOUNT', 'KYC'] as const
const closing = ['ACCOUNT_INFORMATION', 'EMANDATE', 'LOAN_AGREEMENT'] as const

const personal: readonly Step[] = [
  {
    heading: 'PERSONAL_INFORMATION',
    formId: 'FORM-PROFILE',
    mimeType: 'text/html',
    headings: ['PERSONAL_INFORMATION'],
    filled: 'profile',
    success: 'SUCCESS',
    ...select,
    move: 'offer',
    after: 'OFFERED',
  },
  {
    heading: 'SET_LOAN_AMOUNT',
    formId: 'FORM-AMOUNT',
    mimeType: 'text/html',
    headings: choosing,
    filled: 'amount',
    success: 'SUCCESS',
    ...select,
    move: 'quote',
    after: 'QUOTED',
  },
  {
    heading: 'KYC',
    formId: 'FORM-KYC',
    mimeType: 'application/html',
    headings: choosing,
    filled: 'identify',
    success: 'APPROVED',
    ...init,
    move: 'initiate',
    after: 'INITIATED',
  },
  {
    heading: 'ACCOUNT_INFORMATION',
    formId: 'FORM-BANK',
    mimeType: 'text/html',
    headings: closing,
    filled: 'account',
    success: 'SUCCESS',
    ...init,
    move: 'verify',
    after: 'MANDATING',
  },
  {
    heading: 'EMANDATE',
    formId: 'FORM-MANDATE',
    mimeType: 'application/html',
    headings: closing,
    filled: 'mandate',
    success: 'COMPLETED',
    ...init,
    move: 'draft',
    after: 'AGREEING',
  },
  {
    heading: 'LOAN_AGREEMENT',
    formId: 'FORM-ESIGN',
    mimeType: 'application/html',
    headings: closing,
    filled: 'sign',
    success: 'APPROVED',
    request: 'confirm',
    callback: 'on_confirm',
    move: 'sanction',
    after: 'SANCTIONED',
  },
]

/** Taking an offer asks once more who it is, and then what is wanted of it (FIS12 §19.1). */
const customer = { opens: { path: 'forms/customer', purpose: 'customer' } } as const
const twoOffers: readonly Step[] = personal.map((step) =>
  step.heading === 'SET_LOAN_AMOUNT'
    ? { ...step, ...customer, formId: 'FORM-CUSTOMER', title: 'Customer Information' }
    : step,
)

/** A personal loan that goes on with the lender alone, on one page (FIS12 §19.3, offline). */
const offline: readonly Step[] = [
  personal[0]!,
  { ...personal[1]!, headings: ['SET_LOAN_AMOUNT', 'JOURNEY_OFFLINE'] },
  {
    heading: 'JOURNEY_OFFLINE',
    formId: 'FORM-OFFLINE',
    mimeType: 'application/html',
    headings: ['SET_LOAN_AMOUNT', 'JOURNEY_OFFLINE'],
    opens: { path: 'pages/offline', purpose: 'offline' },
    filled: 'identify',
    success: 'APPROVED',
    ...init,
    move: 'conclude',
    after: 'READY',
  },
]

/** One of which the agreement alone is signed online (FIS12 §19.3, offline-online). */
const offlineOnline: readonly Step[] = [
  personal[0]!,
  { ...personal[1]!, headings: ['SET_LOAN_AMOUNT', 'KYC_OFFLINE'] },
  {
    heading: 'KYC_OFFLINE',
    formId: 'FORM-KYC-OFFLINE',
    mimeType: 'application/html',
    headings: ['SET_LOAN_AMOUNT', 'KYC_OFFLINE'],
    opens: { path: 'pages/kyc-offline', purpose: 'kyc-offline' },
    filled: 'identify',
    success: 'APPROVED',
    ...init,
    move: 'draft',
    after: 'AGREEING',
  },
  { ...personal.at(-1)!, headings: ['LOAN_AGREEMENT'] },
]

const appraising = ['SET_LOAN_AMOUNT', 'JOURNEY_OFFLINE'] as const

/** At the branch the gold is appraised, the borrower identified and the agreement signed, so one page is enough. */
const gold: readonly Step[] = [
  { ...personal[0]!, formId: 'FORM-GOLD-PROFILE' },
  { ...personal[1]!, formId: 'FORM-GOLD-AMOUNT', headings: appraising },
  {
    heading: 'JOURNEY_OFFLINE',
    formId: 'FORM-BRANCH',
    mimeType: 'application/html',
    headings: appraising,
    filled: 'visit',
    success: 'COMPLETED',
    ...init,
    move: 'sanction',
    after: 'SANCTIONED',
  },
]

/** What it is about; ordinary unless the sandbox's rules ask for something else. */
/** The form has the id of the first one (FIS12 §19.2). */
const goldTwoOffers: readonly Step[] = gold.map((step) =>
  step.heading === 'SET_LOAN_AMOUNT' ? { ...step, ...customer, formId: gold[0]!.formId } : step,
)

type Of = Pick<Conversation, 'product' | 'lender'> & Partial<Pick<Conversation, 'scenario'>>

/** In the order in which they are done. */
export function stepsOf({ product, lender, scenario }: Of): readonly Step[] {
  if (product === 'LAMF') return lamfSteps(lender)
  if (product === 'GOLD_LOAN') return scenario === 'two-offers' ? goldTwoOffers : gold
  if (scenario === 'two-offers') return twoOffers
  return scenario === 'offline' ? offline : scenario === 'offline-online' ? offlineOnline : personal
}

/** Whether a personal loan is concluded by `init` alone, so that its confirmation answers no form of its own (FIS12 §19.3). */
export const isOffline = ({ product, scenario }: Pick<Of, 'product' | 'scenario'>): boolean =>
  product === 'PERSONAL_LOAN' && scenario === 'offline'

export const stepOf = (of: Of, heading: StepHeading): Step => stepsOf(of).find((step) => step.heading === heading)!
/** Of two steps with one form, `heading` says which was answered; it alone tells where a form is named that nobody knows. */
export function stepOfForm(of: Of, formId: string, heading?: StepHeading): Step | undefined {
  const named = stepsOf(of).filter((step) => step.formId === formId)
  const candidates = named.length > 0 ? named : stepsOf(of).filter((step) => step.heading === heading)
  return candidates.find((step) => step.heading === heading) ?? candidates[0]
}

/** The step that follows, if there is one. */
export const stepAfter = (of: Of, step: Step): Step | undefined => stepsOf(of)[stepsOf(of).indexOf(step) + 1]

/** The status in which the form of a step waits to be filled. Of a loan against mutual funds, the first page follows the account. */
export const opensAt = (of: Of, step: Step): Status =>
  stepsOf(of)[stepsOf(of).indexOf(step) - 1]?.after ?? (of.product === 'LAMF' ? 'INITIATED' : 'SEARCHED')
