// The English texts of the policy page.

export const automaticTexts = { title: 'Automatic decisions' }

export const policyTexts = {
  title: 'Policy',
  lead: 'The rules that the system follows. One admin proposes a change, and another admin confirms it.',
  onlyAdmin:
    'You are the only admin, so no one else can confirm a change. Add another admin on the command line: lendloom desk add.',
  refused: 'Your changes that were refused',
  refusedBy: (decider: string): string => `${decider} refused your change:`,
  tryAgain: 'Propose it again below if it is still needed.',
  pendingChange: 'Waiting for a second admin:',
  seePolicy: 'See it under Policy',
  waiting: 'Changes to confirm',
  decided: 'Decided changes',
  noneWaiting: 'No changes to confirm.',
  proposed: (name: string, age: string): string => `Proposed by ${name} ${age} ago.`,
  effectiveWhenConfirmed: 'It takes effect when confirmed.',
  effectiveOn: 'It takes effect on',
  reasonLabel: 'Reason:',
  none: 'none',
  becomes: 'becomes',
  fromTo: (before: string | null, after: string | null): string => `from ${before ?? 'none'} to ${after ?? 'none'}`,
  confirm: 'Confirm the change',
  ownProposal: 'You proposed this, so another admin must decide.',
  aboutYou: 'It is about you, so another admin must decide.',
  propose: 'Propose a change',
  button: 'Propose to a second admin',
  reason: 'Reason, for the second admin',
  from: 'Effective from',
  fromField: 'Effective from',
  inForce: 'In force',
  inForceFrom: 'From',
  columns: {
    what: 'What',
    from: 'From',
    by: 'Proposed by',
    reason: 'Reason',
    state: 'State',
    decidedBy: 'Decided by',
    when: 'When',
    why: 'Decision note',
    change: 'Change',
  },
} as const

export const mailTexts = {
  title: 'Mails about dues',
  lead: 'What borrowers receive, with example values. Each mail is sent once, within the contact hours.',
  off: 'What borrowers would receive, with example values. No mail server is set, so no mail is sent.',
  before: 'Before the due date',
  beforeUnmandated: 'Before the due date, without an active mandate',
  after: 'After the due date',
  introduction: 'Before an agent’s first contact',
  example: {
    name: 'Lakshmi Nair',
    loanId: '135881295831226445',
    mandateNumber: 'SBXU7000000000012345',
    agent: 'Vikram Shetty',
    contactDetails: '+91 22 4000 0000',
  },
} as const

export const debitTexts = {
  title: 'Debits, contacts and reminders',
  lead: 'How debits are presented, and when borrowers with overdue loans are contacted. The regulator does not allow contact before 8 am or after 7 pm. Where a bank rule for debits is stricter, it holds.',
  retryDays: 'Days between a returned debit and the next attempt',
  mostAttempts: 'Debit attempts per instalment before manual review',
  weekdays: 'Weekdays for debits',
  onHolidays: 'Also on bank holidays',
  contact: 'Contact hours',
  contactFromHour: 'Contact from, hour',
  contactUntilHour: 'Contact until, hour',
  remindBefore: 'Reminders before the due date, days',
  remindAfter: 'Reminders after the due date, days',
  /** In the form the unit stands behind the field. */
  fields: {
    retryDays: { label: 'Days between a returned debit and the next attempt', unit: 'days' },
    mostAttempts: { label: 'Debit attempts per instalment before manual review', unit: 'attempts' },
    contactFromHour: { label: 'Contact from', unit: 'o’clock' },
    contactUntilHour: { label: 'Contact until', unit: 'o’clock' },
    remindBefore: { label: 'Reminders before the due date', unit: 'days' },
    remindAfter: { label: 'Reminders after the due date', unit: 'days' },
  },
  setting: 'Setting',
  list: 'separated by commas; leave empty for none',
  listBefore: 'separated by commas; one must be 2 or more',
  none: 'None',
  yes: 'Yes',
  no: 'No',
  days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
} as const

export const railTexts = {
  title: 'Bank rules for debits',
  lead: 'What banks require of debits, besides the policy. Staff may exceed only the tries and the days between them.',
  rule: 'Rule',
  hours: 'The bank accepts debits',
  sessions: 'Sessions',
  onHolidays: 'Also on bank holidays',
  resultHours: 'Hours until the result is known',
  noticeHours: 'Hours of notice before a debit',
  byBank: 'The bank sends a notice of each debit',
  maxDebit: 'Most for one debit',
  maxMandate: 'Most for a mandate',
  maxAttempts: 'Debit attempts per instalment, at most',
  retryDays: 'Days between attempts, at least',
  pausable: 'The borrower can pause the mandate',
} as const

export const holidayTexts = {
  title: 'Bank holidays',
  lead: 'Days on which banks are closed. If debits are not presented on holidays, they are presented on the next working day.',
  year: 'Year',
  day: 'Day',
  name: 'Name',
  field: 'All holidays of the year, one on each line: the day, then its name',
  hint: 'You cannot change past days.',
  none: 'No holidays entered for this year.',
} as const

export const provisionTexts = {
  title: 'Provision rates',
  lead: 'Share of the outstanding principal, by asset class, applied at the close of each day. A rate below the regulator’s norm for unsecured loans is refused. A middle-layer lender provides at least 0.40% for standard assets.',
  assetClass: 'Asset class',
  minimum: 'Minimum norm',
} as const

export const bankRuleTexts = {
  title: 'Bank data rules',
  lead: 'Limits for the bank data of a new application, checked in the order of the rules. The decision shows the number of the first rule that applies. If EMIs with an officer’s offer exceed the limit to decline, a second person decides on the offer.',
  code: 'Code',
  measure: 'Figure',
  bound: 'Limit',
  value: 'Value',
  effect: 'If not met',
  declineIf: 'Decline if',
  reviewIf: 'Review if',
  rule: 'rule',
  most: 'at most',
  least: 'at least',
  beyond: { most: 'over', least: 'under' },
  REVIEW: 'Review',
  DECLINE: 'Decline',
  order: 'Order',
  remove: 'Rows without a code are ignored.',
  none: 'There are no rules: every analysis that is complete is accepted.',
} as const
