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

/**
 * Whether a buyer app is not to blame: a lender's message has another shape than the network's rules, a quote that does
 * not add up, or another provider. All else counts as ours, because our messages have a part in it.
 */
export const isLenders = ({ path, section, message }: Fault): boolean =>
  /^#\d+ on_\w+ \$\.message\b/.test(path) &&
  (section === 'FIS12 §3.3' ||
    section === 'FIS12 §12.1' ||
    /^(names a provider|the quote (states|says)) /.test(message))
