// English texts of mails to people of the console.

interface InvitationMailContent {
  name: string
  inviterName: string
  link: string
  days: number
}

export const invitationMail = ({ name, inviterName, link, days }: InvitationMailContent) => ({
  subject: 'Your invitation to the Lendloom console',
  text: `Hello ${name},

${inviterName} invites you to the Lendloom console. Open this address and choose a password:

${link}

It works once, within ${days} days. If you did not expect this invitation, ignore this email.
`,
})

/** Names of the sandbox's people. The key is `platform` or `tenant`, and the role. */
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
