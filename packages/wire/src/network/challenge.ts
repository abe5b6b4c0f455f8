// The registry verifies a subscriber by a signature on its site and an encrypted challenge (FIS12 §6.2, v1.0).
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  sign,
  verify,
} from 'node:crypto'
import { signingKey, verificationKey } from './signing.ts'

/** An X25519 key pair in the registry's format: base64 of the DER encodings PKCS#8 (private) and SPKI (public). */
export interface EncryptionKeys {
  privateKey: string
  publicKey: string
}

const pkcs8Prefix = Buffer.from('302e020100300506032b656e04220420', 'hex')

export function encryptionKeysFrom(seed: Uint8Array): EncryptionKeys {
  const der = Buffer.concat([pkcs8Prefix, seed])
  const publicKey = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
  return {
    privateKey: der.toString('base64'),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  }
}

export const siteSignature = (requestId: string, signingPrivateKey: string): string =>
  sign(null, Buffer.from(requestId), signingKey(signingPrivateKey)).toString('base64')

export function verifySiteSignature(requestId: string, signature: string, signingPublicKey: string): boolean {
  const bytes = Buffer.from(signature, 'base64')
  return bytes.length === 64 && verify(null, Buffer.from(requestId), verificationKey(signingPublicKey), bytes)
}

export const sitePage = (signature: string): string =>
  `<!doctype html><html><head><meta name="ondc-site-verification" content="${signature}"></head><body></body></html>`

/** Encrypts the registry's challenge for one subscriber. The network prescribes ECB mode. */
export function encryptChallenge(plaintext: string, privateKey: string, theirPublicKey: string): string {
  const cipher = createCipheriv('aes-256-ecb', sharedKey(privateKey, theirPublicKey), null)
  return Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]).toString('base64')
}

/** Decrypts the challenge for the response to `on_subscribe`. Throws if the challenge was encrypted for another key. */
export function decryptChallenge(challenge: string, privateKey: string, theirPublicKey: string): string {
  const decipher = createDecipheriv('aes-256-ecb', sharedKey(privateKey, theirPublicKey), null)
  return Buffer.concat([decipher.update(challenge, 'base64'), decipher.final()]).toString('utf8')
}

/** The raw X25519 secret, used as the AES key without derivation. */
function sharedKey(privateKey: string, publicKey: string): Buffer {
  return diffieHellman({
    privateKey: createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' }),
    publicKey: createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' }),
  })
}
