// The sandbox's own rules: four digits of the PAN decide what goes wrong, so that every ending can be met on purpose.

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

export interface Rule {
  /** Characters 6 to 9 of the PAN. */
  digits: string
  scenario: FaultScenario
  /** The lenders it happens at; null means every lender. The others decide honestly. */
  lenders: string[] | null
  what: string
}

export const rules: Rule[] = [
  {
    digits: '9001',
    scenario: 'no-offer',
    lenders: ['kaveri', 'tulsi'],
    what: 'Kaveri Bank and Tulsi Credit make no offer (80226); the others decide honestly.',
  },
  { digits: '9002', scenario: 'no-offer', lenders: null, what: 'No lender makes an offer (80226).' },
  {
    digits: '9003',
    scenario: 'late-offer',
    lenders: ['meridian'],
    what: 'Meridian Finance answers the first select after its time limit (ttl) has passed.',
  },
  {
    digits: '9004',
    scenario: 'nack-select',
    lenders: ['meridian'],
    what: 'Meridian Finance answers select with a NACK (30000), so no callback follows.',
  },
  {
    digits: '9005',
    scenario: 'error-offer',
    lenders: ['meridian'],
    what: 'Meridian Finance calls back with an error instead of an offer (80203).',
  },
  { digits: '9006', scenario: 'kyc-rejected', lenders: null, what: 'KYC is rejected, whatever the borrower does.' },
  { digits: '9007', scenario: 'kyc-retry', lenders: null, what: 'KYC fails once and may be tried again (80205).' },
  {
    digits: '9008',
    scenario: 'account-retry',
    lenders: null,
    what: 'The bank account cannot be verified the first time (80206).',
  },
  { digits: '9009', scenario: 'mandate-rejected', lenders: null, what: 'The bank rejects the repayment mandate.' },
  {
    digits: '9010',
    scenario: 'esign-retry',
    lenders: null,
    what: 'Signing the agreement fails once and may be tried again (80209).',
  },
  {
    digits: '9011',
    scenario: 'short-offer',
    lenders: null,
    what: 'Offers lapse after twenty seconds (quote ttl PT20S), and so does what is asked for before them; later requests meet 40003.',
  },
  {
    digits: '9012',
    scenario: 'refused-after-offer',
    lenders: null,
    what: 'The lender refuses when amount and term are chosen (80226).',
  },
  { digits: '9013', scenario: 'slow-disbursal', lenders: null, what: 'The money takes ten times as long to arrive.' },
  {
    digits: '9014',
    scenario: 'silent-disbursal',
    lenders: null,
    what: 'The lender disburses without telling: only status shows it.',
  },
  {
    digits: '9015',
    scenario: 'mandate-retry',
    lenders: null,
    what: 'Setting up the mandate fails once and may be tried again (80207).',
  },
  {
    digits: '9021',
    scenario: 'consent-failed',
    lenders: ['narmada'],
    what: 'Narmada Finserv cannot ask for the bank data consent (80201).',
  },
  {
    digits: '9022',
    scenario: 'data-failed',
    lenders: ['narmada'],
    what: 'Narmada Finserv cannot read the bank data that was shared (80202).',
  },
  {
    digits: '9023',
    scenario: 'consent-late',
    lenders: ['narmada'],
    what: 'Narmada Finserv gives up although the consent was approved (80224).',
  },
  {
    digits: '9024',
    scenario: 'handle-needed',
    lenders: ['narmada'],
    what: 'Narmada Finserv does not take the account aggregator handle of the mobile number (80230); another one it takes.',
  },
  {
    digits: '9025',
    scenario: 'monitoring',
    lenders: null,
    what: 'After the sanction the lender asks for a consent to watch the account, and pays out once it is given.',
  },
  {
    digits: '9026',
    scenario: 'short-consent',
    lenders: ['narmada'],
    what: 'The bank data consent of Narmada Finserv expires after twenty seconds.',
  },
  {
    digits: '9031',
    scenario: 'missed-instalment',
    lenders: null,
    what: 'The first instalment counts as missed as soon as the money is paid out.',
  },
  {
    digits: '9032',
    scenario: 'payment-retry',
    lenders: null,
    what: 'A payment after disbursal fails once and may be tried again (80213).',
  },
  {
    digits: '9033',
    scenario: 'short-payment',
    lenders: null,
    what: 'Payment pages after disbursal are valid for five seconds.',
  },
  {
    digits: '9034',
    scenario: 'no-payment-page',
    lenders: null,
    what: 'The lender cannot show a payment page after disbursal (80212).',
  },
  {
    digits: '9035',
    scenario: 'missed-when-asked',
    lenders: null,
    what: 'Nothing counts as missed until a missed instalment is asked for: the answer marks the first one and links to it.',
  },
  {
    digits: '9072',
    scenario: 'offline',
    lenders: null,
    what: 'A personal loan goes on outside the app: the page of the lender (JOURNEY_OFFLINE) takes the application over, first as pending, and nothing but the confirmation follows.',
  },
  {
    digits: '9073',
    scenario: 'offline-online',
    lenders: null,
    what: 'Identity, account and mandate of a personal loan are seen to on the page of the lender (KYC_OFFLINE); the agreement is signed online.',
  },
  {
    digits: '9071',
    scenario: 'two-offers',
    lenders: ['sahyadri'],
    what: 'Sahyadri Capital makes two offers: one at once, which a second form takes, and a cheaper one after it has seen bank data.',
  },
  {
    digits: '9041',
    scenario: 'gold-refused',
    lenders: null,
    what: 'The branch turns the gold down, whatever the borrower chooses.',
  },
  {
    digits: '9042',
    scenario: 'silent-visit',
    lenders: null,
    what: 'How the visit to the branch ended is not announced: only status tells it.',
  },
  {
    digits: '9051',
    scenario: 'lien-retry',
    lenders: null,
    what: 'The registrar cannot mark the lien the first time (80215).',
  },
  { digits: '9052', scenario: 'lien-rejected', lenders: null, what: 'The registrar rejects the lien for good.' },
  {
    digits: '9053',
    scenario: 'lien-partial',
    lenders: null,
    what: 'The registrar marks the units of the first scheme only, and the others at the second try (80215).',
  },
  {
    digits: '9054',
    scenario: 'no-units',
    lenders: null,
    what: 'All units turn out to be under a lien already: no offer against mutual funds (80227).',
  },
  {
    digits: '9055',
    scenario: 'line-drawn',
    lenders: null,
    what: 'Half of a credit line is drawn soon after it is open, and half of that paid back as much later.',
  },
  {
    digits: '9061',
    scenario: 'grievance-late',
    lenders: null,
    what: 'A complaint is answered only after the time for a first answer has passed.',
  },
  {
    digits: '9062',
    scenario: 'grievance-question',
    lenders: null,
    what: 'The lender asks for more information before it resolves a complaint.',
  },
  {
    digits: '9063',
    scenario: 'grievance-silent',
    lenders: null,
    what: 'The lender keeps silent about a complaint until it is escalated.',
  },
  {
    digits: '9064',
    scenario: 'grievance-refund',
    lenders: null,
    what: 'A complaint is resolved with a refund of ₹500.',
  },
  {
    digits: '9065',
    scenario: 'grievance-untold',
    lenders: null,
    what: 'A complaint is resolved without telling: only asking shows it.',
  },
]

/** What the PAN asks of this lender; null for an ordinary applicant. */
export function scenarioFor(pan: string, slug: string): FaultScenario | null {
  const digits = pan.slice(5, 9)
  const rule = rules.find((each) => each.digits === digits && (each.lenders === null || each.lenders.includes(slug)))
  return rule?.scenario ?? null
}
