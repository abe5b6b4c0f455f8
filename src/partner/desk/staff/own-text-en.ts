// The English texts of a person's own page.

export const ownTexts = {
  changed: 'The password was changed. Everywhere else you are signed out.',
  title: 'Second factor',
  none: 'Deciding what a colleague proposed takes a second factor: a code of an app on your phone, at each sign-in.',
  password: 'Your password',
  begin: 'Set up',
  scan: 'Enter this secret in your authenticator app, then the six digits that the app shows.',
  open: 'Open it in the app on this device',
  wrongCode: 'Enter the six digits that the app shows now.',
  startAgain: 'Start again with another secret',
  confirm: 'Switch on',
  on: 'Codes are on: each sign-in asks for one.',
  again: (from: string) =>
    `To decide what a colleague proposed, be signed in with a code; this factor decides from ${from} on.`,
  off: 'Switch off',
  code: 'Code',
  recovery: 'Your recovery codes',
  keep: 'Codes are on. Keep these ten codes where only you find them: each works once in place of the app. They are not shown again.',
  problems: new Map([
    ['current', 'The present password is wrong.'],
    ['next', 'A password has at least 12 characters, and is not your e-mail address.'],
    ['code', 'The code is wrong, or was used before.'],
  ]),
}
