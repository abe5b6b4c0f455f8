// Splits the text in which a lender states its account for repayments.

export interface AccountText {
  /** The holder and the bank. */
  payee: string
  /** What a borrower enters in a banking app: `UPI` addresses, `IFSC` codes, and account numbers, whose kind is empty. */
  details: [kind: 'UPI' | 'IFSC' | '', text: string][]
}

/** `Kaveri Bank, account 000123456789, IFSC KVRB0000123` has the payee `Kaveri Bank` and two details. */
export function splitAccount(account: string): AccountText {
  const details = account.split(/[\s,;]+/).filter(isDetail)
  const payee = account
    .split(/[;,] ?/)
    .filter((part) => part.split(' ').length > 2 || !part.split(' ').some(isDetail))
    .join(', ')
  return { payee, details: details.map((text) => [kindOf(text), text]) }
}

const kindOf = (detail: string) => (detail.includes('@') ? 'UPI' : /^\d/.test(detail) ? '' : 'IFSC')

const isDetail = (word: string): boolean => /^(?:\d{9,18}|[A-Z]{4}0[A-Z0-9]{6}|[\w.-]{2,256}@[a-z]{2,64})$/i.test(word)
