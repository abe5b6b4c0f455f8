// Mails to borrowers, in English: reminders of an instalment, and the introduction of an agent.

export interface ReminderFacts {
  lender: string
  name: string
  loanId: string
  amount: string
  dueOn: string
  officer: string
}

export const before = ({ lender, name, loanId, amount, dueOn, officer }: ReminderFacts) => ({
  subject: `${amount} is due on ${dueOn}`,
  text: `Dear ${name},

the next instalment of your loan ${loanId} with ${lender}, ${amount}, is due on ${dueOn}. It is debited by your mandate. Please keep the amount in your account.

If you have already paid, you need not do anything.

Questions and complaints: ${officer}
`,
})

export const after = ({ lender, name, loanId, amount, dueOn, officer }: ReminderFacts) => ({
  subject: `${amount} was due on ${dueOn}`,
  text: `Dear ${name},

the instalment of your loan ${loanId} with ${lender} that was due on ${dueOn} is not paid. You owe ${amount}, including penal charges. More penal charges may follow, as your key facts statement explains.

If you have paid, the bank has not reported the payment to us yet, and you need not do anything. If you cannot pay now, please talk to us.

Questions and complaints: ${officer}
`,
})

export interface AgentFacts extends Pick<ReminderFacts, 'lender' | 'name' | 'loanId' | 'officer'> {
  agent: string
  /** The agent's contact details. */
  reach: string
  contactFromHour: number
  contactUntilHour: number
}

export const introduction = (facts: AgentFacts) => ({
  subject: `${facts.agent} works on the overdue instalments of your loan`,
  text: `Dear ${facts.name},

${facts.agent} works on the overdue instalments of your loan ${facts.loanId} for ${facts.lender}, and may contact you about them from now on. You can reach ${facts.agent} at ${facts.reach}.

We contact you only between ${facts.contactFromHour}:00 and ${facts.contactUntilHour}:00. Pay only to the lender's account, never to a person.

Questions and complaints: ${facts.officer}
`,
})
