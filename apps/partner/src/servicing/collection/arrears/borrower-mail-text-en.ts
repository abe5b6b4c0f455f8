// English texts of the mails to borrowers about dues: before and after the due date, and the introduction of an agent.

export interface ReminderFacts {
  lender: string
  name: string
  loanId: string
  amount: string
  dueOn: string
  /** The first day with debits on or after the due date. */
  debitOn: string
  /** The last day to pay after a request to cancel; null without a request. */
  exitUntil: string | null
  officer: string
  /** The number of the active mandate; null without one. */
  mandateNumber: string | null
  isPausable: boolean
}

const exitSentence = ({ exitUntil }: Pick<ReminderFacts, 'exitUntil'>): string =>
  exitUntil
    ? `

You asked to cancel this loan. If your payment for this reaches us by ${exitUntil}, we will not collect the instalment. Otherwise the loan continues.`
    : ''

/** Says the day of the debit if it is not the due date, and that the days between cost nothing. */
const freeDaysSentence = ({ dueOn, debitOn }: Pick<ReminderFacts, 'dueOn' | 'debitOn'>): string =>
  debitOn === dueOn
    ? ''
    : `There are no debits on ${dueOn}: the next day with debits is ${debitOn}, and the days until then are free of charge. `

const debitSentence = ({
  mandateNumber,
  isPausable,
  debitOn,
}: Pick<ReminderFacts, 'mandateNumber' | 'isPausable' | 'debitOn'>): string =>
  mandateNumber
    ? `It will be debited on or after ${debitOn} through your mandate ${mandateNumber}. Please keep the amount ready in your account.

To stop this debit, ${isPausable ? 'pause or cancel the mandate in your UPI app' : 'ask your bank to stop the payment or cancel the mandate'} before ${debitOn}. You still owe the instalment then.`
    : 'You have no active mandate, so please pay it yourself.'

export const mailBeforeDue = ({
  lender,
  name,
  loanId,
  amount,
  dueOn,
  debitOn,
  exitUntil,
  officer,
  ...mandate
}: ReminderFacts) => ({
  subject: `${amount} is due on ${dueOn}`,
  text: `Dear ${name},

${amount} is due on ${dueOn}: the next instalment of your loan ${loanId} with ${lender}. ${freeDaysSentence({ dueOn, debitOn })}${debitSentence({ ...mandate, debitOn })}${exitSentence({ exitUntil })}

If you have already paid, you do not need to do anything.

Questions and complaints: ${officer}
`,
})

export const mailAfterDue = ({ lender, name, loanId, amount, dueOn, exitUntil, officer }: ReminderFacts) => ({
  subject: `${amount} was due on ${dueOn}`,
  text: `Dear ${name},

${amount} is overdue, including penal charges: the instalment of your loan ${loanId} with ${lender} was due on ${dueOn}. Further penal charges may apply, as stated in your key facts statement.${exitSentence({ exitUntil })}

If you have already paid, the bank has not reported the payment to us yet, and you do not need to do anything. If you cannot pay now, please talk to us.

Questions and complaints: ${officer}
`,
})

export interface AgentFacts extends Pick<ReminderFacts, 'lender' | 'name' | 'loanId' | 'officer'> {
  agent: string
  contactDetails: string
  contactFromHour: number
  contactUntilHour: number
}

export const agentIntroduction = (facts: AgentFacts) => ({
  subject: `${facts.agent} will contact you about the overdue instalments of your loan`,
  text: `Dear ${facts.name},

${facts.agent} handles the overdue instalments of your loan ${facts.loanId} for ${facts.lender}, and may contact you about them from now on. You can reach ${facts.agent} at ${facts.contactDetails}.

The agent may contact you only between ${facts.contactFromHour}:00 and ${facts.contactUntilHour}:00. Pay only to the lender’s account, never to a person.

Questions and complaints: ${facts.officer}
`,
})
