// The example of docs/tutorials/join-the-network-as-a-lender.md: an independent lender joins the sandbox's network.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { type TranscriptMessage, transcriptOf } from '@lendloom/platform/src/lenders/network/transcript.ts'
import { findParticipants } from '@lendloom/sandbox/src/registry/store.ts'
import { temporaryFolder } from '#test/full/packages/consumer.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { startHeadlessJourney, submitProfile, waitForAllCards } from '#test/setup/headless.ts'
import { twoLenders } from '#test/setup/lenders.ts'
import { freePort } from '#test/setup/platform.ts'
import { startPrograms, until } from '#test/setup/programs.ts'

// Not the programs that test files share: the lender would answer the searches of other files.
const programs = await startPrograms()
const { platformUrl, sandboxUrl, tenant, sandboxDb } = programs
const root = join(import.meta.dirname, '..', '..', '..')
const port = String(await freePort())
const lenderUrl = `http://127.0.0.1:${port}`
const lenderId = 'amaltas.example'
const tutorial = readFileSync(join(root, 'docs/tutorials/join-the-network-as-a-lender.md'), 'utf8')

/** The tutorial prints what this test has seen. */
const assertInTutorial = (text: string) => assert.ok(tutorial.includes(text), `not in the tutorial: ${text}`)

const spawnExample = (env: Record<string, string> = {}): ChildProcess =>
  spawn(process.execPath, ['examples/network-lender/lender.ts'], {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: port, REGISTRY_URL: `${sandboxUrl}/registry`, ...env },
  })

/** A running example, and the lines that it has printed. */
interface Example {
  child: ChildProcess
  lines: string[]
}

const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
})

async function joinNetwork(): Promise<Example> {
  const child = spawnExample()
  children.push(child)
  const lines: string[] = []
  child.stdout!.on('data', (chunk) => lines.push(...String(chunk).trim().split('\n')))
  await until('the example to join', () => lines.some((line) => line.includes('is SUBSCRIBED')))
  return { child, lines }
}

