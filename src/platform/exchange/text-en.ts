// What the platform tells the lending partner in words, which its reviewers read; the exchange has one language (D3 §2.3).

/** Why there is no report about the borrower's account. */
export const noStatement = 'The borrower was not asked for a bank statement.'
/** A label of the source: our form does not ask, and nothing is made up. */
export const notStated = 'Not stated'
