// The form of the step bank mandate: the account for the payout (D2 §4).

import { Closed, type Static, Type } from '@lendloom/foundation/schema'
import { FreeText } from '#wire/hosted/profile.ts'
import { accountNumberPattern, ifscPattern } from '#wire/identifier.ts'

/** `saving`, `savings` or `current`, in any case. */
export const AccountType = Type.String({
  pattern: '^\\s*(?:[Ss][Aa][Vv][Ii][Nn][Gg][Ss]?|[Cc][Uu][Rr][Rr][Ee][Nn][Tt])\\s*$',
  maxLength: 20,
  'x-says': 'must be savings or current',
})

export const canonicalAccountType = (input: string): 'saving' | 'current' =>
  /^\s*current/i.test(input) ? 'current' : 'saving'

export const BankMandateRequest = Closed({
  accountHolderName: FreeText(100),
  accountNumber: Type.String({
    pattern: accountNumberPattern,
    'x-says': 'must be an account number of 9 to 18 digits',
  }),
  ifsc: Type.String({ pattern: ifscPattern, 'x-says': 'must be an IFSC, such as HDFC0000001' }),
  accountType: AccountType,
})
export type BankMandateRequest = Static<typeof BankMandateRequest>
