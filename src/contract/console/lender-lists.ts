// What the console says of lenders, as plain lists that browsers load too.

/** Of the platform's own entry in the registry, and of a lender's: `unreached` when the registry did not answer in time. */
export const entryStates = ['known', 'missing', 'unreached'] as const

/** A reason must say something. */
export const leastReason = 10
/** A key that ends sooner than this is pointed out. */
export const warnDays = 30
