// The model loans against mutual funds, in dialect 2.3.0.
import { required } from '@lendloom/foundation/required'
import { conversationIn, type Step } from './conversation.ts'

export type { Json, Step } from './conversation.ts'

/** The messages of a term loan, then the other steps of credit lines: by consent (`aa_`) and by page (`offline_`). */
export const lamf = (withoutTagTexts = false): Step[] => conversationIn('lamf', withoutTagTexts)

export const stepNamed = (name: string): Step =>
  required(
    lamf().find(({ step }) => step === name),
    `step ${name}`,
  )

/** One conversation in wire order: the common catalogue, then the steps of the variant. */
export const conversation = (variant: 'mfc' | 'aa' | 'offline'): Step[] =>
  lamf().filter(({ step }, i) => {
    const [, prefix = 'mfc'] = /^(aa|offline)_/.exec(step) ?? []
    return i < 2 || prefix === variant
  })
