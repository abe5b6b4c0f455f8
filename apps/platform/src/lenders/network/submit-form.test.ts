// Submission of lenders' forms over real HTTP: accepted, refused and unavailable forms.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Refusal } from '@lendloom/foundation/refusal'
import { conversationHelpers } from '@lendloom/tests/setup/conversation'
import { fakeNetwork } from '@lendloom/tests/setup/network'
import { testSubscriber, waitFor } from '@lendloom/tests/setup/subscriber'
import type { Conversation } from './conversation.ts'
import { endConversation } from './open-conversation.ts'
import { submitForm } from './submit-form.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { ctx } = platform
const { db } = ctx
const { conversationAt, currentConversation, messages } = conversationHelpers(network, platform)
const person = { panName: 'Anil Kamble', pan: 'ABCPK1234F', income: '60000', gender: 'male' as const }

test('FIS12 §7.7: posts a form with the page’s field names and hidden fields, and archives the form encrypted', async () => {
  const { journey, conversation } = await conversationAt('DISCOVERED')
  await db.tx((tx) => submitForm({ ...ctx, tx, at: ctx.clock() }, conversation, 'PROFILE', { ...person, city: 'Pune' }))
  const posted = new URLSearchParams((await network.nextCall('/form/profile')).raw)
  assert.deepEqual(Object.fromEntries(posted), {
    formId: 'F-1',
    panName: 'Anil Kamble',
    pan: 'ABCPK1234F',
    income: '60000',
    gender: 'MALE',
  })
  const { submissionId } = await platform.waitForInbound(journey, 'form_accepted')
  const after = await currentConversation(journey)
  assert.equal(after.stage, 'PROFILED')
  assert.equal(after.submissionId, submissionId)
  assert.equal(after.formReceived, true)
  const [archived] = (await messages(journey)).filter(({ action }) => action === 'form')
  assert.equal(new URLSearchParams(archived!.body.toString()).get('pan'), 'ABCPK1234F')
  assert.equal(archived!.outcome, 'ACCEPTED')
  const [raw] = await db<{
    sealed: Buffer
  }>`select body_sealed as sealed from network_message where message_key = ${archived!.messageKey}`
  assert.ok(!raw!.sealed.includes('ABCPK1234F'))
})

test('FIS12 §7.7: sends a file field that nobody filled in as a browser does', async () => {
  const emptyFiles = {
    'application/x-www-form-urlencoded': /^pan=ABCPK1234F&derivedData=$/,
    'multipart/form-data': /; name="derivedData"; filename=""\r\nContent-Type: application\/octet-stream\r\n\r\n\r\n/,
  }
  for (const [enctype, expected] of Object.entries(emptyFiles)) {
    const { journey, conversation } = await conversationAt('DISCOVERED')
    const fields = '<input name=pan><input type=file name=derivedData>'
    const body = `<form method=post action=/form/profile enctype=${enctype}>${fields}</form>`
    network.on('GET /form/profile', () => ({ status: 200, body }))
    await db.tx((tx) => submitForm({ ...ctx, tx, at: ctx.clock() }, conversation, 'PROFILE', person))
    await platform.waitForInbound(journey, 'form_accepted')
    const [archived] = (await messages(journey)).filter(({ action }) => action === 'form')
    assert.match(archived!.body.toString(), expected)
  }
  network.on('GET /form/profile', undefined)
})

test('FIS12 §7.7: a refused form reports its field errors and may be submitted again', async () => {
  const { journey, conversation } = await conversationAt('DISCOVERED')
  network.on('/form/profile', () => ({
    status: 422,
    body: { success: false, errors: [{ field: 'pan', message: 'is not known' }] },
  }))
  const submitted = await db.tx((tx) => submitForm({ ...ctx, tx, at: ctx.clock() }, conversation, 'PROFILE', person))
  assert.equal(submitted.stage, 'PROFILE_SENT')
  const refusal = await platform.waitForInbound(journey, 'form_refused')
  assert.deepEqual(refusal.fields, [{ path: 'pan', message: 'is not known' }])
  assert.equal((await currentConversation(journey)).stage, 'DISCOVERED')
  network.on('/form/profile', undefined)
})

