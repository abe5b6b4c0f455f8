// English texts of a user's own page.

export const ownTexts = {
  account: 'Your account',
  change: 'Change password',
  changed: 'Your password is changed, and you are signed out everywhere else.',
  title: 'Second factor',
  none: 'To approve a colleague’s request, you need a second factor: a code from an app on your phone at each sign-in.',
  password: 'Password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  atLeast: 'At least 12 characters.',
  begin: 'Set up an authenticator app',
  scan: 'Enter this secret in your authenticator app. Then enter the six digits that the app shows.',
  open: 'Open it in the app on this device',
  wrongCode: 'Enter the six digits that the app shows now.',
  startAgain: 'Start again with a new secret',
  confirm: 'Switch on',
  on: 'Codes are on: each sign-in asks for a code.',
  approveFrom: (from: string) =>
    `To approve a colleague’s request, sign in with a code. You can approve with this factor from ${from}.`,
  off: 'Switch off',
  code: 'Code',
  recovery: 'Your recovery codes',
  keep: 'Codes are on. Keep these ten codes in a safe place: each works once in place of the app. We show them only once.',
  sessions: 'Where you are signed in',
  thisSession: 'This session',
  end: 'End',
  problems: new Map([
    ['current', 'The current password is wrong.'],
    ['next', 'Use at least 12 characters, and not your email address.'],
    ['code', 'The code is wrong or was already used.'],
  ]),
}
