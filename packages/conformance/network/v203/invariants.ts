// Everything that must hold over a recorded loan of dialect 2.0.3 (FIS12 §12.4).
import { holdsOrder, invariantsBy } from '#conformance/network/invariants.ts'
import { sequence203 } from '#contract/network/sequence.ts'
import { bodyFaults } from '#contract/network/v203/receive.ts'
import { rulesOf } from '#contract/network/v203/rules.ts'
import { arithmeticFaults, type OrderMessage } from './arithmetic.ts'
import { progressFaults } from './progress.ts'
import { referenceFaults, type Sound } from './references.ts'
import { servicingFaults } from './repaying.ts'

/** Judges one journey's transcript, in wire order; empty when all is well. */
export const invariantsOf = invariantsBy<Sound>({
  dialect: '2.0.3',
  sequence: sequence203,
  rulesOf,
  bodyFaults,
  conversationFaults: (sound) => [
    ...referenceFaults(sound),
    ...arithmeticFaults(sound.flatMap(orderOf)),
    ...progressFaults(sound),
    ...servicingFaults(sound),
  ],
})

const orderOf = (message: Sound): OrderMessage[] =>
  holdsOrder(message) ? [{ ...message, order: message.message.order }] : []
