// What people read in mails about signing in, in English.

import { lazily } from '#kit/runtime/record.ts'
import type { FactorChange, GuessPause, SignInNotice } from './program.ts'

const timeFormat = lazily(
  () => new Intl.DateTimeFormat('en-IN', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Kolkata' }),
)

interface MailAddressee {
  name: string
  /** As it is read after "Failed sign-ins to": `your Lendloom account`. */
  account: string
}

/** Tells a person what happened at signing in, as another person may have done it. */
export const noticeMail = (to: MailAddressee, notice: SignInNotice): { subject: string; text: string } =>
  notice.about === 'pause' ? pauseMail(to, notice) : factorMail(to, notice)

const factorMail = ({ name, account }: MailAddressee, { about, network, at }: FactorChange) => ({
  subject: `Second factor ${about === 'factor-on' ? 'set up for' : 'switched off for'} ${account}`,
  text: `Hello ${name},

A second factor was ${about === 'factor-on' ? 'set up for' : 'switched off for'} ${account} on ${timeFormat().format(at)}, from the network ${network}.

If this was not you, a person who knows your password did it. Tell your administrator now; they can reset your second factor and your password.
`,
})

/** Warns a person of wrong passwords or codes. */
const pauseMail = ({ name, account }: MailAddressee, { secret, network, at, ends, ways }: GuessPause) => ({
  subject: `Failed sign-ins to ${account}`,
  text: `Hello ${name},

${
  secret === 'code'
    ? `A person who knows your password entered several wrong codes for ${account}`
    : `A person entered several wrong passwords for ${account}`
}, last on ${timeFormat().format(at)} from the network ${network}.

${ends ? `You cannot sign in this way until ${timeFormat().format(ends)}.` : 'You cannot sign in this way until you change your password.'}${
  ways.length > 0 ? ` You can still sign in by: ${ways.join(', ')}.` : ''
}

If this was not you, ${secret === 'code' ? 'change your password now' : 'make sure that you use this password nowhere else'}, and tell your administrator.
`,
})

/** The heads of audit logs, one a line; `command` verifies them. */
export const headsMail = (logs: string, command: string, heads: string[]) => ({
  subject: `Heads of ${logs}`,
  text: `Keep this email: "${command} --heads <file>" compares the log with it and finds entries that were removed or changed since.

${heads.join('\n')}
`,
})
