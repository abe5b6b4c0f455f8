// The judge of a transcript, in the dialect that it began in (FIS12 §12).
import { dialectIn, type Fault } from '#contract/network/context.ts'
import { jsonIn } from '#kit/runtime/record.ts'
import type { IsOurs } from './invariants.ts'
import type { PublicKeyOf, Recorded } from './transcript.ts'
import { invariantsOf as invariants203 } from './v203/invariants.ts'
import { invariantsOf as invariants230 } from './v230/invariants.ts'

const invariantsIn = { '2.0.3': invariants203, '2.3.0': invariants230 }

/** What the rules and invariants of the network say of a journey's messages, in wire order; nothing when all is well. */
export function transcriptFaults(transcript: readonly Recorded[], publicKeyOf: PublicKeyOf, isOurs?: IsOurs): Fault[] {
  const [first] = transcript
  return first ? invariantsIn[dialectIn(jsonIn(first.body))](transcript, publicKeyOf, isOurs) : []
}