async function end({ child }: Example, signal: NodeJS.Signals): Promise<void> {
  assert.equal(child.exitCode, null, 'the example has ended by itself')
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

const entries = () => findParticipants(sandboxDb, { subscriberId: lenderId })

async function messagesWithExample(journeyId: string): Promise<TranscriptMessage[]> {
  const transcript = await transcriptOf(programs, tenant.tenantId, journeyId)
  return transcript.filter(({ party }) => party === lenderId)
}

/** Starts a journey and returns its id once these lenders have answered. */
async function searchFor(lenderCount: number): Promise<string> {
  const borrower = await startHeadlessJourney(platformUrl, tenant)
  await submitProfile(borrower)
  await waitForAllCards(borrower, Array(lenderCount).fill(''))
  return borrower.journeyId
}

const postSelect = async (body: string, headers: Record<string, string>) => {
  const answer = await fetch(`${lenderUrl}/ondc/select`, { method: 'POST', headers, body })
  return { status: answer.status, body: await answer.json() }
}
const nackOf = (message: string) => ({
  status: 401,
  body: { message: { ack: { status: 'NACK' } }, error: { code: '30016', message } },
})

/** The value of the instalments at this yearly rate. */
const valueAt = (apr: number, instalment: number, count: number): number =>
  Array.from({ length: count }, (_, i) => instalment / (1 + apr / 1200) ** (i + 1)).reduce((sum, each) => sum + each, 0)

describe('the example lender of the network, one story', { concurrency: 1 }, () => {
  let example: Example
  let offered: TranscriptMessage[]

  test('FIS12 §6.2: the registry refuses it under the name of another member', async () => {
    const child = spawnExample({ SUBSCRIBER_ID: 'meridian.sandbox.example' })
    const errors = await text(child.stderr!)
    assert.equal(errors, 'the registry refuses: this subscriber id belongs to a party of the sandbox\n')
    assertInTutorial(errors)
    assert.equal(child.exitCode ?? (await once(child, 'exit'))[0], 1)
  })

  test('FIS12 §6.2: it joins the registry with keys of its own', async () => {
    example = await joinNetwork()
    const [entry, ...more] = await entries()
    assert.equal(entry?.status, 'SUBSCRIBED')
    assert.equal(entry.type, 'BPP')
    assert.equal(entry.subscriberUrl, `${lenderUrl}/ondc`)
    assert.deepEqual(more, [])
    assert.match(example.lines[0]!, new RegExp(`^${lenderId} is SUBSCRIBED with ${entry.uniqueKeyId} until`))
  })

  test('FIS12 §8.1: a borrower sees its offer, and takes a cheaper one', async () => {
    const dataDir = temporaryFolder('lendloom-example-')
    const sandbox = { platform: { url: platformUrl }, tenant: { apiKey: tenant.apiKey } }
    writeFileSync(join(dataDir, 'sandbox.json'), JSON.stringify(sandbox))
    const options = ['examples/headless-loan.ts', '--data-dir', dataDir]
    const run = spawn(process.execPath, options, { cwd: root, timeout: deadlineMs })
    const [output, errors] = await Promise.all([text(run.stdout), text(run.stderr)])
    assert.match(output, /Amaltas Loans +₹255000\.00 for 12 months at 28\.69% APR, ₹24112\.70 each/, errors)
    assert.match(output, /Disbursed/, errors)
    assertInTutorial(/ {2}Amaltas Loans.*/.exec(output)![0])
    const [, journeyId = ''] = /Journey (\S+)/.exec(output) ?? []
    offered = await messagesWithExample(journeyId)
    const outcomes = offered.map(({ action, outcome }) => `${action} ${outcome}`)
    assert.deepEqual(outcomes, ['on_search ACK', 'select ACK', 'on_select ACK'])
  })

  test('FIS12 §7.4: the annual percentage rate discounts the instalments to the amount paid out', () => {
    const { order } = JSON.parse(offered.at(-1)!.body).message
    const rows = new Map<string, string>(
      order.quote.breakup.map(({ title, price }: { title: string; price: { value: string } }) => [title, price.value]),
    )
    const net = Number(rows.get('NET_DISBURSED_AMOUNT'))
    assert.equal(net, Number(rows.get('PRINCIPAL')) - Number(rows.get('PROCESSING_FEE')))
    assert.ok(Math.abs(valueAt(28.69, 24112.7, 12) - net) < 20, `the instalments are worth ${net} at the rate`)
  })

  test('FIS12 §5: it acknowledges a repeated request, and rejects one that was changed or is not signed', async () => {
    const { body, headers } = offered.find(({ action }) => action === 'select')!
    const signed = { 'content-type': 'application/json', authorization: headers.authorization! }
    const acknowledged = { status: 200, body: { message: { ack: { status: 'ACK' } } } }
    assert.deepEqual(await postSelect(body, signed), acknowledged)
    const changed = body.replace('"SUCCESS"', '"PENDING"')
    assert.notEqual(changed, body)
    assert.deepEqual(await postSelect(changed, signed), nackOf('the signature is not valid: bad-signature'))
    const otherKey = { ...signed, authorization: headers.authorization!.replace(/\|[^|]+\|/, '|key-none|') }
    assert.deepEqual(await postSelect(body, otherKey), nackOf('the signature is not valid: unknown-sender'))
    const unsigned = { 'content-type': 'application/json' }
    const absent = nackOf('the signature is not valid: absent')
    assert.deepEqual(await postSelect('{}', unsigned), absent)
    assertInTutorial(JSON.stringify(absent.body))
    assert.equal(example.lines.filter((line) => line.startsWith('sent on_select')).length, 1)
  })

  test('FIS12 §2: it rejects a search that bypassed the gateway', async () => {
    const { body, headers } = offered.find(({ action }) => action === 'select')!
    const signed = { 'content-type': 'application/json', authorization: headers.authorization! }
    const answer = await fetch(`${lenderUrl}/ondc/search`, { method: 'POST', headers: signed, body })
    assert.equal(answer.status, 401)
    assert.match(await answer.text(), /"30016".*absent/)
  })

  test('FIS12 §2: killed and not yet back, it delays no other lender', async () => {
    await end(example, 'SIGKILL')
    assert.deepEqual(await messagesWithExample(await searchFor(twoLenders.length)), [])
  })

  test('FIS12 §2: started again, it gets each search once although two of its keys are valid', async () => {
    example = await joinNetwork()
    assert.equal((await entries()).length, 2)
    const journeyId = await searchFor(twoLenders.length + 1)
    await until('its offer', async () => (await messagesWithExample(journeyId)).length === 3)
    const [{ body }] = (await messagesWithExample(journeyId)) as [TranscriptMessage]
    const received = `received search of ${JSON.parse(body).context.transaction_id}: ACK`
    assert.equal(example.lines.filter((line) => line === received).length, 1, example.lines.join('\n'))
  })

  test('FIS12 §6.2: stopped, it ends its entry', async () => {
    const [killed] = await entries()
    await end(example, 'SIGTERM')
    assert.equal(example.lines.at(-1), 'left the network')
    assertInTutorial(example.lines.at(-1)!)
    const left = (await entries()).filter(({ uniqueKeyId }) => uniqueKeyId !== killed!.uniqueKeyId)
    assert.deepEqual(
      left.map(({ validUntil }) => validUntil.getTime() <= Date.now() + 2000),
      [true],
    )
  })
})
