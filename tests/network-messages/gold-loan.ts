// The model gold loan of dialect 2.0.3, from search to foreclosure, with an offer based on bank data.
import { required } from '@lendloom/foundation/required'
import { conversationIn, type Step } from './conversation.ts'

/** Returns fresh copies of all messages in wire order. */
export const goldLoan = (): Step[] => conversationIn('gold-loan')

export const goldStep = (name: string): Step =>
  required(
    goldLoan().find(({ step }) => step === name),
    `step ${name}`,
  )
