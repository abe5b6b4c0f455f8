// What an amount says without the marks around it. Pure.
import { latinDigits } from './latin-digits.ts'

/**
 * Removes what surrounds the digits of an amount, such as `Rs. 2,00,000.00/-`. A minus stays, because an amount without
 * it would be another one.
 */
export const bareAmount = (text: string): string =>
  latinDigits(text).replace(/^\s*(rs|inr)\.?|[₹,\s]|\/-|\.00\b|^0+(?=\d)/gi, '')
