// Requests of a wrong shape, repeated, old and out of order to the sandbox's lenders: refused with code and place, or harmless; the loan reaches its end.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { enterParticipant, findParticipants } from '#sandbox/registry/store.ts'
import { isTaken, mutationsOf, shuffled } from '#test/setup/mutations.ts'
import { type BuyerProduct, BuyerTalk } from '#test/setup/official-lender/buyer.ts'
import { BuyerServer } from '#test/setup/official-lender/buyer-server.ts'
import type { Reply } from '#test/setup/official-lender/directory.ts'
import { seeded } from '#test/setup/patience.ts'
import { startWorld } from '#test/setup/world.ts'

const rounds = Number(process.env.FUZZ_ROUNDS ?? 1)
const seed = Number(process.env.FUZZ_SEED ?? 1)
/** Wrong requests before each right one. */
const tries = 6

const world = await startWorld()
const participants = await findParticipants(world.sandboxDb, {})
const keyOf = (id: string, keyId: string) =>
  participants.find((each) => each.subscriberId === id && each.uniqueKeyId === keyId)?.signingPublicKey
const server = new BuyerServer(keyOf)
const { id, keyId, url, publicKey } = await server.start()
after(() => server.stop())
const at = new Date()
await world.sandboxDb.tx((tx) =>
  enterParticipant(tx, {
    ...{ subscriberId: id, uniqueKeyId: keyId, type: 'BAP', domain: 'ONDC:FIS12', subscriberUrl: url },
    ...{ country: 'IND', city: '*', signingPublicKey: publicKey, encryptionPublicKey: '', status: 'SUBSCRIBED' },
    ...{ validFrom: new Date(0), validUntil: new Date(Date.now() + 86_400_000), createdAt: at, updatedAt: at },
  }),
)

const lenderOf = { PERSONAL_LOAN: 'kaveri', GOLD_LOAN: 'kaveri', LOAN: 'meridian' } as const

async function fuzzed(product: BuyerProduct, round: number): Promise<void> {
  const slug = lenderOf[product]
  const chance = seeded(seed * 7919 + round * 131 + product.length)
  const told: string[] = []
  const answers: { name: string; answer: Reply }[] = []
  const talk = new BuyerTalk(server, product, {
    gatewayUrl: `${world.sandboxUrl}/gateway`,
    lender: { id: `${slug}.sandbox.example`, url: `${world.sandboxUrl}/lenders/${slug}/ondc` },
    async meddle(place, envelope, send) {
      const old = { ...envelope.context, timestamp: new Date(Date.now() - 3_600_000).toISOString() }
      const wrong = [
        ...(chance() < 0.5 ? [{ name: 'an hour old', envelope: { ...envelope, context: old } }] : []),
        ...mutationsOf(envelope, chance),
      ]
      for (const { name, envelope: changed } of shuffled(wrong.slice(0, tries), chance)) {
        const answer = await send({
          ...changed,
          ...(changed.context?.message_id && { context: { ...changed.context, message_id: crypto.randomUUID() } }),
        })
        answers.push({ name, answer })
        told.push(
          `#${place} ${envelope.context.action} ${name}: ${answer.status} ${JSON.stringify(answer.body?.error ?? '')}`,
        )
        if (isTaken(answer)) return
      }
    },
  })
  let failure: unknown = null
  await talk.play().catch((error: Error) => {
    failure = error
  })
  if (process.env.FUZZ_TELL) console.log(product, round, told)
  assert.equal(failure, null, `does not reach its end: ${failure}\n${told.join('\n')}`)
  for (const { name, answer } of answers) {
    if (isTaken(answer)) continue
    assert.ok(answer.status < 500, `${name}: ${answer.status}`)
    assert.equal(answer.body?.message?.ack?.status, 'NACK', name)
    assert.match(answer.body.error.code, /^\d{3,5}$/, name)
    if (answer.body.error.code === '30000') assert.match(answer.body.error.path ?? '', /^\$\.(context|message)/, name)
  }
  assert.deepEqual(talk.faults, [])
}

describe('FIS12 §3: wrong requests', { concurrency: 4 }, () => {
  for (let round = 0; round < rounds; round++)
    for (const product of ['PERSONAL_LOAN', 'GOLD_LOAN', 'LOAN'] as const)
      test(`${product}, round ${round}`, () => fuzzed(product, round))
})

test('no program complained', () => assert.deepEqual(world.complaints, []))
