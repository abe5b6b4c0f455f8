// The dependencies of MF Central: its signing key and its client's credentials.

import type { Signer } from '@lendloom/seal/jws'
import type { EnvelopeKey } from '@lendloom/wire/registrar/encrypted-envelope'
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
