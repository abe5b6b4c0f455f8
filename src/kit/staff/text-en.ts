// What people read in mails about signing in, in English.

import { lazily } from '#kit/runtime/lazily.ts'
import type { GuessPause } from './program.ts'

const timeFormat = lazily(
  () => new Intl.DateTimeFormat('en-IN', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Kolkata' }),
)

export interface PauseFacts extends GuessPause {
  name: string
  /** As it is read after "Failed sign-ins to": `your Lendloom account`. */
  account: string
}

/** Warns a person of wrong passwords or codes. */
export const pauseMail = ({ name, account, secret, network, at, ends, ways }: PauseFacts) => ({
  subject: `Failed sign-ins to ${account}`,
  text: `Hello ${name},

${
  secret === 'code'
    ? `a person who knows your password entered several wrong codes for ${account}`
    : `a person entered several wrong passwords for ${account}`
}, last on ${timeFormat().format(at)} from the network ${network}.

${ends ? `This way in is closed until ${timeFormat().format(ends)}.` : 'This way in is closed until you change your password.'}${
  ways.length > 0 ? ` You still get in by: ${ways.join(', ')}.` : ''
}

If it was not you, ${secret === 'code' ? 'change your password now' : 'check that your password is used nowhere else'}, and tell your administrator.
`,
})
