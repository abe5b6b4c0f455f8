// The table of D1 §2.6, row by row: what each field may be in each status.

type Row = Record<string, readonly unknown[]>

const nothingYet = { kyc_attempts: [null], emandate_attempts: [null], esign_attempts: [null] }
const all = (status: unknown) => ({ kyc_status: [status], emandate_status: [status], esign_status: [status] })
const active = { activity_status: ['ACTIVE'], decision_status: [null] }
const inactive = { activity_status: ['INACTIVE'], decision_status: ['NOT_APPROVED'] }
const notSearched = { lender_mode: [null], lenders: ['empty'], offers: ['empty'] }
const set = ['ONLINE', 'OFFLINE']
const offered = { lenders: ['filled'], offers: ['filled'], installments: [0] }
const chosen = { ...active, ...offered, lender_mode: set, preferred: [true] }
const tries = [null, 1, 2, 3]

export const stages: Record<string, Row> = {
  STARTED: { ...active, ...all(null), ...nothingYet, ...notSearched, preferred: [false] },
  PROFILED: { ...active, ...all('PENDING'), ...nothingYet, ...notSearched, preferred: [false] },
  OFFERED: {
    ...active,
    ...all('PENDING'),
    ...nothingYet,
    ...offered,
    lender_mode: [null],
    accepted: [0],
    preferred: [false],
  },
  NOT_OFFERED: {
    ...inactive,
    ...all('PENDING'),
    ...nothingYet,
    lender_mode: [null],
    lenders: ['filled'],
    offers: ['empty'],
  },
  OFFER_SELECTED: { ...chosen, ...all('PENDING'), ...nothingYet, accepted: [0] },
  OFFER_ACCEPTED: { ...chosen, ...all('PENDING'), ...nothingYet, accepted: [1] },
  LENDER_REDIRECTED: { ...chosen, ...all('PENDING'), ...nothingYet, kyc_attempts: [1], accepted: [1] },
  // Its other cells are "as before": they are compared with the update before it.
  REJECTED: { ...inactive, kyc_attempts: tries, emandate_attempts: tries, esign_attempts: tries, installments: [0] },
  DISBURSED: {
    activity_status: ['ACTIVE'],
    decision_status: ['APPROVED'],
    lender_mode: set,
    ...all('SUCCESS'),
    // The document shows 1 for each; a step that was tried again says so.
    kyc_attempts: [1, 2],
    emandate_attempts: [1, 2],
    esign_attempts: [1, 2],
    lenders: ['filled'],
    offers: ['filled'],
    accepted: [1],
    installments: [1],
    preferred: [true],
  },
}
