// The journey's lifecycle as a table: the statuses and their order are those of D1 §3; the moves are our names for causes.
import type { LifecycleStatus } from '#contract/hosted/lifecycle.ts'
import type { Table } from '#kit/runtime/machine.ts'

/**
 * `profiled` a lender took the profile · `offered` a first offer came · `noneOffered` every lender said no ·
 * `selected` the borrower chose · `accepted` the borrower accepted the final terms · `redirected` the borrower opened
 * the lender's page · `rejected` a lender or the borrower ended it · `disbursed` the money was paid out.
 */
export type Move =
  | 'profiled'
  | 'offered'
  | 'noneOffered'
  | 'selected'
  | 'accepted'
  | 'redirected'
  | 'rejected'
  | 'disbursed'

export const lifecycle: Table<LifecycleStatus, Move> = {
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
