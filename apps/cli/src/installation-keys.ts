// The generated keys of an installation, in its data directory.

import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { linkSync, rmSync, writeFileSync } from 'node:fs'
import { required } from '@lendloom/foundation/required'
import { codeOf } from '@lendloom/foundation/thrown'
import { newSealKey } from '@lendloom/seal/seal'
import { CannotRun } from './command.ts'
import { keyFile, readJson, writeSecret } from './installation.ts'

/** A bearer token, and a secret with an id that signs events (D3 §5). */
export interface LenderCredential {
  bearer: string
  keyId: string
  signingSecret: string
}

/** Generated at the first start and then kept: sealed data in the databases can only be read with these keys. */
export interface InstallationKeys {
  /** `LENDLOOM_KEYS` of the platform and of the sandbox, which share no secret. */
  platform: string
  partner: string
  sandbox: string
  /** `LENDLOOM_DIGEST_KEY` of each program whose keys were replaced. */
  digest?: Partial<Record<'platform' | 'partner' | 'sandbox', string>>
  /** The credentials with which the platform calls the partner, and the partner calls the platform. */
  toPartner: LenderCredential
  toPlatform: LenderCredential
  bankBearer: string
  /** The same secrets for a sandbox's second partner, which calls the platform with `toPlatformOfSecond`. */
  secondPartner: string
  toSecondPartner: LenderCredential
  toPlatformOfSecond: LenderCredential
  secondBankBearer: string
  deskPassword: string
  /** The platform's identity on the open network: Ed25519, base64 of the 32-byte seed and the 32-byte public key. */
  networkSigningKey: string
  /** X25519, base64 of PKCS #8 DER. */
  networkEncryptionKey: string
}

/** Reads the keys of this installation, or generates and stores them at the first start. */
export function keysOf(directory: string): InstallationKeys {
  const file = keyFile(directory)
  const stored = readJson<Partial<InstallationKeys>>(file)
  if (!stored) writeOnce(file, newKeys())
  // A newer version may need keys that this installation lacks.
  else if (Object.keys(newKeys()).some((name) => !(name in stored))) writeSecret(file, { ...newKeys(), ...stored })
  return required(readJson<InstallationKeys>(file), 'keys of the installation')
}

/** The stored keys of this installation; writes nothing. Throws `CannotRun` if there are none. */
export function storedKeys(directory: string): InstallationKeys {
  const stored = readJson<Partial<InstallationKeys>>(keyFile(directory))
  if (!stored)
    throw new CannotRun(`there is no installation in ${directory}: run lendloom start first, or set LENDLOOM_KEYS`)
  return { ...newKeys(), ...stored }
}

export const newKeys = (): InstallationKeys => ({
  platform: newSealKey('k1'),
  partner: newSealKey('k1'),
  sandbox: newSealKey('k1'),
  toPartner: newCredential('lendloom-1'),
  toPlatform: newCredential('celestium-1'),
  bankBearer: randomBytes(32).toString('base64url'),
  secondPartner: newSealKey('k1'),
  toSecondPartner: newCredential('lendloom-1'),
  toPlatformOfSecond: newCredential('kaveri-1'),
  secondBankBearer: randomBytes(32).toString('base64url'),
  deskPassword: randomBytes(12).toString('base64url'),
  networkSigningKey: signingKey(generateKeyPairSync('ed25519').privateKey),
  networkEncryptionKey: generateKeyPairSync('x25519')
    .privateKey.export({ type: 'pkcs8', format: 'der' })
    .toString('base64'),
})

const newCredential = (keyId: string): LenderCredential => ({
  bearer: randomBytes(32).toString('base64url'),
  keyId,
  signingSecret: randomBytes(32).toString('base64url'),
})

function signingKey(key: KeyObject): string {
  const { d = '', x = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]).toString('base64')
}

/** Like `writeSecret`, but the first of two writers wins. */
function writeOnce(file: string, value: unknown): void {
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  try {
    linkSync(temporary, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(temporary)
  }
}
