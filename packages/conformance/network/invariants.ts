// Everything that must hold over a recorded loan, in any dialect: each message's rules, and what no single one shows (FIS12 §12.4).

import type { Dialect, Fault } from '#contract/network/context.ts'
import { type Action, isCallback, type OrderCallback, type Sequence } from '#contract/network/sequence.ts'
import type { FieldError } from '#kit/http/refusal.ts'
import { customFaults } from './customs.ts'
import { grievanceFaults } from './grievances.ts'
import {
  conversationsOf,
  identityFaults,
  type PublicKeyOf,
  type Recorded,
  readTranscript,
  sequenceFaults,
  signatureFaults,
  type TranscriptMessage,
  withoutLate,
} from './transcript.ts'

/** What a dialect judges by. `within` looks at one conversation, of which it is given the messages of a good shape. */
export interface Judges<Sound extends TranscriptMessage> {
  dialect: Dialect
  sequence: Sequence
  rulesOf: (action: Action, message: unknown) => Fault[]
  bodyFaults: (action: Action, body: unknown) => FieldError[]
  within: (sound: readonly Sound[]) => Fault[]
}

/**
 * Creates the judge of one journey's transcript, in wire order; it returns no faults for a valid one. `publicKeyOf`
 * answers like the registry. Faults are distinguished by `section`, and each path starts with the message's number and
 * action.
 */
export function invariantsBy<Sound extends TranscriptMessage>(judges: Judges<Sound>) {
  const { dialect, sequence, rulesOf, bodyFaults, within } = judges
  /** An error callback has no message for the rules to look at (FIS12 §12.3). */
  function messageFaults(messages: TranscriptMessage): Fault[] {
    const { action, context, message, error, path } = messages
    if (!isRefusal(messages))
      return rulesOf(action, message).map((fault) => ({ ...fault, path: fault.path.replace('$', path) }))
    const wrong = bodyFaults(action, { context, error })
    return wrong.map((fault) => ({ path: `${path}.${fault.path}`, message: fault.message, section: 'FIS12 §3.2' }))
  }
  const isSound = (messages: TranscriptMessage): messages is Sound =>
    !isRefusal(messages) &&
    bodyFaults(messages.action, { context: messages.context, message: messages.message }).length === 0

  const lacking = ({ message, path }: TranscriptMessage): Fault[] =>
    customFaults(dialect, message).map((fault) => ({ ...fault, path: fault.path.replace('$', path) }))

  return (transcript: readonly Recorded[], publicKeyOf: PublicKeyOf, isOurs: IsOurs = isSent): Fault[] => {
    const { messages, grievances, faults } = readTranscript(transcript, dialect)
    return [
      ...faults,
      ...messages.flatMap(messageFaults),
      ...messages.filter(isOurs).flatMap(lacking),
      ...signatureFaults([...messages, ...grievances], publicKeyOf),
      ...grievanceFaults(grievances, messages),
      ...conversationsOf(messages).flatMap((whole) => {
        const conversation = withoutLate(whole)
        return [
          ...identityFaults(whole, sequence),
          ...sequenceFaults(conversation, sequence),
          ...within(conversation.messages.filter(isSound)),
        ]
      }),
    ]
  }
}

/** The side whose messages must carry what official ones always do; those that were sent by default. */
export type IsOurs = (messages: TranscriptMessage) => boolean
const isSent: IsOurs = ({ direction }) => direction === 'sent'

const isRefusal = ({ message, error }: TranscriptMessage): boolean => error !== undefined && message === undefined

/** The messages in which a lender states an order. */
export const holdsOrder = <Message extends { action: Action }>(
  message: Message,
): message is Extract<Message, { action: OrderCallback }> =>
  isCallback(message.action) && message.action !== 'on_search'
