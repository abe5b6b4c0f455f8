// Amounts and days as the lenders' papers write them.
export { dayText, inr, masked } from '#sandbox/words.ts'
