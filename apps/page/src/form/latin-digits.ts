// Digits of the page's languages as the digits that the platform reads. Pure.

/** Digits of Devanagari, Bengali, Tamil and Telugu; the last four bits of each are its value and six. */
const indicDigit = /[\u0966-\u096f\u09e6-\u09ef\u0be6-\u0bef\u0c66-\u0c6f]/g

export const latinDigits = (text: string): string =>
  text.replace(indicDigit, (digit) => String((digit.charCodeAt(0) & 0xf) - 6))
