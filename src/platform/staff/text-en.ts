// English texts of mails to people of the console.

export const invitationMail = ({ name, by, link, days }: { name: string; by: string; link: string; days: number }) => ({
  subject: 'Your invitation to the Lendloom console',
  text: `Hello ${name},

${by} invites you to the Lendloom console. Open this address and choose a password:

${link}

It works once, within ${days} days. If you did not expect this invitation, ignore this email.
`,
})

/** The sandbox's people, by platform or tenant and role. */
export const sandboxNames: Record<string, string> = {
  'platform:viewer': 'Vikram Rao',
  'platform:operator': 'Meera Iyer',
  'platform:grievance-officer': 'Farah Khan',
  'platform:admin': 'Anil Deshmukh',
  'tenant:viewer': 'Sunita Das',
  'tenant:developer': 'Karan Malhotra',
  'tenant:support': 'Leela Nair',
  'tenant:admin': 'Rohan Gupta',
}
