// The mails that remind borrowers of an instalment, or name the agent who works on their arrears, in English.

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

If you have paid it already, there is nothing to do.

Questions and complaints: ${officer}
`,
})

export const after = ({ lender, name, loanId, amount, dueOn, officer }: ReminderFacts) => ({
  subject: `${amount} was due on ${dueOn}`,
  text: `Dear ${name},

the instalment of your loan ${loanId} with ${lender} that was due on ${dueOn} is not paid. ${amount} is still open, penal charges included. Penal charges may follow as your key facts statement says.

If you have paid it, the bank has not shown us the payment yet, and there is nothing to do. If you cannot pay now, please speak with us.

Questions and complaints: ${officer}
`,
})

export interface AgentFacts extends Pick<ReminderFacts, 'lender' | 'name' | 'loanId' | 'officer'> {
  agent: string
  /** How the agent is reached. */
  reach: string
  contactFromHour: number
  contactUntilHour: number
}

export const introduction = (facts: AgentFacts) => ({
  subject: `${facts.agent} works on the overdue instalments of your loan`,
  text: `Dear ${facts.name},

${facts.agent} works on the overdue instalments of your loan ${facts.loanId} for ${facts.lender}, and may contact you about them from now on. You reach ${facts.agent} at ${facts.reach}.

You are contacted between ${facts.contactFromHour}:00 and ${facts.contactUntilHour}:00 only. Pay to the account of the lender alone, never to a person.

Questions and complaints: ${facts.officer}
`,
})
