// The providers' sandbox rules: four digits of the PAN decide what goes wrong. Those below 9100 mean the same at the lenders.

export type Twist =
  | 'kyc-rejected'
  | 'kyc-retry'
  | 'kyc-cut-off'
  | 'kyc-short'
  | 'kyc-slow'
  | 'mandate-rejected'
  | 'mandate-retry'
  | 'mandate-frequency'
  | 'mandate-name'
  | 'mandate-slow'
  | 'mandate-withdrawn'
  | 'esign-retry'
  | 'esign-failed'
  | 'esign-short'
  | 'statement-unreadable'
  | 'statement-forged'
  | 'statement-other'
  | 'callback-doubled'
  | 'callback-disordered'
  | 'callback-lost'
  | 'callback-late'
  | 'callback-forged'

export interface Rule {
  /** Characters 6 to 9 of the PAN. */
  digits: string
  twist: Twist
  what: string
}

export const rules: Rule[] = [
  { digits: '9006', twist: 'kyc-rejected', what: 'KYC is rejected, whatever the borrower does.' },
  { digits: '9007', twist: 'kyc-retry', what: 'KYC fails once and may be tried again.' },
  { digits: '9009', twist: 'mandate-rejected', what: 'The bank rejects the mandate: no such account (AP05).' },
  { digits: '9010', twist: 'esign-retry', what: 'Signing fails once and may be tried again.' },
  { digits: '9015', twist: 'mandate-retry', what: 'Setting up the mandate fails once and may be tried again.' },
  { digits: '9101', twist: 'kyc-cut-off', what: 'The video call is cut off; KYC without video is as usual.' },
  { digits: '9102', twist: 'kyc-short', what: 'The KYC link expires after five seconds.' },
  { digits: '9103', twist: 'kyc-slow', what: 'The official takes ten times as long over a video.' },
  {
    digits: '9111',
    twist: 'mandate-frequency',
    what: 'The bank rejects a weekly mandate (AP27), and takes one as and when presented.',
  },
  { digits: '9112', twist: 'mandate-name', what: 'The bank rejects the mandate: name mismatch (AP08).' },
  { digits: '9113', twist: 'mandate-slow', what: 'The bank takes ten times as long over the mandate.' },
  { digits: '9114', twist: 'mandate-withdrawn', what: 'The borrower cancels the mandate at the bank soon after.' },
  { digits: '9121', twist: 'esign-failed', what: 'The signature fails for good: another name on the certificate.' },
  { digits: '9122', twist: 'esign-short', what: 'The link for signing expires after five seconds.' },
  { digits: '9141', twist: 'statement-unreadable', what: 'The bank statement cannot be read.' },
  { digits: '9142', twist: 'statement-forged', what: 'The bank statement turns out to be forged.' },
  { digits: '9143', twist: 'statement-other', what: 'The bank statement is of another account.' },
  { digits: '9151', twist: 'callback-doubled', what: 'Every callback is sent twice.' },
  { digits: '9152', twist: 'callback-disordered', what: 'The first callback comes after those that follow it.' },
  { digits: '9153', twist: 'callback-lost', what: 'No callback is sent: only a look-up tells.' },
  { digits: '9154', twist: 'callback-late', what: 'Callbacks take ten times as long.' },
  {
    digits: '9155',
    twist: 'callback-forged',
    what: 'A stranger calls back first, with a good ending and a wrong signature.',
  },
]

/** What the PAN asks of the providers; null for an ordinary borrower. */
export const twistFor = (pan: string): Twist | null =>
  rules.find(({ digits }) => digits === pan.trim().slice(5, 9))?.twist ?? null
