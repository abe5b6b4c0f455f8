// English texts for signing in.

import type { OpenIdProblem } from '#kit/staff/lists.ts'

const problems: Record<OpenIdProblem, string> = {
  expired: 'That took too long. Sign in again.',
  away: 'The other side cannot be reached. Try again, or use your password.',
  declined: 'You declined to sign in there.',
  unproven: 'The answer of the other side does not hold. Try again.',
  unverified: 'Your e-mail address is not verified there.',
  domain: 'Addresses of this domain do not sign in here.',
  unknown: 'No person of the desk has this address. Ask an administrator of the desk to add you.',
  'other-account': 'You have signed in with another account before. Ask an administrator of the desk.',
  limited: 'Too many tries. Try again in a minute.',
  failed: 'That did not work. Try again.',
}

export const signInTexts = {
  title: 'Sign in',
  wrong: 'E-mail or password is wrong.',
  wrongCode: 'The code is wrong, or was used before.',
  code: 'Enter the six digits that your app shows, or one of your recovery codes.',
  again: 'Start again',
  openId: (name: string) => `Sign in with ${name}`,
  later: (seconds: number) => `Try again in ${seconds} seconds.`,
  entered: 'You are signed in.',
  on: 'To the desk',
  problems,
}
