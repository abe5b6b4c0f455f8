// Everything that must hold over a recorded loan, in any dialect: each message's rules, and what no single one shows (FIS12 §12.4).
import type { FieldError } from '#kit/refusal.ts'
import type { Dialect } from './context.ts'
import { customFaults } from './customs.ts'
import type { Fault } from './fault.ts'
import { grievanceFaults } from './igm/invariants.ts'
import { type Action, isCallback, type Sequence } from './sequence.ts'
import {
  conversationsOf,
  type Heard,
  hear,
  identityFaults,
  type PublicKeyOf,
  type Recorded,
  sequenceFaults,
  signatureFaults,
  withoutLate,
} from './transcript.ts'

/** What a dialect judges by. `within` looks at one conversation, of which it is given the messages of a good shape. */
export interface Judges {
  dialect: Dialect
  sequence: Sequence
  rulesOf: (action: Action, message: unknown) => Fault[]
  bodyFaults: (action: Action, body: unknown) => FieldError[]
  within: (sound: readonly Heard[]) => Fault[]
}

/**
 * Makes the judge of one journey's transcript, in wire order; it finds nothing when all is well. `publicKeyOf` answers as
 * the registry does. Faults are told apart by their `section`, and each path begins with the message's number and action.
 */
export function invariantsBy({ dialect, sequence, rulesOf, bodyFaults, within }: Judges) {
  /** An error callback has no message for the rules to look at (FIS12 §12.3). */
  function messageFaults(heard: Heard): Fault[] {
    const { action, context, message, error, path } = heard
    if (!isRefusal(heard))
      return rulesOf(action, message).map((fault) => ({ ...fault, path: fault.path.replace('$', path) }))
    const wrong = bodyFaults(action, { context, error })
    return wrong.map((fault) => ({ path: `${path}.${fault.path}`, message: fault.message, section: 'FIS12 §3.2' }))
  }
  const isSound = (heard: Heard): boolean =>
    !isRefusal(heard) && bodyFaults(heard.action, { context: heard.context, message: heard.message }).length === 0

  const lacking = ({ message, path }: Heard): Fault[] =>
    customFaults(dialect, message).map((fault) => ({ ...fault, path: fault.path.replace('$', path) }))

  return (transcript: readonly Recorded[], publicKeyOf: PublicKeyOf, isOurs: IsOurs = isSent): Fault[] => {
    const { heard, grievances, faults } = hear(transcript, dialect)
    return [
      ...faults,
      ...heard.flatMap(messageFaults),
      ...heard.filter(isOurs).flatMap(lacking),
      ...signatureFaults([...heard, ...grievances], publicKeyOf),
      ...grievanceFaults(grievances, heard),
      ...conversationsOf(heard).flatMap((whole) => {
        const conversation = withoutLate(whole)
        return [
          ...identityFaults(whole, sequence),
          ...sequenceFaults(conversation, sequence),
          ...within(conversation.heard.filter(isSound)),
        ]
      }),
    ]
  }
}

/** Whose messages must carry what official ones always do; those that were sent, unless told. */
export type IsOurs = (heard: Heard) => boolean
const isSent: IsOurs = ({ direction }) => direction === 'sent'

const isRefusal = ({ message, error }: Heard): boolean => error !== undefined && message === undefined

/** The messages in which a lender states an order. */
export const holdsOrder = ({ action }: Heard): boolean => isCallback(action) && action !== 'on_search'
