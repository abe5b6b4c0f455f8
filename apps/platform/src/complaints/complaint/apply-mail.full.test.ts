// Which complaint an incoming mail belongs to, and what is stored of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv7 } from '@lendloom/seal/id'
import { complaintSetup } from '@lendloom/tests/setup/complaints'

const { officer, mails, receiveMail, officerView, advanceDays } = await complaintSetup()

const addressOf = (name: string): string => `${name}-${uuidv7()}@mail.example`

/** The complaints that were opened after `open`, oldest first. */
async function openedBy(open: () => Promise<void>) {
  const list = async () => (await officer.ask('GET', '/complaints?matched=no&limit=200')).body.items
  const known = new Set((await list()).map(({ complaintId }: { complaintId: string }) => complaintId))
  await open()
  const opened = (await list()).filter(({ complaintId }: { complaintId: string }) => !known.has(complaintId))
  return Promise.all(opened.map(({ complaintId }: { complaintId: string }) => officerView(complaintId)))
}

const textsOf = ({ thread }: { thread: { author: string; text: string }[] }): string[] =>
  thread.filter(({ author }) => author === 'BORROWER').map(({ text }) => text)

test('D3 §1: a reply joins the complaint of its sender, also if another person’s mail has the same Message-ID', async () => {
  const messageId = `<1.${uuidv7()}@telephone>`
  const asha = addressOf('asha')
  const ravi = addressOf('ravi')
  const stranger = addressOf('stranger')
  const [ofAsha] = await openedBy(() =>
    receiveMail({ from: asha, messageId, text: 'The mandate was presented twice.' }),
  )
  const [ofRavi] = await openedBy(() => receiveMail({ from: ravi, messageId, text: 'My closure letter is missing.' }))
  const opened = await openedBy(async () => {
    for (const from of [ravi, asha])
      await receiveMail({
        from,
        inReplyTo: messageId,
        references: [messageId],
        text: from === ravi ? 'Ravi again.' : 'Asha again.',
      })
  })
  assert.deepEqual(opened, [])
  assert.deepEqual(textsOf(await officerView(ofAsha.complaintId)).slice(1), ['Asha again.'])
  assert.deepEqual(textsOf(await officerView(ofRavi.complaintId)).slice(1), ['Ravi again.'])
  const [ofStranger] = await openedBy(() =>
    receiveMail({ from: stranger, inReplyTo: messageId, text: 'I write for one of them.' }),
  )
  assert.deepEqual(textsOf(ofStranger), ['I write for one of them.'], 'two complaints have the id')
})

test('D3 §1: a mail that answers our mail joins its complaint, whatever other mail has an id of its thread', async () => {
  const asha = addressOf('asha')
  const ravi = addressOf('ravi')
  const [ofAsha] = await openedBy(() => receiveMail({ from: asha, text: 'The mandate was presented twice.' }))
  const [acknowledgement] = await mails(ofAsha.complaintId)
  const { messageId } = acknowledgement!
  const [ofRavi] = await openedBy(() => receiveMail({ from: ravi, messageId, text: 'This mail has a copied id.' }))
  await receiveMail({ from: addressOf('husband'), inReplyTo: messageId, text: 'I write for her.' })
  const { thread } = await officerView(ofAsha.complaintId)
  assert.equal(thread.at(-1).kind, 'UNVERIFIED')
  assert.equal(thread.at(-1).text, 'I write for her.')
  assert.equal(textsOf(await officerView(ofRavi.complaintId)).length, 1)
})

test('D3 §1: a postscript to the mail that opened a complaint joins it, also in the thread of an earlier one', async () => {
  const asha = addressOf('asha')
  const [earlier] = await openedBy(() => receiveMail({ from: asha, text: 'The mandate was presented twice.' }))
  const resolution = { version: earlier.version, kind: 'RESOLUTION', outcome: 'UPHELD', text: 'The money is returned.' }
  const resolved = await officer.ask('POST', `/complaints/${earlier.complaintId}/answer`, resolution)
  assert.equal(resolved.status, 200, JSON.stringify(resolved.body))
  advanceDays(100)
  const ours = (await mails(earlier.complaintId)).at(-1)!.messageId
  const messageId = `<${uuidv7()}@mail.example>`
  const [later] = await openedBy(() =>
    receiveMail({ from: asha, messageId, inReplyTo: ours, references: [ours], text: 'It was presented again.' }),
  )
  const opened = await openedBy(() =>
    receiveMail({ from: asha, inReplyTo: messageId, references: [ours, messageId], text: 'PS: on 3 May.' }),
  )
  assert.deepEqual(opened, [])
  assert.deepEqual(textsOf(await officerView(later.complaintId)), ['It was presented again.', 'PS: on 3 May.'])
})

test('D3 §2.1: no part of a mail that a complaint shows has an Aadhaar number', async () => {
  const file = { name: 'Aadhaar 234567890124.jpg', type: 'image/jpeg', size: 9, objectKey: null, why: 'is empty' }
  const [opened] = await openedBy(() =>
    receiveMail({
      from: addressOf('asha'),
      fromName: 'Asha 2345.6789.0124',
      subject: 'My Aadhaar 2345 6789 0124',
      text: 'The number 234567890124 is mine.',
      attachments: [file],
    }),
  )
  assert.deepEqual(textsOf(opened), ['The number [Aadhaar number removed] is mine.'])
  const { body } = await officer.ask('POST', `/complaints/${opened.complaintId}/export`, {
    format: 'json',
    reason: 'The ombudsman asks for it',
  })
  assert.doesNotMatch(JSON.stringify(body), /2345.?6789.?0124/)
  assert.match(JSON.stringify(body), /Aadhaar \[Aadhaar number removed\]\.jpg/)
})

test('D3 §1: a mail from an address that we cannot answer opens a complaint without an acknowledgement', async () => {
  const unanswerable = ['"mr x"@p.example', `${'l'.repeat(70)}@p.example`, 'raj@[10.0.0.1]', '']
  for (const from of unanswerable) {
    const [opened] = await openedBy(() => receiveMail({ from, text: 'I was charged twice.' }))
    assert.deepEqual(textsOf(opened), ['I was charged twice.'], from)
    assert.equal(opened.status, 'NEW')
    assert.equal(opened.email, null, 'the console offers no answer by e-mail')
    const answer = { version: opened.version, kind: 'WORDS', text: 'We look into the second charge.' }
    const answered = await officer.ask('POST', `/complaints/${opened.complaintId}/answer`, answer)
    assert.equal(answered.status, 200, JSON.stringify(answered.body))
    assert.deepEqual(await mails(opened.complaintId), [])
  }
})

test('D3 §1: a mail whose sender wants no automatic answer opens a complaint without an acknowledgement', async () => {
  const [opened] = await openedBy(() =>
    receiveMail({ from: addressOf('asha'), refusesAnswer: true, text: 'I was charged twice.' }),
  )
  assert.deepEqual(textsOf(opened), ['I was charged twice.'])
  assert.deepEqual(await mails(opened.complaintId), [])
})
