// The progress that a lender with one page tells by stops about a loan against mutual funds (FIS12 §27).

import type { NewStop, ProgressDraft } from '@lendloom/wire/network/v203/stops'
import type { StopsParts } from '@lendloom/wire/network/v230/write-order'
import { fundsWithStops } from '#sandbox/core/lender-version.ts'
import type { Conversation, LoanStatus } from '#sandbox/lender/core/conversation.ts'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'
import { bpsText } from '#sandbox/lender/core/message-parts.ts'
import { requireLamfLending } from './lenders.ts'

/** Whether the lender has one page for all steps after its offer in this conversation. */
export const hasStops = ({ version }: Pick<Conversation, 'version'>): boolean => version === fundsWithStops

/** The stops, each with how it is done. */
const names = {
  PERSONAL_INFORMATION_LAMF: 'Personal Information',
  SINGLE_REDIRECTION: 'Single Redirection',
  KYC: 'DIGILOCKER',
  EMANDATE: 'E-MANDATE',
  LIEN_MARKING: 'REGISTRAR',
  ESIGN: 'E-SIGN',
} as const
type StopType = keyof typeof names

/** How many of the stops are done at a status; on the page the borrower has begun the one that is the page. */
const doneAt: Partial<Record<LoanStatus, readonly StopType[]>> = {
  OFFERED: ['PERSONAL_INFORMATION_LAMF'],
  QUOTED: ['PERSONAL_INFORMATION_LAMF'],
  IDENTIFIED: ['PERSONAL_INFORMATION_LAMF', 'KYC'],
  MANDATED: ['PERSONAL_INFORMATION_LAMF', 'KYC', 'EMANDATE'],
  PLEDGED: ['PERSONAL_INFORMATION_LAMF', 'KYC', 'EMANDATE', 'LIEN_MARKING'],
  SIGNED: ['PERSONAL_INFORMATION_LAMF', 'KYC', 'EMANDATE', 'LIEN_MARKING', 'ESIGN'],
}
const untouched: LoanStatus[] = ['SEARCHED', 'CONSENTING', 'OFFERED', 'QUOTED', 'EXPIRED', 'REFUSED', 'REJECTED']
/** Whether the borrower has done nothing on the page yet. */
export const isUntouched = ({ status }: Pick<Conversation, 'status'>): boolean => untouched.includes(status)

const finished: LoanStatus[] = ['READY', 'SANCTIONED', 'DISBURSED']

function stateOf(type: StopType, status: LoanStatus): string {
  if (finished.includes(status) || doneAt[status]?.includes(type)) return 'COMPLETED'
  return type === 'SINGLE_REDIRECTION' && !untouched.includes(status) ? 'IN_PROGRESS' : 'PENDING'
}

/** The progress of a conversation, as its fulfilment tells it. */
export function progressOf(
  { slug }: Pick<LenderPolicy, 'slug'>,
  { status }: Pick<Conversation, 'status'>,
): ProgressDraft {
  const stops = Object.entries(names).map(
    ([type, name]): NewStop => ({ type, name, state: stateOf(type as StopType, status) }),
  )
  return { id: `FUL-${slug.toUpperCase()}-ONE-PAGE`, type: 'ONLINE', stops }
}

/** The loan to value of equity funds, the least that the lender grants. */
export const loanToValueText = ({ slug }: Pick<LenderPolicy, 'slug'>): string =>
  bpsText(requireLamfLending(slug).ltv.equity)

/** What the lender states with stops; undefined in a conversation with a page per step. */
export function stopsParts(
  policy: LenderPolicy,
  conversation: Conversation,
  terms: NonNullable<StopsParts['contract']>['lender'],
): StopsParts | undefined {
  if (!hasStops(conversation)) return undefined
  const { buyerTerms } = conversation
  return {
    progress: progressOf(policy, conversation),
    loanToValue: loanToValueText(policy),
    contract: buyerTerms && { buyer: buyerTerms, lender: terms },
  }
}
