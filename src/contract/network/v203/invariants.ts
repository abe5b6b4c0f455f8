// Everything that must hold over a recorded loan of dialect 2.0.3 (FIS12 §12.4).
import { holdsOrder, invariantsBy } from '#contract/network/invariants.ts'
import { sequence203 } from '#contract/network/sequence.ts'
import type { TranscriptMessage } from '#contract/network/transcript.ts'
import { arithmeticFaults, type OrderMessage } from './arithmetic.ts'
import { progressFaults } from './progress.ts'
import { bodyFaults } from './receive.ts'
import { referenceFaults } from './references.ts'
import { servicingFaults } from './repaying.ts'
import { rulesOf } from './rules.ts'
import type { Order } from './schema.ts'

/** Judges one journey's transcript, in wire order; empty when all is well. */
export const invariantsOf = invariantsBy({
  dialect: '2.0.3',
  sequence: sequence203,
  rulesOf,
  bodyFaults,
  within: (sound) => [
    ...referenceFaults(sound),
    ...arithmeticFaults(sound.flatMap(orderOf)),
    ...progressFaults(sound),
    ...servicingFaults(sound),
  ],
})

const orderOf = (messages: TranscriptMessage): OrderMessage[] =>
  holdsOrder(messages) ? [{ ...messages, order: (messages.message as { order: Order }).order }] : []
