// The directory of the account-aggregator network: who is who, under which address, with which keys.

import { Refusal } from '#kit/http/refusal.ts'
import { OneOf, Type } from '#kit/http/schema.ts'
import { answer } from '#kit/http/server.ts'
import { type Context, route } from '#sandbox/core/context.ts'
import { aggregatorId, apiKeyDigest } from './parties.ts'
import { enterEntity, findEntity } from './store.ts'

const Text = Type.String({ minLength: 1, maxLength: 500 })

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

/** Service providers bring their own credentials here; a real aggregator issues them. Whoever is known must bring the same. */
export const enrolEntity = route({
  method: 'POST',
  path: '/aggregator/registry/entities',
  section: 'FIS12 §7.8',
  summary: 'Enters a service provider: only a sandbox takes everybody at their word',
  body: Enrolment,
  async handle({ body, at }, { db, seal }: Context) {
    const { id, type, name, apiKey, secret, keys } = body
    const digest = apiKeyDigest(seal, apiKey)
    const known = await findEntity(db, id)
    if (known && !known.apiKeyDigest?.equals(digest)) throw new Refusal('forbidden', 'this party has another key')
    const secretSealed = known?.secretSealed ?? seal.bytes(Buffer.from(secret), secretPlace(id))
    await enterEntity(db, { entityId: id, type, name, apiKeyDigest: digest, secretSealed, keys, updatedAt: at })
    return answer(201, { id })
  },
})

export const secretPlace = (entityId: string): string => `aa_entity/${entityId}/secret`
