// English texts of the mails about signing in and about audit logs.

import { instantText } from '@lendloom/lending/calendar'
import type { FactorNotice, LockoutNotice, SignInNotice } from './sign-in-program.ts'

interface MailAddressee {
  name: string
  /** Completes "Failed sign-ins to …", for example `your Lendloom account`. */
  account: string
}

/** Notifies a person of a lockout or a changed factor, which another person may have caused. */
export const noticeMail = (to: MailAddressee, notice: SignInNotice): { subject: string; text: string } =>
  notice.about === 'pause' ? lockoutMail(to, notice) : factorMail(to, notice)

/** What was changed and how, and what another person must have to do it. */
const factorTexts: Record<FactorNotice['about'], { factor: string; change: string; access: string }> = {
  'factor-on': { factor: 'second factor', change: 'set up for', access: 'knows your password' },
  'factor-off': { factor: 'second factor', change: 'switched off for', access: 'knows your password' },
  'passkey-added': { factor: 'passkey', change: 'added to', access: 'knows your password' },
  'passkey-removed': { factor: 'passkey', change: 'removed from', access: 'can sign in as you' },
  'openid-linked': { factor: 'OpenID account', change: 'linked to', access: 'can use your organization’s sign-in' },
  'openid-unlinked': { factor: 'OpenID account', change: 'unlinked from', access: 'can sign in as you' },
}

function factorMail({ name, account }: MailAddressee, { about, network, at }: FactorNotice) {
  const { factor, change, access } = factorTexts[about]
  const [capital] = factor
  const article = about.startsWith('openid') ? 'An' : 'A'
  return {
    subject: `${capital?.toUpperCase()}${factor.slice(1)} ${change} ${account}`,
    text: `Hello ${name},

${article} ${factor} was ${change} ${account} on ${instantText(at)}, from the network ${network}.

If this was not you, a person who ${access} did it. Tell your administrator now; they can reset your second factor and your password.
`,
  }
}

/** Warns a person of wrong passwords or codes. */
const lockoutMail = ({ name, account }: MailAddressee, { secret, network, at, ends, openMethods }: LockoutNotice) => ({
  subject: `Failed sign-ins to ${account}`,
  text: `Hello ${name},

${
  secret === 'code'
    ? `A person who knows your password entered several wrong codes for ${account}`
    : `A person entered several wrong passwords for ${account}`
}, last on ${instantText(at)} from the network ${network}.

${ends ? `You cannot sign in this way until ${instantText(ends)}.` : 'You cannot sign in this way until you change your password.'}${
  openMethods.length > 0 ? ` You can still sign in by: ${openMethods.join(', ')}.` : ''
}

If this was not you, ${secret === 'code' ? 'change your password now' : 'make sure that you use this password nowhere else'}, and tell your administrator.
`,
})

/** The heads of audit logs, one per line; `command` compares them with the logs. */
export const headsMail = (logs: string, command: string, heads: string[]) => ({
  subject: `Heads of ${logs}`,
  text: `Keep this email: "${command} --heads <file>" compares the log with it and finds entries that were removed or changed since.

${heads.join('\n')}
`,
})
