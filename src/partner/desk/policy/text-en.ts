// The English texts of the policy page.
import type { Measure } from '#partner/review/bank/figures.ts'

export const policyTexts = {
  secondFactor: 'To your own page',
  title: 'Policy',
  lead: 'What the lender decides once and programs follow. One admin proposes a change, another confirms it; nobody confirms their own.',
  alone: 'Nobody else is an admin, so nobody could confirm a change. Another one is made with lendloom desk add.',
  waits: 'Waiting for a second admin:',
  see: 'See it under Policy',
  waiting: 'Changes to confirm',
  decided: 'Decided changes',
  nothingWaits: 'No change waits.',
  proposed: (name: string, age: string): string => `Proposed by ${name} ${age} ago.`,
  atOnce: 'It holds from the confirmation on.',
  holdsOn: 'It holds from',
  because: 'Reason:',
  none: 'none',
  own: 'Another admin decides this.',
  about: 'It is about you, so another admin decides it.',
  confirm: 'Confirm',
  refuse: 'Refuse',
  refusing: 'Reason for refusing',
  withdraw: 'Withdraw',
  propose: 'Propose a change',
  button: 'Propose to a second admin',
  reason: 'Reason, for the second admin who confirms it',
  from: 'Holds from, a day after today',
  fromField: 'Holds from',
  holds: 'In force',
  holdsFrom: 'From',
  columns: {
    what: 'What',
    from: 'From',
    by: 'Proposed by',
    reason: 'Reason',
    state: 'State',
    decidedBy: 'Decided by',
    when: 'When',
    why: 'Why',
    change: 'Change',
  },
} as const

export const debitTexts = {
  title: 'Debits, contacts and reminders',
  lead: 'How debits are asked for and borrowers in arrears are contacted. Nobody is contacted before 08:00 or after 19:00, by the regulator’s rules.',
  retryDays: 'Days from a returned debit to the next',
  mostAttempts: 'Debits of one instalment before a person decides',
  weekdays: 'Days on which debits are presented',
  onHolidays: 'Also on bank holidays',
  contact: 'Hours of contact',
  contactFromHour: 'Contact from, hour',
  contactUntilHour: 'Contact until, hour',
  remindBefore: 'Reminders before the due date, days',
  remindAfter: 'Reminders after the due date, days',
  part: 'Part',
  list: 'with commas between them; empty for none',
  none: 'None',
  yes: 'Yes',
  no: 'No',
  days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
} as const

export const holidayTexts = {
  title: 'Bank holidays',
  lead: 'Days on which banks are closed. Where debits are not presented on them, they wait for the next day.',
  year: 'Year',
  day: 'Day',
  name: 'Name',
  field: 'All holidays of the year, one on each line: the day, then its name',
  hint: 'Days that have passed stay as they are.',
  none: 'None is written down for this year.',
} as const

export const provisionTexts = {
  title: 'Provision rates',
  lead: 'Of the outstanding principal, by asset class, with each end of a day. Less than the regulator’s norm for loans without security is refused; a lender of the middle layer provides at least 0.40 % for standard assets.',
  assetClass: 'Asset class',
  least: 'Norm, at least',
} as const

export const bankRuleTexts = {
  title: 'Rules for bank data',
  lead: 'What the bank data of a new application are held against, in this order: the code of the first rule that is not met stands beside the decision.',
  code: 'Code',
  measure: 'Figure',
  bound: 'Bound',
  value: 'Value',
  effect: 'If not met',
  most: 'at most',
  least: 'at least',
  REVIEW: 'Review',
  DECLINE: 'Decline',
  order: 'Order',
  remove: 'A row without a code is left out.',
  none: 'There are no rules: every analysis that is complete is accepted.',
} as const

export const measureTexts: Record<Measure, string> = {
  months: 'Months of statement',
  returnedDebits: 'Returned debits in three months',
  obligationsPercent: 'Obligations, % of income',
  inflowPercent: 'Inflow, % of stated income',
  averageBalanceRupees: 'Average balance, ₹',
}
