// The one-time password of all pages.

/** The sandbox's only one-time password; a real one would be sent to the borrower's mobile. */
export const sandboxOtp = '123456'
