// What staff read when a person guesses at their password or codes, in English.

import type { GuessPause } from '#kit/staff/program.ts'
import { instantText } from '#partner/desk/format.ts'

export interface PauseFacts extends GuessPause {
  name: string
  lender: string
}

export const pauseMail = ({ name, lender, secret, network, at, ends, ways }: PauseFacts) => ({
  subject: `Failed sign-ins to the desk of ${lender}`,
  text: `Hello ${name},

${
  secret === 'code'
    ? `a person who knows your password entered several wrong codes at the desk of ${lender}`
    : `a person entered several wrong passwords for your account at the desk of ${lender}`
}, last on ${instantText(at)} from the network ${network}.

This way is closed until ${ends ? instantText(ends) : 'you change your password'}.${
    ways.length > 0 ? ` You still get in by: ${ways.join(', ')}.` : ''
  }

If it was not you, ${secret === 'code' ? 'change your password now' : 'check that your password is used nowhere else'}, and tell an administrator of the desk.
`,
})
