// What staff read when a person guesses at their password, in English.

import { instantText } from '#partner/desk/format.ts'

export interface PauseFacts {
  name: string
  lender: string
  /** Null within a session. */
  network: string | null
  /** Whether it was guessed in a browser in which they have signed in, or within a session. */
  isKnown: boolean
  at: Date
  until: Date
}

export const pauseMail = ({ name, lender, network, isKnown, at, until }: PauseFacts) => ({
  subject: `Failed sign-ins to the desk of ${lender}`,
  text: `Hello ${name},

a person entered several wrong passwords for your account at the desk of ${lender}, last on ${instantText(at)}${
    network === null ? ', where you are signed in' : ` from the network ${network}`
  }.

This way is closed until ${instantText(until)}.${
    isKnown ? '' : ' You still get in by a browser in which you have signed in before.'
  }

If it was not you, check that your password is used nowhere else, and tell an administrator of the desk.
`,
})
