// Malformed, repeated, late and out-of-order requests to the sandbox's lenders: each loan still completes.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { conventionFaults } from '@lendloom/conformance/network/conventions'
import { outgoingFaults as rules203 } from '@lendloom/conformance/network/v203/rules'
import { outgoingFaults as rules230 } from '@lendloom/conformance/network/v230/rules'
import { enterParticipant, findParticipants } from '@lendloom/sandbox/src/registry/store.ts'
import { faultText } from '@lendloom/wire/network/context'
import { isIgmAction } from '@lendloom/wire/network/igm/actions'
import { igmMessageFaults } from '@lendloom/wire/network/igm/codec'
import { FaultCoverage, kindsOf } from '#test/setup/message-kinds.ts'
import { type BuyerOptions, BuyerTalk } from '#test/setup/official-lender/buyer.ts'
import { type BuyerPlay, buyerPlays } from '#test/setup/official-lender/buyer-plays.ts'
import { BuyerServer } from '#test/setup/official-lender/buyer-server.ts'
import { startPrograms } from '#test/setup/programs.ts'
import { approveConsent } from '#test/setup/sandbox/consent.ts'
import { faultsOfAnswers } from '#test/setup/wrong-callbacks.ts'
import { WrongRequests } from '#test/setup/wrong-requests.ts'

const rounds = Number(process.env.FUZZ_ROUNDS ?? 1)
const seed = Number(process.env.FUZZ_SEED ?? 8)

const coverage = new FaultCoverage()
const programs = await startPrograms({ env: { SANDBOX_GRIEVANCE_SECONDS: '1' } })
const participants = await findParticipants(programs.sandboxDb, {})
const keyOf = (id: string, keyId: string) =>
  participants.find((each) => each.subscriberId === id && each.uniqueKeyId === keyId)?.signingPublicKey
const server = new BuyerServer(keyOf)
const { id, keyId, url, publicKey } = await server.start()
after(() => server.stop())
const at = new Date()
await programs.sandboxDb.tx((tx) =>
  enterParticipant(tx, {
    subscriberId: id,
    uniqueKeyId: keyId,
    type: 'BAP',
    domain: 'ONDC:FIS12',
    subscriberUrl: url,
    country: 'IND',
    city: '*',
    signingPublicKey: publicKey,
    encryptionPublicKey: '',
    status: 'SUBSCRIBED',
    validFrom: new Date(0),
    validUntil: new Date(Date.now() + 86_400_000),
    createdAt: at,
    updatedAt: at,
  }),
)

/** Violations in the lender's messages. */
function faultsOfLender({ transactionId }: BuyerTalk, version: BuyerOptions['version'], lenderId: string): string[] {
  const messages = (server.arrived.get(transactionId) ?? []).filter(({ context }) => context.bpp_id === lenderId)
  const outgoingFaults = version === '2.3.0' ? rules230 : rules203
  return messages.flatMap(({ context: { action }, message }) => {
    if (message === undefined) return []
    if (isIgmAction(action)) return igmMessageFaults(action, message).map(faultText)
    return [...outgoingFaults(action, message), ...conventionFaults(version, message)].map(
      (fault) => `${action} ${faultText(fault)}`,
    )
  })
}

/** Wrong requests to a lender with one page are sent by the test of the sandbox's lenders with stops, not by these plays. */
const isOfOnePage = (kind: string): boolean => kind.includes(', one page')

async function fuzzFlow(flowId: string, { version, lender, person, play }: BuyerPlay, round: number): Promise<void> {
  const plan = rounds > 1 ? { tries: 3, repeatProbability: 1 } : { tries: 1, repeatProbability: 0.2 }
  const wrongRequests = new WrongRequests({ flowId, seed: `${seed} ${flowId} ${round}`, ...plan }, coverage)
  const lenderId = `${lender}.sandbox.example`
  const talk = new BuyerTalk(server, {
    version,
    gatewayUrl: `${programs.sandboxUrl}/gateway`,
    approveConsent: (handle, userId) => approveConsent(programs.sandboxUrl, handle, userId),
    lender: { id: lenderId, url: `${programs.sandboxUrl}/lenders/${lender}/ondc` },
    ...(person && { person }),
    injectFaults: (envelope, send) => wrongRequests.injectFaults(envelope, send),
  })
  const startedAt = Date.now()
  const failure = await play(talk).then(
    () => null,
    (error: Error) => error,
  )
  const answers = wrongRequests.sent.map(
    ({ name, answer }) => `${name}: ${answer.status} ${JSON.stringify(answer.body?.error ?? '')}`,
  )
  const report = () => `${flowId}, round ${round}\n${answers.join('\n')}\n${failure?.stack}`
  if (process.env.FUZZ_TELL) console.log(Date.now() - startedAt, report())
  assert.equal(failure, null, `the loan does not complete. ${report()}`)
  assert.deepEqual(faultsOfAnswers(wrongRequests.sent, '30000'), [], report())
  assert.deepEqual(talk.faults, [], report())
  assert.deepEqual(faultsOfLender(talk, version, lenderId), [], report())
}

describe('FIS12 §3: every kind of wrong request, one story', () => {
  describe('FIS12 §3: wrong requests', { concurrency: 6 }, () => {
    for (let round = 0; round < rounds; round++)
      for (const [flowId, play] of Object.entries(buyerPlays))
        test(`${flowId}, round ${round}`, () => fuzzFlow(flowId, play, round))
  })

  test('FIS12 §3: every kind of request was sent with every fault', () => {
    const fuzzed = kindsOf('requests').filter((kind) => !isOfOnePage(kind))
    assert.deepEqual(coverage.missing(fuzzed), [])
  })
})

test('no program logged an error', () => assert.deepEqual(programs.errorLines, []))
