// The model personal loan of dialect 2.0.3.
import { required } from '@lendloom/foundation/required'
import { conversationIn, type Step } from './conversation.ts'

export type { Json, Step } from './conversation.ts'

/** Returns fresh copies of all messages in wire order; three alternative endings follow `on_status`. */
export const personalLoan = (withoutTagTexts = false): Step[] => conversationIn('personal-loan', withoutTagTexts)

export const stepNamed = (name: string): Step =>
  required(
    personalLoan().find(({ step }) => step === name),
    `step ${name}`,
  )
