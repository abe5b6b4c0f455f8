// The table of D1 §2.6, row by row: the allowed values of each field in each status.

type Row = Record<string, readonly unknown[]>

const noAttempts = { kyc_attempts: [null], emandate_attempts: [null], esign_attempts: [null] }
const everyStep = (status: unknown) => ({ kyc_status: [status], emandate_status: [status], esign_status: [status] })
const activeJourney = { activity_status: ['ACTIVE'], decision_status: [null] }
const endedJourney = { activity_status: ['INACTIVE'], decision_status: ['NOT_APPROVED'] }
const noLenders = { lender_mode: [null], lenders: ['empty'], offers: ['empty'] }
const lenderModes = ['ONLINE', 'OFFLINE']
const withOffers = { lenders: ['filled'], offers: ['filled'], installments: [0] }
const offerChosen = { ...activeJourney, ...withOffers, lender_mode: lenderModes, preferred: [true] }
const attempts = [null, 1, 2, 3]

export const stages: Record<string, Row> = {
  STARTED: { ...activeJourney, ...everyStep(null), ...noAttempts, ...noLenders, preferred: [false] },
  PROFILED: { ...activeJourney, ...everyStep('PENDING'), ...noAttempts, ...noLenders, preferred: [false] },
  OFFERED: {
    ...activeJourney,
    ...everyStep('PENDING'),
    ...noAttempts,
    ...withOffers,
    lender_mode: [null],
    accepted: [0],
    preferred: [false],
  },
  NOT_OFFERED: {
    ...endedJourney,
    ...everyStep('PENDING'),
    ...noAttempts,
    lender_mode: [null],
    lenders: ['filled'],
    offers: ['empty'],
  },
  OFFER_SELECTED: { ...offerChosen, ...everyStep('PENDING'), ...noAttempts, accepted: [0] },
  OFFER_ACCEPTED: { ...offerChosen, ...everyStep('PENDING'), ...noAttempts, accepted: [1] },
  LENDER_REDIRECTED: { ...offerChosen, ...everyStep('PENDING'), ...noAttempts, kyc_attempts: [1], accepted: [1] },
  // The document says "as before" for its other fields; they are compared with the previous update.
  REJECTED: {
    ...endedJourney,
    kyc_attempts: attempts,
    emandate_attempts: attempts,
    esign_attempts: attempts,
    installments: [0],
  },
  DISBURSED: {
    activity_status: ['ACTIVE'],
    decision_status: ['APPROVED'],
    lender_mode: lenderModes,
    ...everyStep('SUCCESS'),
    // The document shows 1; the count is 2 after a retry.
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
