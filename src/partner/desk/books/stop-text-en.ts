// The texts about ending an application before its payout.
export const stopTexts = {
  summary: 'Stop this application',
  what: 'Nothing is paid out any more, the mandate is cancelled at the bank, and the platform is told. This cannot be undone.',
  reason: 'Who stops it, and why',
  choose: 'Choose a reason',
  words: 'In words, for the file',
  button: 'Stop the application',
  causes: { LENDER: 'We stop it', BORROWER: 'The borrower asked us to cancel it' },
  ended: {
    LENDER: 'Stopped by the lender',
    BORROWER: 'Cancelled for the borrower',
    KYC: 'Ended because the KYC was rejected',
    TIME: 'Lapsed: it did not go on in time',
  },
}
