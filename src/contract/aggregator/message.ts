// Bodies of the aggregator's interface on their way: stamped, signed as bytes, and believed only with the sender's signature (ReBIT 2.x).

import { detachedSignature, isSignedBy, type KeyOf, type Signer } from '#kit/crypto/jws.ts'
import { readJson } from '#kit/http/body.ts'
import { faults, fits, type Static, type TSchema } from '#kit/http/schema.ts'
import { fieldsOf } from '#kit/runtime/record.ts'
import { version } from './consent.ts'

export interface Signed {
  body: string
  signature: string
}

/** A body with its version, time and transaction, and the signature of exactly these bytes. */
export async function signedBody(
  content: object,
  { txnId, at }: { txnId: string; at: Date },
  signer: Signer,
): Promise<Signed> {
  const body = JSON.stringify({ ver: version, timestamp: at.toISOString(), txnid: txnId, ...content })
  return { body, signature: await detachedSignature(body, signer) }
}

export type ReadFault = 'not signed' | 'not readable' | 'of another version'

/** Reads a body that must have been signed by a key of its sender; `schema` says what it must hold. */
export async function readSigned<T extends TSchema>(
  schema: T,
  body: Buffer,
  signature: string | undefined,
  keyOf: KeyOf,
): Promise<{ value: Static<T> } | { fault: ReadFault; at?: string }> {
  if (!(await isSignedBy(body, signature, keyOf))) return { fault: 'not signed' }
  let value: unknown
  try {
    value = readJson(body)
  } catch {
    return { fault: 'not readable' }
  }
  if (!fits(schema, value)) return { fault: 'not readable', at: faults(schema, value)[0]?.path }
  return fieldsOf(value).ver === version ? { value } : { fault: 'of another version' }
}
