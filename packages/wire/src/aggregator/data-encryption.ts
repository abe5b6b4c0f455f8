// End-to-end encryption of bank data between bank and lender: ephemeral X25519 keys, HKDF, AES-GCM (ReBIT 2.x, Rahasya).
import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { type Static, Type } from '@lendloom/foundation/schema'

/** The key material of one side. The older `Curve25519` variant has another format and is rejected. */
export const KeyMaterial = Type.Object({
  cryptoAlg: Type.Literal('ECDH'),
  curve: Type.Literal('X25519'),
  params: Type.String(),
  DHPublicKey: Type.Object({ expiry: Type.String(), Parameters: Type.String(), KeyValue: Type.String() }),
  Nonce: Type.String(),
})
export type KeyMaterial = Static<typeof KeyMaterial>

/** One side's keys for one exchange; used once, then discarded. */
export interface Ephemeral {
  privateKey: KeyObject
  nonce: Buffer
}

export const newEphemeral = (): Ephemeral => ({
  privateKey: generateKeyPairSync('x25519').privateKey,
  nonce: randomBytes(32),
})

export const keyMaterialOf = ({ privateKey, nonce }: Ephemeral, expiry: Date): KeyMaterial => ({
  cryptoAlg: 'ECDH',
  curve: 'X25519',
  params: 'cipher=AES/GCM/NoPadding;KeyPairGenerator=ECDH',
  DHPublicKey: {
    expiry: expiry.toISOString(),
    Parameters: '',
    KeyValue: createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64'),
  },
  Nonce: nonce.toString('base64'),
})

const tagBytes = 16
const gcm = { authTagLength: tagBytes }

/** Derives the key and IV, equal on both sides. Throws if the other side's key is not an X25519 key. */
export function sessionOf({ privateKey, nonce }: Ephemeral, theirs: Pick<KeyMaterial, 'DHPublicKey' | 'Nonce'>) {
  const der = Buffer.from(theirs.DHPublicKey.KeyValue, 'base64')
  const secret = diffieHellman({ privateKey, publicKey: createPublicKey({ key: der, format: 'der', type: 'spki' }) })
  const other = Buffer.from(theirs.Nonce, 'base64')
  const mixed = Buffer.from(nonce.map((byte, i) => byte ^ (other[i] ?? 0)))
  const key = Buffer.from(hkdfSync('sha256', secret, mixed.subarray(0, 20), Buffer.alloc(0), 32))
  return { key, iv: mixed.subarray(20, 32) }
}

export type DataSession = ReturnType<typeof sessionOf>

export function encryptData({ key, iv }: DataSession, text: string): string {
  const cipher = createCipheriv('aes-256-gcm', key, iv, gcm)
  return Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64')
}

/** Throws if the text was encrypted for another session, or was changed. */
export function decryptData({ key, iv }: DataSession, encrypted: string): string {
  const bytes = Buffer.from(encrypted, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, iv, gcm).setAuthTag(bytes.subarray(-tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]).toString('utf8')
}

/** POST /FI/request: `digitalSignature` is the third part of the signed consent. */
export const DataRequest = Type.Object({
  ver: Type.String(),
  timestamp: Type.String(),
  txnid: Type.String(),
  FIDataRange: Type.Object({ from: Type.String(), to: Type.String() }),
  Consent: Type.Object({ id: Type.String(), digitalSignature: Type.String() }),
  KeyMaterial,
})
export const DataReply = Type.Object({
  ver: Type.String(),
  timestamp: Type.String(),
  txnid: Type.String(),
  consentId: Type.String(),
  sessionId: Type.String(),
})

/** POST /FI/fetch */
export const DataFetch = Type.Object({
  ver: Type.String(),
  timestamp: Type.String(),
  txnid: Type.String(),
  sessionId: Type.String(),
})
export const DataFetched = Type.Object({
  ver: Type.String(),
  timestamp: Type.String(),
  txnid: Type.String(),
  FI: Type.Array(
    Type.Object({
      fipID: Type.String(),
      data: Type.Array(
        Type.Object({ linkRefNumber: Type.String(), maskedAccNumber: Type.String(), encryptedFI: Type.String() }),
      ),
      KeyMaterial,
    }),
  ),
})
