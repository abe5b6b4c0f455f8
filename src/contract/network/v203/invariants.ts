// Everything that must hold over a recorded loan of dialect 2.0.3 (FIS12 §12.4).
import { holdsOrder, invariantsBy } from '#contract/network/invariants.ts'
import { sequence203 } from '#contract/network/sequence.ts'
import { arithmeticFaults, type OrderMessage } from './arithmetic.ts'
import { progressFaults } from './progress.ts'
import { bodyFaults, type Sound } from './receive.ts'
import { referenceFaults } from './references.ts'
import { servicingFaults } from './repaying.ts'
import { rulesOf } from './rules.ts'

/** Judges one journey's transcript, in wire order; empty when all is well. */
export const invariantsOf = invariantsBy<Sound>({
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

const orderOf = (message: Sound): OrderMessage[] =>
  holdsOrder(message) ? [{ ...message, order: message.message.order }] : []
