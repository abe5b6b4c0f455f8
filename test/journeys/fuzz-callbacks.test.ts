// Callbacks of a wrong shape, repeated, old and out of order: each is refused with code and place or does what the machine allows, and no journey stands still.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EmbedView } from '#contract/hosted/embed.ts'
import { isTaken, type Mutation, mutationsOf, shuffled } from '#test/setup/mutations.ts'
import { atPage, goThrough, handedOver } from '#test/setup/official-borrower.ts'
import type { Reply } from '#test/setup/official-lender/directory.ts'
import type { Talk } from '#test/setup/official-lender/talk.ts'
import type { Json } from '#test/setup/official-lender/wire.ts'
import { startOfficialWorld } from '#test/setup/official-world.ts'
import { seeded } from '#test/setup/patience.ts'

/** A longer run has more rounds; another seed meets other faults. */
const rounds = Number(process.env.FUZZ_ROUNDS ?? 1)
const seed = Number(process.env.FUZZ_SEED ?? 1)
/** So many wrong callbacks come before a right one at most; the first that is taken is the last. */
const tries = 12

interface Target {
  /** Which of the lender's messages is preceded by wrong ones. */
  place: number
  chance: () => number
  sent: { name: string; path: string; answer: Reply }[]
}
const targets = new Map<string, Target>()
const saidBy = ({ said }: Talk) => said.filter(({ direction }) => direction === 'sent')

const world = await startOfficialWorld(
  { NETWORK_SEARCH_TTL: 'PT4S', NETWORK_CALL_TTL: 'PT3S', OFFER_WINDOW_SECONDS: '8' },
  async (talk, envelope, send) => {
    const target = targets.get(talk.transactionId) ?? (await targetOf(talk))
    if (saidBy(talk).length !== target.place || target.sent.length > 0) return
    const wrong = [...disordered(talk, envelope, target), ...mutationsOf(envelope, target.chance)]
    for (const { name, path, envelope: changed } of wrong.slice(0, tries)) {
      const answer = await send(changed)
      target.sent.push({ name, path, answer })
      if (isTaken(answer)) return
    }
  },
)

/** What is to go wrong stands in the identifier of the borrower. */
async function targetOf({ transactionId }: Talk): Promise<Target> {
  const [row] = await world.db<{ externalId: string }>`
    select b.external_id from journey j join borrower b using (tenant_id, borrower_id)
    where j.network_transaction_id = ${transactionId}`
  const [, place, round] = row!.externalId.split('--').map(Number) as [number, number, number]
  const target = { place, chance: seeded(seed * 7919 + round * 131 + place), sent: [] }
  targets.set(transactionId, target)
  return target
}

/** One time in four the order is wrong: an old message again, or as if it were new, a later one too early, an old time. */
function disordered(talk: Talk, envelope: Json, { chance }: Target): Mutation[] {
  if (chance() > 0.25) return []
  const [old] = shuffled(saidBy(talk), chance)
  const context = { ...envelope.context, message_id: crypto.randomUUID() }
  const next = { on_search: 'on_select', on_select: 'on_init', on_init: 'on_confirm' }[
    envelope.context.action as string
  ]
  const timestamp = new Date(Date.now() - 3_600_000).toISOString()
  const all = [
    { name: 'an hour old', envelope: { ...envelope, context: { ...envelope.context, timestamp } } },
    ...(next ? [{ name: `${next} too early`, envelope: { ...envelope, context: { ...context, action: next } } }] : []),
    ...(old ? [{ name: `${old.action} again`, envelope: { context: old.context, message: old.message } }] : []),
    ...(old
      ? [
          {
            name: `${old.action} as if new`,
            envelope: { context: { ...context, action: old.action }, message: old.message },
          },
        ]
      : []),
  ]
  return shuffled(all, chance).map((each) => ({ ...each, path: '' }))
}

const ends = ['DISBURSED', 'CLOSED', 'REJECTED', 'NOT_OFFERED']
const isOver = ({ screen }: EmbedView) => ends.includes(screen)

async function fuzzed(flowId: string, place: number, round: number): Promise<void> {
  const id = `${flowId}--${place}--${round}`
  const product = flowId.startsWith('gold') ? 'GOLD_LOAN' : 'PERSONAL_LOAN'
  const borrower = flowId.startsWith('mutual')
    ? await handedOver(world, id, 'lamf', 'or none')
    : await atPage(world, id, product)
  let failure: unknown = null
  if (borrower)
    await goThrough(borrower, 'an end', isOver).catch((error: Error) => {
      failure = error
    })
  const [row] = await world.db<{ transactionId: string }>`
    select j.network_transaction_id as transaction_id from journey j join borrower b using (tenant_id, borrower_id)
    where b.external_id like ${`${id}--%`}`
  const talk = world.lender.talks.get(row!.transactionId)
  const sent = targets.get(row!.transactionId)?.sent ?? []
  const told = sent.map(({ name, answer }) => `${name}: ${answer.status} ${JSON.stringify(answer.body?.error ?? '')}`)
  if (process.env.FUZZ_TELL) console.log(id, borrower?.view.screen, told)
  const about = () => `${id}: ${told.join('\n')}\n${talk?.said.map(({ action }) => action).join(' ')}\n${talk?.faults}`
  assert.equal(failure, null, `stands still. ${about()} ${failure}`)
  for (const { name, path, answer } of sent) {
    if (isTaken(answer)) continue
    assert.ok(answer.status < 500, `${name}: ${answer.status}. ${about()}`)
    const { message, error } = answer.body
    assert.equal(message?.ack?.status, 'NACK', about())
    assert.match(error.code, /^\d{3,5}$/, about())
    if (error.code === '20006' && path !== '') assert.match(error.path ?? '', /^\$\.(context|message)/, about())
  }
}

const flows: [string, number][] = [
  ['personal-loan-consent-monitoring', 13],
  ['gold-loan-bureau', 7],
  ['mutual-funds-statement', 14],
]

describe('FIS12 §3: wrong callbacks', { concurrency: 8 }, () => {
  for (let round = 0; round < rounds; round++)
    for (const [flowId, messages] of flows)
      for (let place = 0; place < messages; place++)
        // A run of the suite takes every other message, a longer one all of them.
        if (rounds > 1 || (place + seed) % 2 === 0)
          test(`${flowId}, message ${place}, round ${round}`, () => fuzzed(flowId, place, round))
})

test('no program complained', () => assert.deepEqual(world.complaints, []))
