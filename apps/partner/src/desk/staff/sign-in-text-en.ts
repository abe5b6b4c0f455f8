// English texts of the sign-in pages.

import type { OpenIdProblem } from '@lendloom/identity/sign-in-failures'

const problems: Record<OpenIdProblem, string> = {
  expired: 'That took too long. Sign in again.',
  away: 'We cannot reach the sign-in service. Try again, or use your password.',
  declined: 'You declined to sign in there.',
  unproven: 'The answer of the sign-in service is not valid. Try again.',
  unverified: 'Your email address is not verified there.',
  domain: 'Addresses of this domain cannot sign in here.',
  unknown: 'No account has this address. Ask an administrator of the desk to add you.',
  'other-account': 'You signed in with another account before. Ask an administrator of the desk.',
  limited: 'Too many tries. Try again in a minute.',
  failed: 'That did not work. Try again.',
}

export const signInTexts = {
  title: 'Sign in to the desk',
  sandbox: {
    file: 'This is a sandbox:',
    writtenBy: ', which',
    key: 'writes, has the email and password of two people under',
  },
  forgotten: 'Forgot your password?',
  reset:
    'An administrator of the desk resets it under People, or an operator at the command line. You get a link with which you choose another:',
  noAccount: 'No account yet? Ask an administrator of the desk to add you.',
  wrongPassword: 'The email or password is wrong.',
  wrongCode: 'The code is wrong or was already used.',
  codePrompt: 'Enter the six digits that your app shows, or one of your recovery codes.',
  startAgain: 'Start again',
  openId: (name: string) => `Sign in with ${name}`,
  retryIn: (seconds: number) => `Try again in ${seconds} seconds.`,
  signedIn: 'You are signed in.',
  goToDesk: 'Go to the desk',
  problems,
}
