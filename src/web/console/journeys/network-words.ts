// Network messages in plain words, beside their codes.

type Phrase = (lender: string) => string

/** Our requests. */
const requests: Record<string, Phrase> = {
  search: () => 'Asked lenders for offers',
  select: (lender) => `Asked ${lender} for an offer`,
  init: (lender) => `Sent ${lender} the borrower’s details`,
  confirm: (lender) => `Asked ${lender} to confirm the loan`,
  status: (lender) => `Asked ${lender} for the status of the loan`,
  update: (lender) => `Asked ${lender} to change the loan`,
  form: (lender) => `Handed ${lender} the form`,
  issue: (lender) => `Raised an issue with ${lender}`,
  issue_status: (lender) => `Asked ${lender} for the status of the issue`,
}

/** The other side's callbacks. */
const callbacks: Record<string, Phrase> = {
  on_search: (lender) => `${lender} sent its form or products`,
  on_select: (lender) => `${lender} sent its offer or next form`,
  on_init: (lender) => `${lender} sent its form or terms`,
  on_confirm: (lender) => `${lender} confirmed the loan`,
  on_status: (lender) => `${lender} reported the status of the application`,
  on_update: (lender) => `${lender} changed the loan`,
  on_cancel: (lender) => `${lender} cancelled the loan`,
  on_issue: (lender) => `${lender} answered the issue`,
  on_issue_status: (lender) => `${lender} reported the status of the issue`,
}

/** A message as a sentence, or its code if the action has none. */
export function messageWords(action: string, lender: string): string {
  const phrase = requests[action] ?? callbacks[action]
  return phrase?.(lender) ?? (action.startsWith('on_') ? `${action} from ${lender}` : `${action} to ${lender}`)
}

export const requestOf = (action: string): string => action.replace(/^on_/, '')
