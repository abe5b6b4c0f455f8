// The address at which a borrower does a step, for clients without our page: ours, so that the visit is seen (D1 §3).

import { formatUuid, uuidBytes } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { required } from '#kit/runtime/required.ts'
import { type StepName, stepNames } from '#platform/step/step.ts'

/** What a link opens: one step of one journey. */
export interface LinkedStep {
  tenantId: string
  journeyId: string
  step: StepName
}

/** Long enough to find the phone again; asking for the step gives a fresh one. */
const goodForSeconds = 1800

const context = 'step link'
const idBytes = 16

/**
 * The token of a link, sealed: nobody can make one or read what is in it, and nothing has to be kept for it. It opens for
 * half an hour after `at`.
 */
export function stepLink(seal: Seal, { tenantId, journeyId, step }: LinkedStep, at: Date): string {
  const ends = Buffer.alloc(6)
  ends.writeUIntBE(secondsAfter(at, goodForSeconds).getTime(), 0, 6)
  const plain = [uuidBytes(tenantId), uuidBytes(journeyId), Buffer.from([stepNames.indexOf(step)]), ends]
  return seal.bytes(Buffer.concat(plain), context).toString('base64url')
}

/** Reads a token; refused as `absent` when we never made it, or when its time has passed. */
export function openLink(seal: Seal, token: string, at: Date): LinkedStep {
  const plain = opened(seal, token)
  const ends = plain?.readUIntBE(2 * idBytes + 1, 6) ?? 0
  if (!plain || ends <= at.getTime()) throw new Refusal('absent', 'this link has expired')
  return {
    tenantId: formatUuid(plain.subarray(0, idBytes)),
    journeyId: formatUuid(plain.subarray(idBytes, 2 * idBytes)),
    step: required(stepNames[plain.readUInt8(2 * idBytes)], 'the step of a link'),
  }
}

function opened(seal: Seal, token: string): Buffer | null {
  try {
    return seal.open(Buffer.from(token, 'base64url'), context)
  } catch {
    return null
  }
}
