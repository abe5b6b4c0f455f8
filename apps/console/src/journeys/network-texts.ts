// Sentences for network messages.

import { fieldsOf, isKeyOf } from '@lendloom/foundation/record'
import { inlineLabelOf } from '../ui/code-labels.ts'

type Phrase = (lender: string) => string

/** Requests that the platform sends. */
const requests: Record<string, Phrase> = {
  search: () => 'Requested offers from lenders',
  select: (lender) => `Requested an offer from ${lender}`,
  init: (lender) => `Sent ${lender} the borrower’s details`,
  confirm: (lender) => `Asked ${lender} to confirm the loan`,
  status: (lender) => `Requested the loan’s status from ${lender}`,
  update: (lender) => `Asked ${lender} to change the loan`,
  form: (lender) => `Submitted the form to ${lender}`,
  cancel: (lender) => `Asked ${lender} to cancel the loan`,
  support: (lender) => `Asked ${lender} for its support contact`,
  track: (lender) => `Asked ${lender} where to follow the loan`,
  rating: (lender) => `Sent ${lender} the borrower’s rating`,
  issue: (lender) => `Raised an issue with ${lender}`,
  issue_status: (lender) => `Requested the issue’s status from ${lender}`,
}

/** Callbacks that lenders send. */
const callbacks: Record<string, Phrase> = {
  on_search: (lender) => `${lender} answered the search`,
  on_select: (lender) => `${lender} answered the request for an offer`,
  on_init: (lender) => `${lender} answered the borrower’s details`,
  on_confirm: (lender) => `${lender} confirmed the loan`,
  on_status: (lender) => `${lender} reported the status of the application`,
  on_update: (lender) => `${lender} reported the new state of the loan`,
  on_cancel: (lender) => `${lender} answered about the cancellation`,
  on_support: (lender) => `${lender} sent its support contact`,
  on_track: (lender) => `${lender} sent the page for following the loan`,
  on_rating: (lender) => `${lender} received the rating`,
  on_issue: (lender) => `${lender} answered the issue`,
  on_issue_status: (lender) => `${lender} reported the status of the issue`,
}

/** A sentence for a message; the action's code and the lender if the action is unknown. */
export function messageWords(action: string, lender: string): string {
  const phrase = requests[action] ?? callbacks[action]
  return phrase?.(lender) ?? (action.startsWith('on_') ? `${action} from ${lender}` : `${action} to ${lender}`)
}

/** Messages about a drawdown, whose actions are those of an application. */
const drawdownMessages: Record<string, Phrase> = {
  init: (lender) => `Asked ${lender} for the terms of a drawdown`,
  on_init: (lender) => `${lender} stated the terms of the drawdown`,
  confirm: (lender) => `Asked ${lender} to pay out the drawdown`,
  on_confirm: (lender) => `${lender} accepted the drawdown`,
}

/** Payments for which the borrower asked, by the label of the network. */
const payments: Record<string, string> = {
  FORECLOSURE: 'the early closing',
  PRE_PART_PAYMENT: 'a part payment',
  MISSED_EMI_PAYMENT: 'a missed instalment',
}

function paymentWords(action: string, lender: string, { payment, state }: { payment: string; state: string }): string {
  if (action === 'update') return `Asked ${lender} for the payment page of ${payment}`
  if (state === 'PAID') return `${lender} confirmed the payment of ${payment}`
  return state === 'NOT-PAID'
    ? `${lender} sent the payment page of ${payment}`
    : `${lender} reported the payment of ${payment}: ${inlineLabelOf(state)}`
}

const subjectNames: Record<string, string> = {
  PERSONAL_INFORMATION: 'personal data',
  PERSONAL_INFORMATION_LAMF: 'personal data',
  LOAN_OFFER: 'offer',
  KYC: 'identity',
  BANK_ACCOUNT_VERIFICATION: 'bank account',
  REPAYMENT: 'mandate',
  EMANDATE: 'mandate',
  LIEN_MARKING: 'pledge',
  ESIGN: 'signature',
  LOAN_AGREEMENT: 'agreement',
  FORM: 'form',
  DRAWDOWN: 'drawdown',
}

const stateNames: Record<string, string> = { SUCCESSFUL: 'done', SUCCESS: 'done', COMPLETED: 'done' }

/** What a lender reports, such as `identity done` or `disbursed`. */
function progressWords({ subject, state }: { subject: string | null; state: string }): string {
  const word = (isKeyOf(stateNames, state) && stateNames[state]) || inlineLabelOf(state)
  if (subject === null) return word
  return `${(isKeyOf(subjectNames, subject) && subjectNames[subject]) || inlineLabelOf(subject)} ${word}`
}

interface MessageSubject {
  /** What the message is about and reports, if that is known. */
  about: unknown
  /** Whether it has an error instead of an answer. */
  isError?: boolean
}

/** A sentence for a message, with what it is about and reports if that is known. */
export function sentenceFor(action: string, lender: string, { about, isError = false }: MessageSubject): string {
  const { subject, state } = fieldsOf(about)
  const reported = typeof state === 'string' ? state : ''
  const name = typeof subject === 'string' ? subject : null
  if (name === 'DRAWDOWN' && isKeyOf(drawdownMessages, action)) {
    if (isError) return `${lender} refused the drawdown`
    // An answer that is not understood has no terms and no state.
    if (action.startsWith('on_') && reported === '') return `${lender} answered about the drawdown`
    return drawdownMessages[action]?.(lender) ?? ''
  }
  if (name !== null && isKeyOf(payments, name))
    return paymentWords(action, lender, { payment: payments[name] ?? '', state: reported })
  if (reported === '') return messageWords(action, lender)
  return `${lender} reported: ${progressWords({ subject: name, state: reported })}`
}

export const requestOf = (action: string): string => action.replace(/^on_/, '')

/** The action codes of an exchange: both if the callback answers the request, otherwise that of the callback. */
export function actionCodes(sent: string | undefined, callback?: string): string {
  if (sent && callback && requestOf(callback) === sent) return `${sent}, ${callback}`
  const action = callback ?? sent ?? ''
  // A form is no action of the network, and the sentence names it already.
  return action === 'form' ? '' : action
}

/** Why a message changed nothing, in an operator's words. */
export function ignoredText(note: string): string {
  if (note === '') return 'Not used: it arrived too late'
  if (note === 'the journey has ended') return 'Not used: the journey had already ended'
  return `Not used: ${note.replace(/^the conversation has ended: /, '')}`
}
