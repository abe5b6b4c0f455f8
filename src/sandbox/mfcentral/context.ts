// What MF Central's part of the sandbox is given beside what every part is: its key, and what it has agreed on with its client.

import type { EnvelopeKey } from '#contract/registrar/envelope.ts'
import type { Signer } from '#kit/crypto/jws.ts'
import type { Context } from '#sandbox/core/context.ts'

export interface MfCentralContext extends Context {
  mfCentral: {
    signer: Signer
    client: { id: string; secret: string; username: string; password: string }
    envelope: EnvelopeKey
    /** What addresses are encrypted with: 32 characters. */
    urlKey: string
  }
}

/** The name under which its signing key is kept. */
export const mfCentralId = 'mfcentral.sandbox.example'
