// Everything that must hold over a recorded loan: each message's rules, and what no single message shows (FIS12 §12.4).
import type { Fault } from '#contract/network/fault.ts'
import { isCallback } from '#contract/network/sequence.ts'
import {
  conversationsOf,
  type Heard,
  hear,
  identityFaults,
  type PublicKeyOf,
  type Recorded,
  sequenceFaults,
  signatureFaults,
} from '#contract/network/transcript.ts'
import { arithmeticFaults, type HeardOrder } from './arithmetic.ts'
import { progressFaults, servicingFaults } from './progress.ts'
import { bodyFaults } from './receive.ts'
import { referenceFaults } from './references.ts'
import { rulesOf } from './rules.ts'
import type { Order } from './schema.ts'

/**
 * Judges one journey's transcript, in wire order; empty when all is well. `publicKeyOf` answers as the registry does.
 * Faults are told apart by their `section`, and each path begins with the message's number and action.
 */
export function invariantsOf(transcript: readonly Recorded[], publicKeyOf: PublicKeyOf): Fault[] {
  const { heard, faults } = hear(transcript)
  return [
    ...faults,
    ...heard.flatMap(messageFaults),
    ...signatureFaults(heard, publicKeyOf),
    ...conversationsOf(heard).flatMap((conversation) => {
      const sound = conversation.heard.filter(isSound)
      return [
        ...identityFaults(conversation),
        ...sequenceFaults(conversation),
        ...referenceFaults(sound),
        ...arithmeticFaults(sound.flatMap(orderOf)),
        ...progressFaults(sound),
        ...servicingFaults(sound),
      ]
    }),
  ]
}

/** An error callback has no message for the rules to look at (FIS12 §12.3). */
function messageFaults(heard: Heard): Fault[] {
  const { action, context, message, error, path } = heard
  if (!isRefusal(heard))
    return rulesOf(action, message).map((fault) => ({ ...fault, path: fault.path.replace('$', path) }))
  const wrong = bodyFaults(action, { context, error })
  return wrong.map((fault) => ({ path: `${path}.${fault.path}`, message: fault.message, section: 'FIS12 §3.2' }))
}

const isRefusal = ({ message, error }: Heard): boolean => error !== undefined && message === undefined

const isSound = (heard: Heard): boolean =>
  !isRefusal(heard) && bodyFaults(heard.action, { context: heard.context, message: heard.message }).length === 0

const orderOf = (heard: Heard): HeardOrder[] =>
  isCallback(heard.action) && heard.action !== 'on_search'
    ? [{ ...heard, order: (heard.message as { order: Order }).order }]
    : []
