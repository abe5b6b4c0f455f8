// Everything that must hold over a recorded loan of dialect 2.0.3 (FIS12 §12.4).
import { holdsOrder, invariantsBy } from '#conformance/network/invariants.ts'
import { sequence203 } from '#contract/network/sequence.ts'
import { bodyFaults } from '#contract/network/v203/receive.ts'
import { outgoingFaults } from '#contract/network/v203/rules.ts'
import { arithmeticFaults, type OrderMessage } from './arithmetic.ts'
import { progressFaults } from './progress.ts'
import { referenceFaults, type ValidMessage203 } from './references.ts'
import { servicingFaults } from './repaying.ts'

/** Returns the faults of one journey's transcript, in wire order. */
export const invariantsOf = invariantsBy<ValidMessage203>({
  dialect: '2.0.3',
  sequence: sequence203,
  outgoingFaults,
  bodyFaults,
  conversationFaults: (messages) => [
    ...referenceFaults(messages),
    ...arithmeticFaults(messages.flatMap(orderOf)),
    ...progressFaults(messages),
    ...servicingFaults(messages),
  ],
})

const orderOf = (message: ValidMessage203): OrderMessage[] =>
  holdsOrder(message) ? [{ ...message, order: message.message.order }] : []
