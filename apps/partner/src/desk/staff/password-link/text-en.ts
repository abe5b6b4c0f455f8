// English texts about choosing a password through a link.

import { instantText } from '#partner/desk/parts/format.ts'
import type { LinkKind, LinkLine, LinkToSend } from '#partner/people/password-link-store.ts'

export interface LinkMailFacts extends Pick<LinkToSend, 'kind' | 'name' | 'requester' | 'expiresAt'> {
  lender: string
  link: string
}

const reasons: Record<LinkKind, (requester: string, lender: string) => string> = {
  INVITATION: (requester, lender) => `${requester} added you to the staff of ${lender}.`,
  RESET: (requester, lender) =>
    `${requester} reset your password at the desk of ${lender}. The old one no longer works, and you are signed out everywhere.`,
}

export const linkMail = ({ kind, name, requester, expiresAt, lender, link }: LinkMailFacts) => ({
  subject: `Choose your password for the desk of ${lender}`,
  text: `Hello ${name},

${reasons[kind](requester ?? 'An operator', lender)} Open this address and choose a password:

${link}

It works once, until ${instantText(expiresAt)}. Do not share it: anyone who has it can act as you. If you did not expect this email, tell an administrator of the desk other than the one named here.
`,
})

const kinds: Record<LinkKind, string> = { INVITATION: 'Invited', RESET: 'Password reset' }

/** Describes the state of a person's newest link, for that person and the admins. */
export function linkText({ kind, state, answer, requestedAt, usedAt, requester }: LinkLine): string {
  const cause = `${kinds[kind]} by ${requester ?? 'an operator at the command line'} on ${instantText(requestedAt)}`
  if (usedAt) return `${cause}; password chosen on ${instantText(usedAt)}`
  if (state === 'FAILED') return `${cause}; the email was not delivered: ${answer}`
  return `${cause}; ${state === 'QUEUED' ? 'the email is being sent' : state === 'SENT' ? 'the email was sent' : 'the link was handed over'}`
}

export const linkTexts = {
  title: 'Choose a password',
  label: 'New password (at least 12 characters)',
  repeat: 'Re-enter new password',
  button: 'Save',
  invalidLink: 'This link is not complete or no longer valid',
  openAgain: 'Part of the address is missing or changed. Open it again from the email or message.',
  askAgain:
    'A link works once, until it expires or a newer one is sent. Open the whole address from the newest email, or ask an administrator of the desk for a new link.',
  saved: 'Your password is saved. Sign in with it.',
  signIn: 'Sign in',
  passwordsDiffer: 'the two passwords differ',
  /** For an account whose password others may know. */
  passwordKnown:
    'Other people saw the link for this password or reset the second factor, so this account cannot decide what they propose. A password reset by email ends this.',
  linkMailed: (person: string) => `A link to choose a password is on its way to ${person}.`,
  handOver: (person: string) => `No mail server is set up. Give this link to ${person}; it cannot be shown again:`,
  handOverWarning:
    'Because you could use this link yourself, the account cannot decide what you propose, or what another account whose link you handed over proposes. A password reset by email ends this.',
}
