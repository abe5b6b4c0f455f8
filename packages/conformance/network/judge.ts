// The judge of a transcript, in the dialect that it began in (FIS12 §12).
import { dialectIn, type Fault } from '#contract/network/context.ts'
import { jsonIn } from '#kit/runtime/record.ts'
import type { IsOurs } from './invariants.ts'
import type { PublicKeyOf, RecordedMessage } from './transcript.ts'
import { invariantsOf as invariants203 } from './v203/invariants.ts'
import { invariantsOf as invariants230 } from './v230/invariants.ts'

const invariantsIn = { '2.0.3': invariants203, '2.3.0': invariants230 }

/** The faults of a journey's messages by the network's rules and invariants, in wire order; empty for a valid one. */
export function transcriptFaults(
  transcript: readonly RecordedMessage[],
  publicKeyOf: PublicKeyOf,
  isOurs?: IsOurs,
): Fault[] {
  const [first] = transcript
  return first ? invariantsIn[dialectIn(jsonIn(first.body))](transcript, publicKeyOf, isOurs) : []
}