test('FIS12 §7.7: does not post a form if the answer to a required field is missing', async () => {
  const { journey, conversation } = await conversationAt('DISCOVERED')
  const before = network.calls.length
  await db.tx((tx) => submitForm({ ...ctx, tx, at: ctx.clock() }, conversation, 'PROFILE', { pan: 'ABCPK1234F' }))
  const { fields, unfilled } = await platform.waitForInbound(journey, 'form_refused')
  assert.deepEqual(
    fields.map(({ path }) => path),
    ['panName'],
  )
  assert.equal(unfilled, 'no answer to panName', 'the lender has refused nothing')
  assert.ok(!network.calls.slice(before).some(({ path }) => path === '/form/profile'))
})

test('FIS12 §7.7: posts no form to another host than the page in the lender’s message and the lender’s address', async () => {
  const otherOrigin = network.url.replace('127.0.0.1', 'localhost')
  const page = (action: string) => `<form method="POST" action="${action}"><input name="pan"></form>`
  const scripts: Record<string, string | object> = {
    'another host': page(`${otherOrigin}/form/stolen`),
    'another scheme': page(`${network.url.replace('http:', 'https:')}/form/stolen`),
    'a base at another host': `<base href="${otherOrigin}/">${page('form/stolen')}`,
    'another host behind a JSON answer': { success: true, type: 'dynamic', formUrl: `${otherOrigin}/form/direct` },
  }
  const before = network.calls.length
  for (const [name, body] of Object.entries(scripts)) {
    const { journey, conversation } = await conversationAt('DISCOVERED')
    network.on('GET /form/profile', () => ({ status: 200, body }))
    await db.tx((tx) => submitForm({ ...ctx, tx, at: ctx.clock() }, conversation, 'PROFILE', person))
    const refusal = await platform.waitForInbound(journey, 'form_refused')
    assert.match(refusal.unfilled ?? '', /another host|not an http address|no form/, name)
  }
  network.on('GET /form/profile', undefined)
  assert.ok(!network.calls.slice(before).some(({ path }) => path.startsWith('/form/')))
})

test('FIS12 §7.7: follows the address in a JSON answer once, within the limits of every fetch', async () => {
  const dynamic = (formUrl: string) => () => ({ status: 200, body: { success: true, type: 'dynamic', formUrl } })
  const { journey, conversation } = await conversationAt('DISCOVERED')
  network.on('GET /form/profile', dynamic('/form/direct?direct=true'))
  await db.tx((tx) => submitForm({ ...ctx, tx, at: ctx.clock() }, conversation, 'PROFILE', person))
  await platform.waitForInbound(journey, 'form_accepted')
  assert.equal((await currentConversation(journey)).stage, 'PROFILED')

  const before = network.calls.length
  network.on('GET /form/second', dynamic('/form/direct'))
  for (const formUrl of ['/form/second', '/form/profile', 'file:///etc/passwd']) {
    const refused = await conversationAt('DISCOVERED')
    network.on('GET /form/profile', dynamic(formUrl))
    await db.tx((tx) => submitForm({ ...ctx, tx, at: ctx.clock() }, refused.conversation, 'PROFILE', person))
    assert.ok((await platform.waitForInbound(refused.journey, 'form_refused')).unfilled, formUrl)
  }
  assert.ok(!network.calls.slice(before).some(({ path }) => path.startsWith('/form/')), 'no form was posted')

  const large = await conversationAt('DISCOVERED')
  network.on('GET /form/profile', dynamic('/form/second'))
  network.on('GET /form/second', () => ({ status: 200, body: 'x'.repeat(2 << 20) }))
  await db.tx((tx) => submitForm({ ...ctx, tx, at: ctx.clock() }, large.conversation, 'PROFILE', person))
  platform.advanceClock(31)
  await platform.waitForInbound(large.journey, 'unanswered')
  network.on('GET /form/profile', undefined)
  network.on('GET /form/second', undefined)
})

/** Submits the profile with these answers of the lender's server. */
async function submitWith(answers: Record<string, Parameters<typeof network.on>[1]>) {
  const { journey, conversation } = await conversationAt('DISCOVERED')
  for (const [path, answer] of Object.entries(answers)) network.on(path, answer)
  const from = network.calls.length
  await db.tx((tx) => submitForm({ ...ctx, tx, at: ctx.clock() }, conversation, 'PROFILE', person))
  return {
    journey,
    async end() {
      for (const path of Object.keys(answers)) network.on(path, undefined)
      return network.calls.slice(from).filter(({ path }) => path.startsWith('/form/'))
    },
  }
}

