// Checks a recorded loan in any dialect: the rules of each message, and the rules across messages (FIS12 §12.4).

import type { FieldError } from '@lendloom/foundation/refusal'
import type { Dialect, Fault } from '@lendloom/wire/network/context'
import { type Action, isCallback, type OrderCallback, type Sequence } from '@lendloom/wire/network/sequence'
import { conventionFaults } from './conventions.ts'
import { extraFaults } from './extras.ts'
import { grievanceFaults } from './grievances.ts'
import {
  conversationsOf,
  identityFaults,
  type PublicKeyOf,
  type RecordedMessage,
  readTranscript,
  sequenceFaults,
  signatureFaults,
  type TranscriptMessage,
  withoutLate,
} from './transcript.ts'

/** The rules of a dialect. `conversationFaults` gets the well-formed messages of one conversation. */
export interface DialectRules<Valid extends TranscriptMessage> {
  /** Returns the version in which each message must be. */
  dialectsOf: (transcript: readonly RecordedMessage[]) => (body: unknown) => Dialect
  sequence: Sequence
  outgoingFaults: (action: Action, message: unknown, dialect: Dialect) => Fault[]
  bodyFaults: (action: Action, body: unknown) => FieldError[]
  conversationFaults: (messages: readonly Valid[]) => Fault[]
}

/**
 * Creates the judge of one journey's transcript, in wire order; it returns no faults for a valid one. `publicKeyOf`
 * answers like the registry. Faults are distinguished by `section`, and each path starts with the message's number and
 * action.
 */
export function invariantsBy<Valid extends TranscriptMessage>(dialectRules: DialectRules<Valid>) {
  const { dialectsOf, sequence, outgoingFaults, bodyFaults, conversationFaults } = dialectRules
  /** An error callback has no message to check (FIS12 §12.3). */
  function messageFaults(received: TranscriptMessage): Fault[] {
    const { action, context, message, error, path } = received
    if (!isRefusal(received))
      return outgoingFaults(action, message, context.version).map((fault) => ({
        ...fault,
        path: fault.path.replace('$', path),
      }))
    const errorFaults = bodyFaults(action, { context, error })
    return errorFaults.map((fault) => ({
      path: `${path}.${fault.path}`,
      message: fault.message,
      section: 'FIS12 §3.2',
    }))
  }
  const isWellFormed = (received: TranscriptMessage): received is Valid =>
    !isRefusal(received) &&
    bodyFaults(received.action, { context: received.context, message: received.message }).length === 0

  const missingTexts = ({ context, message, path }: TranscriptMessage): Fault[] =>
    conventionFaults(context.version, message).map((fault) => ({ ...fault, path: fault.path.replace('$', path) }))

  return (transcript: readonly RecordedMessage[], publicKeyOf: PublicKeyOf, isOurs: IsOurs = isSent): Fault[] => {
    const { messages, grievances, extras, faults } = readTranscript(transcript, dialectsOf(transcript))
    return [
      ...faults,
      ...messages.flatMap(messageFaults),
      ...messages.filter(isOurs).flatMap(missingTexts),
      ...signatureFaults([...messages, ...grievances, ...extras], publicKeyOf),
      ...grievanceFaults(grievances, messages),
      ...extraFaults(extras, messages),
      ...conversationsOf(messages).flatMap((recordedConversation) => {
        const conversation = withoutLate(recordedConversation)
        return [
          ...identityFaults(recordedConversation, sequence),
          ...sequenceFaults(conversation, sequence),
          ...conversationFaults(conversation.messages.filter(isWellFormed)),
        ]
      }),
    ]
  }
}

/** Whether a message is ours, and must contain the conventional texts; by default those that were sent. */
export type IsOurs = (message: TranscriptMessage) => boolean
const isSent: IsOurs = ({ direction }) => direction === 'sent'

const isRefusal = ({ message, error }: TranscriptMessage): boolean => error !== undefined && message === undefined

/** Whether a lender states an order in the message. */
export const holdsOrder = <Message extends { action: Action }>(
  message: Message,
): message is Extract<Message, { action: OrderCallback }> =>
  isCallback(message.action) && message.action !== 'on_search'
