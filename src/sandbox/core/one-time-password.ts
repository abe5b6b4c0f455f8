// The one-time password of the sandbox; a real one would come to the borrower's mobile.
export const sandboxOtp = '123456'
