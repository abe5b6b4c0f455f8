// The sealed links with which an app's borrower goes to the lender's page of a step.

import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { formatUuid, uuidBytes } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import { type StepName, stepNames } from '#platform/lending/step/step.ts'

/** The content of a link: one step of one journey. */
export interface LinkedStep {
  tenantId: string
  journeyId: string
  step: StepName
}

/** Each read of the step returns a new link. */
const lifetimeSeconds = 1800

const sealContext = 'step link'

/** A token has two UUIDs, the number of the step and the expiry. */
const idBytes = 16

/** Returns the token of a link, sealed against forgery. The token is not stored and expires half an hour after `at`. */
export function stepLink(seal: Seal, { tenantId, journeyId, step }: LinkedStep, at: Date): string {
  const expiry = Buffer.alloc(6)
  expiry.writeUIntBE(secondsAfter(at, lifetimeSeconds).getTime(), 0, 6)
  const content = [uuidBytes(tenantId), uuidBytes(journeyId), Buffer.from([stepNames.indexOf(step)]), expiry]
  return seal.bytes(Buffer.concat(content), sealContext).toString('base64url')
}

/** Opens a token; throws `absent` when the token is forged or expired. */
export function openLink(seal: Seal, token: string, at: Date): LinkedStep {
  const content = unseal(seal, token)
  const expiresAt = content?.readUIntBE(2 * idBytes + 1, 6) ?? 0
  if (!content || expiresAt <= at.getTime()) throw new Refusal('absent', 'this link has expired')
  return {
    tenantId: formatUuid(content.subarray(0, idBytes)),
    journeyId: formatUuid(content.subarray(idBytes, 2 * idBytes)),
    step: required(stepNames[content.readUInt8(2 * idBytes)], 'the step of a link'),
  }
}

function unseal(seal: Seal, token: string): Buffer | null {
  try {
    return seal.open(Buffer.from(token, 'base64url'), sealContext)
  } catch {
    return null
  }
}
