// The judge of a transcript, in the dialect that it began in (FIS12 §12).

import { jsonIn } from '@lendloom/foundation/json'
import { dialectIn, type Fault } from '@lendloom/wire/network/context'
import type { IsOurs } from './invariants.ts'
import type { PublicKeyOf, RecordedMessage } from './transcript.ts'
import { invariantsOf as invariants203 } from './v203/invariants.ts'
import { invariantsOf as invariants230 } from './v230/invariants.ts'

/** The faults of a journey's messages by the network's rules and invariants, in wire order; empty for a valid one. */
export function transcriptFaults(
  transcript: readonly RecordedMessage[],
  publicKeyOf: PublicKeyOf,
  isOurs?: IsOurs,
): Fault[] {
  const [first] = transcript
  if (!first) return []
  const invariants = dialectIn(jsonIn(first.body)) === '2.3.0' ? invariants230 : invariants203
  return invariants(transcript, publicKeyOf, isOurs)
}

/** The shape of a message, the ids that it names, and its sums; a rule of one action has the action in its section. */
const lenderSections = /^FIS12 §(3\.3|12\.[12]|12\.4\.2|12\.4\.3|27\.5)( on_\w+)?$/

/**
 * Whether a buyer app is not to blame, because the fault is in what a lender states. The order of messages and the state
 * of the loan count as ours, because our messages have a part in them.
 */
export const isLenders = ({ path, section }: Fault): boolean =>
  /^#\d+ on_\w+ \$\.message\b/.test(path) && lenderSections.test(section)