const html = { 'content-type': 'text/html; charset=utf-8' }
const formAt = (action: string, fields: string) => ({
  status: 200,
  headers: html,
  body: `<form method=post action="${action}">${fields}</form>`,
})
const done = { status: 200, body: { success: true, submission_id: 'S-77' } }

test('FIS12 §7.7: a page behind redirects, and a compressed one, are filled like any other', async () => {
  const compressed = gzipSync('<form method=post action=/form/last><input name=pan></form>')
  const { journey, end } = await submitWith({
    'GET /form/profile': () => ({ status: 302, headers: { location: '/form/moved' }, body: '' }),
    'GET /form/moved': () => ({ status: 308, headers: { location: '/form/here' }, body: '' }),
    'GET /form/here': () => ({ status: 200, headers: { ...html, 'content-encoding': 'gzip' }, body: compressed }),
    '/form/last': () => done,
  })
  assert.equal((await platform.waitForInbound(journey, 'form_accepted')).submissionId, 'S-77')
  assert.equal(new URLSearchParams((await end()).at(-1)!.raw).get('pan'), 'ABCPK1234F')
})

test('FIS12 §7.7: a form of several pages is filled page by page, and each is in the transcript', async () => {
  const { journey, end } = await submitWith({
    'GET /form/profile': () => formAt('/form/one', '<input name=pan>'),
    '/form/one': () => ({ status: 303, headers: { location: '/form/two' }, body: '' }),
    'GET /form/two': () => formAt('/form/two-answer', '<input name=panName>'),
    '/form/two-answer': () => formAt('/form/three', '<input type=checkbox name=bureauConsent required checked>'),
    '/form/three': () => done,
  })
  await platform.waitForInbound(journey, 'form_accepted')
  const posts = (await end()).filter(({ raw }) => raw !== '')
  assert.deepEqual(
    posts.map(({ path }) => path),
    ['/form/one', '/form/two-answer', '/form/three'],
  )
  const archived = (await messages(journey)).filter(({ action }) => action === 'form')
  assert.deepEqual(
    archived.map(({ outcome }) => outcome),
    ['NEXT_PAGE', 'NEXT_PAGE', 'ACCEPTED'],
  )
})

test('FIS12 §7.7: an answer about the submission counts whatever type its server labels it with', async () => {
  const form = () => formAt('/form/labelled', '<input name=pan>')
  const accepted = await submitWith({ 'GET /form/profile': form, '/form/labelled': () => ({ ...done, headers: html }) })
  assert.equal((await platform.waitForInbound(accepted.journey, 'form_accepted')).submissionId, 'S-77')
  await accepted.end()
  const body = { success: false, errors: [{ field: 'pan', message: 'is not known' }] }
  const refused = await submitWith({
    'GET /form/profile': form,
    '/form/labelled': () => ({ status: 200, headers: html, body }),
  })
  const { fields, unfilled } = await platform.waitForInbound(refused.journey, 'form_refused')
  assert.deepEqual(fields, [{ path: 'pan', message: 'is not known' }])
  assert.equal(unfilled, undefined)
  await refused.end()
})

