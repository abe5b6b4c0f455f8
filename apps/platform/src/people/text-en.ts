// English texts of mails to people of the console.

import { roleNames } from '@lendloom/wire/console/lists'
import type { Role } from '@lendloom/wire/console/staff'

export interface InvitationMailContent {
  name: string
  inviterName: string
  /** Null for the platform. */
  tenantName: string | null
  role: Role
  link: string
  days: number
}

export const invitationMail = ({ name, inviterName, tenantName, role, link, days }: InvitationMailContent) => ({
  subject: `Join ${tenantName ?? 'the platform team'} in the Lendloom console`,
  text: `Hello ${name},

${inviterName} invites you to the Lendloom console${tenantName === null ? ', in the team of the platform' : ` of ${tenantName}`}, with the role ${roleNames[role]}. Open this address and choose a password:

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
