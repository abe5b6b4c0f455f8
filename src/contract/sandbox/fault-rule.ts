// A row of the table of fault scenarios that the sandbox can play.

export type FaultScenario =
  | 'no-offer'
  | 'late-offer'
  | 'nack-select'
  | 'error-offer'
  | 'kyc-rejected'
  | 'kyc-retry'
  | 'account-retry'
  | 'mandate-rejected'
  | 'mandate-retry'
  | 'esign-retry'
  | 'short-offer'
  | 'refused-after-offer'
  | 'slow-disbursal'
  | 'silent-disbursal'
  | 'consent-failed'
  | 'data-failed'
  | 'consent-late'
  | 'handle-needed'
  | 'short-consent'
  | 'monitoring'
  | 'offline'
  | 'offline-online'
  | 'two-offers'
  | 'missed-instalment'
  | 'payment-retry'
  | 'short-payment'
  | 'no-payment-page'
  | 'missed-when-asked'
  | 'gold-refused'
  | 'silent-visit'
  | 'lien-retry'
  | 'lien-rejected'
  | 'lien-partial'
  | 'no-units'
  | 'line-drawn'
  | 'grievance-late'
  | 'grievance-question'
  | 'grievance-silent'
  | 'grievance-refund'
  | 'grievance-untold'

/** A row of the table that the lenders, their page, the demo page and the documents read. */
export interface FaultRule {
  /** Characters 6 to 9 of the PAN. */
  digits: string
  scenario: FaultScenario
  /** The lenders it happens at, where it is not every lender. The others decide honestly. */
  lenders?: string[]
  title: string
  what: string
  /** What comes of it, beside that, for whoever integrates. */
  outcome?: string
}
