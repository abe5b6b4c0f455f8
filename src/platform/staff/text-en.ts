// What people of the console read in mails, in English.
import { lazily } from '#kit/runtime/lazily.ts'
import type { GuessPause } from '#kit/staff/program.ts'

export const invitationMail = ({ name, by, link, days }: { name: string; by: string; link: string; days: number }) => ({
  subject: 'Your invitation to the Lendloom console',
  text: `Hello ${name},

${by} invites you to the console of Lendloom. Open this address, choose a password, and you are in:

${link}

It works once, and for ${days} days. If you do not know what this is about, do nothing.
`,
})

const timeFormat = lazily(
  () =>
    new Intl.DateTimeFormat('en-IN', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'Asia/Kolkata',
    }),
)

/** Warns a person of wrong passwords or codes for their account. */
export const guessMail = ({ name, secret, network, at, ends, ways }: GuessPause & { name: string }) => ({
  subject: 'Failed sign-ins to your Lendloom account',
  text: `Hello ${name},

${
  secret === 'code'
    ? 'a person who knows your password entered several wrong codes'
    : 'a person entered several wrong passwords for your account'
}, last on ${timeFormat().format(at)} from the network ${network}.

${ends ? `This way in is closed until ${timeFormat().format(ends)}.` : 'This way in is closed until you change your password.'}${
  ways.length > 0 ? ` You still get in by: ${ways.join(', ')}.` : ''
}

If it was not you, ${secret === 'code' ? 'change your password now' : 'check that your password is used nowhere else'}, and tell your administrator.
`,
})

/** The heads of audit logs, one a line. */
export const headsMail = (url: string, heads: string[]) => ({
  subject: `Heads of the audit logs of ${url}`,
  text: `Keep this mail: "lendloom audit verify --heads <file>" holds the logs against it and finds entries that were cut off or changed since.

${heads.join('\n')}
`,
})

/** Who they are in the sandbox, by platform or tenant and role. */
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
