// What an amount says without the marks around it. Pure.

/** Digits of Devanagari, Bengali, Tamil and Telugu; the last four bits of each are its value and six. */
const indicDigit = /[\u0966-\u096f\u09e6-\u09ef\u0be6-\u0bef\u0c66-\u0c6f]/g

const withLatinDigits = (text: string): string =>
  text.replace(indicDigit, (digit) => String((digit.charCodeAt(0) & 0xf) - 6))

/**
 * Removes what surrounds the digits of an amount, such as `Rs. 2,00,000.00/-`. A minus stays, because an amount without
 * it would be another one.
 */
export const bareAmount = (text: string): string =>
  withLatinDigits(text).replace(/^\s*(rs|inr)\.?|[₹,\s]|\/-|\.00\b|^0+(?=\d)/gi, '')
