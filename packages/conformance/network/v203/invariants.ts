// Everything that must hold over a recorded loan of dialect 2.0.3 (FIS12 §12.4).

import { jsonIn } from '@lendloom/foundation/json'
import { fieldsOf } from '@lendloom/foundation/record'
import { type Dialect, dialectIn } from '@lendloom/wire/network/context'
import { bodyFaultsIn } from '@lendloom/wire/network/received-body-faults'
import { sequence203 } from '@lendloom/wire/network/sequence'
import { variantIn } from '@lendloom/wire/network/variants'
import { holdsOrder, invariantsBy } from '#conformance/network/invariants.ts'
import type { RecordedMessage } from '#conformance/network/transcript.ts'
import { outgoingFaultsIn } from '#conformance/network/v203/rules.ts'
import { arithmeticFaults, type OrderMessage } from './arithmetic.ts'
import { progressFaults } from './progress.ts'
import { referenceFaults, type ValidMessage203 } from './references.ts'
import { servicingFaults } from './repayment-faults.ts'

/** A lender's first message chooses its version; a broadcast may be in any of them. */
function dialectsOf(transcript: readonly RecordedMessage[]): typeof dialectIn {
  const chosen = new Map<unknown, Dialect>()
  for (const { body, outcome } of transcript) {
    const message = jsonIn(body)
    const lender = lenderIn(message)
    if (lender !== undefined && !chosen.has(lender) && !outcome?.startsWith('NACK'))
      chosen.set(lender, versionIn(message))
  }
  return (body) => chosen.get(lenderIn(body)) ?? versionIn(body)
}

const versionIn = (body: unknown) => variantIn(dialectIn(body)).version

const lenderIn = (body: unknown): unknown => fieldsOf(fieldsOf(body).context).bpp_id

/** Returns the faults of one journey's transcript, in wire order. */
export const invariantsOf = invariantsBy<ValidMessage203>({
  dialectsOf,
  sequence: sequence203,
  outgoingFaults: (action, message, dialect) => outgoingFaultsIn(variantIn(dialect))(action, message),
  bodyFaults: (action, body) => bodyFaultsIn[versionIn(body)](action, body),
  conversationFaults: (messages) => [
    ...referenceFaults(messages),
    ...arithmeticFaults(messages.flatMap(orderOf)),
    ...progressFaults(messages, variantOf(messages)),
    ...servicingFaults(messages),
  ],
})

/** A broadcast may be in another version than the lender's. */
const variantOf = (messages: readonly ValidMessage203[]) => variantIn(messages.at(-1)?.context.version ?? '2.0.3')

const orderOf = (message: ValidMessage203): OrderMessage[] =>
  holdsOrder(message) ? [{ ...message, order: message.message.order }] : []
