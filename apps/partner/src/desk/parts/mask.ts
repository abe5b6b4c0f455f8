// Masks personal data alike on every page of the desk: what is left tells two people apart, and no more.

/** The last four characters of a mobile number, a PAN or an account number. */
export const maskedNumber = (number: string): string => `•••• ${number.slice(-4)}`

/** The year of a date of birth. */
export const maskedDay = (day: string): string => `•••• ${day.slice(0, 4)}`

/** The first letter of an e-mail address, and the domain. */
export const maskedEmail = (email: string): string => email.replace(/^(.).*@/u, '$1••••@')

/** The initials of a name, such as `A•••• V••••`. */
export const maskedName = (name: string): string => name.replaceAll(/(\S)\S*/gu, '$1••••')
