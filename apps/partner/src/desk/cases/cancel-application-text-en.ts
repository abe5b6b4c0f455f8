// English texts about the cancellation of an application before the payout.
export const cancellationTexts = {
  summary: 'Cancel this application',
  effect:
    'The loan is not paid out, the mandate is cancelled at the bank, and the platform is notified. This cannot be undone.',
  reason: 'Who cancels it, and why',
  choose: 'Choose a reason',
  explanation: 'Explanation, for the file',
  button: 'Cancel the application',
  causes: { LENDER: 'We cancel it', BORROWER: 'The borrower asked us to cancel it' },
  ended: {
    LENDER: 'Cancelled by the lender',
    BORROWER: 'Cancelled for the borrower',
    KYC: 'Ended because the KYC was rejected',
    TIME: 'Expired: not completed in time',
    BANK: 'Ended because the bank returned the payout',
  },
}
