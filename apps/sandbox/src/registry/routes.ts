// The registry's API.

import { type Api, answer } from '@lendloom/http/server'
import { refusedAs } from '@lendloom/wire/network/errors'
import { type Context, partyOf, route } from '#sandbox/core/context.ts'
import { lookup } from './lookup-route.ts'
import { registryId } from './open-parties.ts'
import { subscribe } from './subscribe-route.ts'

/** The key with which an applicant decrypts the challenge. The real registry publishes its key in its documentation. */
const encryptionKey = route({
  method: 'GET',
  path: '/registry/encryption-key',
  section: 'FIS12 §6.2',
  summary: "The registry's X25519 public key",
  handle: (_call, { parties }) => answer(200, { encr_public_key: partyOf(parties, registryId).encryption.publicKey }),
})

export const registryApi: Api<Context> = {
  prefix: '/registry',
  routes: [lookup, subscribe, encryptionKey],
  refuse: refusedAs('BG'),
}
