// The demo's explanations: a sentence per lifecycle status, and the values to enter.

import { contractOf, type ProductId } from '@lendloom/lending/product/products'
import type { LifecycleStatus } from '@lendloom/wire/hosted/lifecycle'

const sentences: Record<LifecycleStatus, string> = {
  STARTED: 'The borrower has started.',
  PROFILED: 'The application is complete. We are requesting offers from lenders.',
  OFFERED: 'Offers have arrived.',
  NOT_OFFERED: 'No lender made an offer.',
  OFFER_SELECTED: 'The borrower has chosen an offer.',
  OFFER_ACCEPTED: 'The borrower has accepted the final terms.',
  LENDER_REDIRECTED: 'The borrower is on the lender’s page.',
  REJECTED: 'The lender has declined.',
  DISBURSED: 'The lender has paid out the loan.',
}

export const statusSentences: Record<string, string | undefined> = sentences

/** What the user of the sandbox has to enter, in the order of the journey. */
export function instructionsFor(id: ProductId): string[] {
  const { visitsBranch } = contractOf(id)
  return [
    'The application is pre-filled. Check it, choose what the loan is for, and agree.',
    visitsBranch
      ? 'Choose a branch, book any day, then choose “The visit went well” on the lender’s page.'
      : 'Use any account, for example 50100123456789 at HDFC0000001.',
    'Lenders’ and banks’ pages pre-fill one-time passwords. No messages are sent.',
  ]
}
