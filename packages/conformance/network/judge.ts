// The judge of a transcript, in the dialect that it began in (FIS12 §12).
import { dialectIn, type Fault } from '#contract/network/context.ts'
import { jsonIn } from '#kit/runtime/record.ts'
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

/**
 * Whether a buyer app is not to blame: the fault is in what a lender's message states. A fault in the order of messages, the
 * progress of the loan, an id, a time or a signature counts as ours, because our messages have a part in them.
 */
export const isLenders = ({ path, section }: Fault): boolean =>
  /^#\d+ on_\w+ \$\.message\b/.test(path) && !lawsOfBothSides.includes(section)

const lawsOfBothSides = ['FIS12 §12.4.4', 'FIS12 §12.4.5']
