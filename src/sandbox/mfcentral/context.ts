// The dependencies of MF Central: its signing key and its client's credentials.

import type { EnvelopeKey } from '#contract/registrar/envelope.ts'
import type { Signer } from '#kit/crypto/jws.ts'
import type { Context } from '#sandbox/core/context.ts'

export interface MfCentralContext extends Context {
  mfCentral: {
    signer: Signer
    client: { id: string; secret: string; username: string; password: string }
    envelope: EnvelopeKey
    /** The key that encrypts URLs: 32 characters. */
    urlKey: string
  }
}

export const mfCentralId = 'mfcentral.sandbox.example'
