// What the platform reads with an application that the lender ended after its offer; why in detail stays with the lender.
export const stopMessages = {
  APPLICATION_STOPPED: 'The lender has ended the application before paying it out',
  KYC_REJECTED: 'The identity check was not accepted',
} as const