test('FIS12 §7.7: what cannot be filled as a person would ends with our reason, and not as a refusal', async () => {
  const endless = (): ReturnType<typeof formAt> => formAt('/form/again', '<input name=pan>')
  const bomb = gzipSync(Buffer.alloc(8 << 20))
  const otherOrigin = network.url.replace('127.0.0.1', 'localhost')
  const cases: [Record<string, Parameters<typeof network.on>[1]>, RegExp][] = [
    [
      { 'GET /form/profile': () => ({ status: 302, headers: { location: '/form/profile' }, body: '' }) },
      /redirects more/,
    ],
    [
      { 'GET /form/profile': () => ({ status: 302, headers: { location: 'file:///etc' }, body: '' }) },
      /no http address/,
    ],
    [{ 'GET /form/profile': () => ({ status: 404, body: '' }) }, /answered 404/],
    [{ 'GET /form/profile': endless, '/form/again': endless }, /more than 5 pages/],
    [
      {
        'GET /form/profile': endless,
        '/form/again': () => ({ status: 307, headers: { location: `${otherOrigin}/form/stolen` }, body: '' }),
      },
      /redirected with its data/,
    ],
    [
      { 'GET /form/profile': endless, '/form/again': () => formAt(`${otherOrigin}/form/stolen`, '<input name=pan>') },
      /another host/,
    ],
    [
      { 'GET /form/profile': () => formAt('/form/again', '<input type=checkbox name=marketing required>') },
      /no answer to marketing/,
    ],
  ]
  for (const [answers, why] of cases) {
    const { journey, end } = await submitWith(answers)
    assert.match((await platform.waitForInbound(journey, 'form_refused')).unfilled ?? '', why)
    assert.ok(!(await end()).some(({ path }) => path === '/form/stolen'), 'no data left the lender')
  }
  const large = await submitWith({
    'GET /form/profile': () => ({ status: 200, headers: { ...html, 'content-encoding': 'gzip' }, body: bomb }),
  })
  platform.advanceClock(31)
  await platform.waitForInbound(large.journey, 'unanswered')
  await large.end()
})

test('FIS12 §7.7: retries an unavailable form until its time limit', async () => {
  const { journey, conversation } = await conversationAt('DISCOVERED')
  network.on('GET /form/profile', () => ({ status: 503, body: 'busy' }))
  await db.tx((tx) => submitForm({ ...ctx, tx, at: ctx.clock() }, conversation, 'PROFILE', person))
  platform.advanceClock(31)
  const { action, purpose } = await platform.waitForInbound(journey, 'unanswered')
  assert.equal(action, 'form')
  assert.equal(purpose, 'PROFILE')
  assert.equal((await currentConversation(journey)).stage, 'DISCOVERED')
  network.on('GET /form/profile', undefined)
})

test('FIS12 §13.2: posts no form once the conversation has ended', async () => {
  const { journey, conversation } = await conversationAt('DISCOVERED')
  const before = network.calls.length
  await db.tx(async (tx) => {
    const sent = await submitForm({ ...ctx, tx, at: ctx.clock() }, conversation, 'PROFILE', person)
    await endConversation(tx, sent, 'the borrower chose another offer', ctx.clock())
  })
  await waitFor(async () => (await db`select 1 from job where kind = 'network-form'`).length === 0)
  assert.ok(!network.calls.slice(before).some(({ path }) => path === '/form/profile'))
  assert.ok(!(await messages(journey)).some(({ action }) => action === 'form'))
})

test('FIS12 §13.2: posts no form when the conversation ends while the form is fetched', async () => {
  const { journey, conversation } = await conversationAt('DISCOVERED')
  const before = network.calls.length
  let current = conversation
  network.on('GET /form/profile', async () => {
    await db.tx((tx) => endConversation(tx, current, 'the borrower withdrew', ctx.clock()))
    return { status: 200, body: '<form action="/form/profile" method="post"><input name="pan"></form>' }
  })
  await db.tx(async (tx) => {
    current = await submitForm({ ...ctx, tx, at: ctx.clock() }, conversation, 'PROFILE', person)
  })
  await waitFor(async () => (await db`select 1 from job where kind = 'network-form'`).length === 0)
  network.on('GET /form/profile', undefined)
  assert.ok(!network.calls.slice(before).some(({ path }) => path === '/form/profile'))
  assert.ok(!(await messages(journey)).some(({ action }) => action === 'form'))
})

test('FIS12 §7.7: rejects a form that the lender does not expect at this stage', async () => {
  const { conversation: discovered } = await conversationAt('DISCOVERED')
  const assertRejected = (purpose: 'AMOUNT' | 'BANK', conversation: Conversation) =>
    assert.rejects(
      db.tx((tx) => submitForm({ ...ctx, tx, at: ctx.clock() }, conversation, purpose, {})),
      ({ kind }: Refusal) => kind === 'wrong-state',
    )
  await assertRejected('AMOUNT', discovered)
  await assertRejected('BANK', { ...discovered, stage: 'SELECTED' })
})
