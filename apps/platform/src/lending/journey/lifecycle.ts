// The transitions of a journey's lifecycle (D1 §3). Its longest path has the seven events that D1 §6.3 allows.

import type { Table } from '@lendloom/foundation/machine'
import type { LifecycleStatus } from '@lendloom/wire/hosted/lifecycle'

export type JourneyMove =
  | 'profiled' // a lender received the profile
  | 'offered' // the first offer arrived
  | 'noneOffered' // every lender declined
  | 'selected' // the borrower chose an offer
  | 'accepted' // the borrower accepted the final terms
  | 'redirected' // the borrower opened the lender's page
  | 'rejected' // the lender or the borrower ended the journey
  | 'disbursed' // the lender disbursed the loan

export const lifecycle: Table<LifecycleStatus, JourneyMove> = {
  STARTED: { profiled: 'PROFILED', rejected: 'REJECTED' },
  PROFILED: { offered: 'OFFERED', noneOffered: 'NOT_OFFERED', rejected: 'REJECTED' },
  OFFERED: { selected: 'OFFER_SELECTED', rejected: 'REJECTED' },
  OFFER_SELECTED: { accepted: 'OFFER_ACCEPTED', rejected: 'REJECTED' },
  OFFER_ACCEPTED: { redirected: 'LENDER_REDIRECTED', rejected: 'REJECTED' },
  LENDER_REDIRECTED: { rejected: 'REJECTED', disbursed: 'DISBURSED' },
  NOT_OFFERED: {},
  REJECTED: {},
  DISBURSED: {},
}
