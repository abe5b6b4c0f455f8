// The directory of the account-aggregator network: its parties with their keys, and the two parties that this program
// plays (aggregator and lenders).
import { createPrivateKey, randomUUID } from 'node:crypto'
import { Refusal } from '@lendloom/foundation/refusal'
import { OneOf, Type } from '@lendloom/foundation/schema'
import { answer } from '@lendloom/http/server'
import type { Db } from '@lendloom/postgres/sql'
import { newSigner, publicJwk, type Signer } from '@lendloom/seal/jws'
import type { Seal } from '@lendloom/seal/seal'
import { type Context, route, type Signers } from '#sandbox/core/context.ts'
import { enterEntity, findEntity, findSigner, storeSigner } from './store.ts'

export const aggregatorId = 'aa.sandbox.example'
export const aggregatorName = 'Sandbox Account Aggregator'
/** The part of a customer's handle after the mobile number. */
export const aggregatorHandle = 'sandbox-aa'
/** The party as which all lenders of the sandbox ask for data. */
const lendersId = 'fiu.sandbox.example'

/** The digest of an API key, by which its party is found. */
export const apiKeyDigest = (seal: Seal, apiKey: string): Buffer => seal.digest(apiKey, 'aa api key')

/** The key with which our lenders call the aggregator; it cannot be computed without the seal. */
export const lendersApiKey = (seal: Seal): string => seal.digest(lendersId, 'aa api key of the lenders').toString('hex')

/** Loads the keys of both parties and enters the parties in the directory. Several processes may call it at once. */
export async function openSigners(db: Db, seal: Seal, at: Date): Promise<Signers> {
  const [aggregator, lenders] = await Promise.all([
    signerOf(db, seal, aggregatorId, at),
    signerOf(db, seal, lendersId, at),
  ])
  const entity = { secretSealed: null, updatedAt: at }
  await enterEntity(db, {
    ...entity,
    entityId: aggregatorId,
    type: 'AA',
    name: aggregatorName,
    apiKeyDigest: null,
    keys: [publicJwk(aggregator)],
  })
  await enterEntity(db, {
    ...entity,
    entityId: lendersId,
    type: 'FIU',
    name: 'Lenders of the sandbox',
    apiKeyDigest: apiKeyDigest(seal, lendersApiKey(seal)),
    keys: [publicJwk(lenders)],
  })
  return { aggregator, lenders }
}

/** Returns the signer of one of our parties. Creates it at the first call. */
export async function signerOf(db: Db, seal: Seal, entityId: string, at: Date): Promise<Signer> {
  const context = signerContext(entityId)
  // Generating a key takes 0.1 s, so look for a stored one first.
  const row = (await findSigner(db, entityId)) ?? (await storeSigner(db, newSignerRow(seal, entityId, at)))
  const bytes = seal.open(row.privateKeySealed, context)
  return { kid: row.kid, privateKey: createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' }) }
}

const signerContext = (entityId: string): string => `aa_signer/${entityId}`

function newSignerRow(seal: Seal, entityId: string, at: Date) {
  const { kid, privateKey } = newSigner(`${entityId}-${randomUUID().slice(0, 8)}`)
  const der = privateKey.export({ format: 'der', type: 'pkcs8' })
  return { entityId, kid, privateKeySealed: seal.bytes(der, signerContext(entityId)), createdAt: at }
}

const Text = Type.String({ minLength: 1, maxLength: 500 })

/** Returns a party of the network with its addresses and public keys. */
export const lookUpEntity = route({
  method: 'GET',
  path: '/aggregator/registry/entityInfo/{type}/{id}',
  section: 'FIS12 §7.8',
  summary: 'A party of the account-aggregator network',
  params: Type.Object({ type: OneOf(['AA', 'FIU', 'LSP']), id: Type.String() }),
  async handle({ params }, { db, url }: Context) {
    const entity = await findEntity(db, params.id)
    if (entity?.type !== params.type) throw new Refusal('absent', 'there is no such party')
    const { entityId: id, name, keys } = entity
    const addresses = { baseurl: `${url}/aggregator/api`, webviewurl: `${url}/aggregator/web` }
    return { entityinfo: { id, name, ...(id === aggregatorId && addresses), keys } }
  },
})

const Enrolment = Type.Object({
  id: Text,
  type: OneOf(['LSP']),
  name: Text,
  apiKey: Text,
  secret: Text,
  keys: Type.Array(Type.Object({ kid: Text, kty: Text, n: Type.String(), e: Text }), { minItems: 1, maxItems: 4 }),
})

/** Service providers register their own credentials, unlike at a real aggregator. A known provider keeps its API key. */
export const enrolEntity = route({
  method: 'POST',
  path: '/aggregator/registry/entities',
  section: 'FIS12 §7.8',
  summary: 'Registers a service provider, which only a sandbox does without verification',
  body: Enrolment,
  async handle({ body, at }, { db, seal }: Context) {
    const { id, type, name, apiKey, secret, keys } = body
    const digest = apiKeyDigest(seal, apiKey)
    const known = await findEntity(db, id)
    if (known && !known.apiKeyDigest?.equals(digest)) throw new Refusal('forbidden', 'this party has another API key')
    const secretSealed = known?.secretSealed ?? seal.bytes(Buffer.from(secret), secretContext(id))
    await enterEntity(db, { entityId: id, type, name, apiKeyDigest: digest, secretSealed, keys, updatedAt: at })
    return answer(201, { id })
  },
})

/** The context under which the secret of a party is sealed. */
export const secretContext = (entityId: string): string => `aa_entity/${entityId}/secret`
