// Complaints on the page, in the console and by mail, with deadlines and tenant isolation.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { uuidv7 } from '@lendloom/seal/id'
import { complaintSetup, complaintText, messageForm, type PageBorrower } from '@lendloom/tests/setup/complaints'
import { type ConsoleUser, consoleUser } from '@lendloom/tests/setup/console'
import { caseAt } from '@lendloom/tests/setup/platform-case'
import { until } from '@lendloom/tests/setup/programs'
import { detailsOf } from '#platform/people/audit/reason.ts'
import { listNewest } from '#platform/people/audit/store.ts'

const { platform, ctx, officer, tenant, borrower, mails, receiveMail, officerView, advanceDays } =
  await complaintSetup()
const png =
  `data:image/png;base64,${'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='}`.split(
    ',',
  )[1]!
const image = new File([Buffer.from(png, 'base64')], '../bill.png', { type: 'image/png' })

const act = (complaintId: string, part: string, body: object = {}, who = officer) =>
  who.ask('POST', `/complaints/${complaintId}/${part}`, body)
const codes = (detail: { thread: { code: string | null }[] }) => detail.thread.flatMap(({ code }) => code ?? [])

/** A console request. */
type Call = [method: string, path: string, body?: object]

describe('D3 §1: a complaint before there is a loan, one story', () => {
  let asha: PageBorrower
  let opened: Awaited<ReturnType<PageBorrower['complain']>>
  let sent: Awaited<ReturnType<typeof mails>>[number]

  test('D3 §1: a complaint before there is a loan is acknowledged by mail with its number', async () => {
    asha = await borrower()
    opened = await asha.complain({}, [image])
    assert.match(opened.number, /^GR-\d{4}-\w{5}$/)
    assert.equal(opened.status, 'ACKNOWLEDGED')
    assert.equal(opened.lender, null)
    assert.equal(opened.mayWithdraw, true)
    assert.equal(opened.mayJudge, false)
    assert.equal((await asha.complain()).id, opened.id, 'a complaint with the same text is not created twice')
    const [notice] = await mails(opened.id)
    assert.equal(notice!.to, asha.email)
    assert.equal(notice!.subject, `Your complaint ${opened.number}`)
    assert.match(notice!.text, /Neha Joshi is responsible for it/)
  })

  test('D3 §1: an officer sees a complaint’s text and file, but only a masked address', async () => {
    const first = await officerView(opened.id)
    assert.equal(first.status, 'ACKNOWLEDGED')
    assert.equal(first.origin, 'PAGE')
    assert.equal(first.category, 'APP')
    assert.equal(first.version, 1)
    assert.equal(JSON.stringify(first).includes(asha.email), false, 'the address is masked')
    const [entry] = first.thread
    assert.equal(entry.text, complaintText)
    assert.equal(entry.files[0].name, 'bill.png')
    assert.equal(entry.files[0].kept, true)
    const file = await officer.ask('GET', `/complaints/${opened.id}/entries/${entry.entryId}/files/0`)
    assert.equal(file.status, 200)
    assert.equal(file.headers.get('content-type'), 'image/png')
    assert.match(file.headers.get('content-disposition') ?? '', /^attachment/)
  })

  test('D3 §1: a question that an officer writes from a template is mailed exactly as previewed', async () => {
    const template = await officer.ask('GET', `/complaints/${opened.id}/template?template=WORKING`)
    assert.match(template.body.text, /\d{4}/, 'the template contains the date')
    const frame = template.body
    assert.match(frame.closing, /^Farah Khan\nLendloom\n\n--\nComplaint GR-.*\nGrievance officer: Neha Joshi, /)
    const questioned = await act(opened.id, 'answer', {
      version: 1,
      kind: 'QUESTION',
      text: 'On which day was it taken?',
    })
    assert.equal(questioned.status, 200)
    assert.equal(questioned.body.status, 'WAITING_FOR_BORROWER')
    assert.equal(questioned.body.assignee.name, 'Farah Khan')
    const question = questioned.body.thread.at(-1)
    assert.equal(question.kind, 'QUESTION')
    assert.equal(question.mail.state, 'QUEUED')
    sent = (await mails(opened.id)).at(-1)!
    assert.match(sent.text, /On which day was it taken\?/)
    assert.equal(
      sent.text,
      [frame.greeting, 'On which day was it taken?', frame.closing].join('\n\n'),
      'the mail equals the preview',
    )
    assert.equal(sent.subject, `Re: Your complaint ${opened.number}`)
  })

  test('D3 §1: a borrower’s reply by mail or on the page is added to the thread once', async () => {
    await receiveMail({
      from: asha.email.toUpperCase(),
      tag: sent.replyTag,
      text: 'On the 18th.',
      inReplyTo: sent.messageId,
    })
    assert.equal((await officerView(opened.id)).status, 'IN_PROGRESS')
    const added = await asha.ask(
      'POST',
      `/complaints/${opened.id}/words`,
      { text: 'And the UTR is 412345678901' },
      { 'idempotency-key': 'one' },
    )
    await asha.ask(
      'POST',
      `/complaints/${opened.id}/words`,
      { text: 'And the UTR is 412345678901' },
      { 'idempotency-key': 'one' },
    )
    const [{ entries }] = added.body.complaints.items
    assert.deepEqual(
      (await officerView(opened.id)).thread
        .filter(({ author }: { author: string }) => author === 'BORROWER')
        .map(({ text }: { text: string }) => text),
      [complaintText, 'On the 18th.', 'And the UTR is 412345678901'],
    )
    assert.ok(
      entries.some(
        ({ by, text }: { by: string; text: string }) => by === 'OFFICER' && text === 'On which day was it taken?',
      ),
    )
  })

  test('D3 §1: a resolution without an outcome or with a gap in its text is refused', async () => {
    const { version } = await officerView(opened.id)
    const answer = { kind: 'RESOLUTION', text: 'The charge is paid back to you.' }
    assert.equal((await act(opened.id, 'answer', { version, ...answer })).body.error.details.field, 'outcome')
    const unfinished = [
      'Dear {name} of old',
      'It is as agreed: \n\nReply to this email.',
      'We did this: ',
      'We refund ₹ to you.',
    ]
    for (const text of unfinished) {
      const refused = await act(opened.id, 'answer', { version, ...answer, outcome: 'UPHELD', text })
      assert.equal(refused.body.error.details.field, 'text', text)
    }
    const resolved = await act(opened.id, 'answer', { version, ...answer, outcome: 'UPHELD' })
    assert.equal(resolved.body.status, 'RESOLVED')
    assert.equal(resolved.body.outcome, 'UPHELD')
    const stale = await act(opened.id, 'escalate', { version })
    assert.equal(stale.status, 409)
    assert.equal(stale.body.error.message, 'the complaint has changed since you opened it; reload it')
  })

  test('D3 §1: the complaint closes when the borrower accepts the resolution', async () => {
    const settled = await asha.ask('POST', `/complaints/${opened.id}/judge`, { settled: true })
    assert.equal(settled.body.complaints.items[0].status, 'CLOSED')
    assert.equal((await officerView(opened.id)).satisfied, true)
    const log = (await listNewest(ctx.db, tenant.tenantId, null, 20)).map(({ act: name }) => name)
    for (const name of ['COMPLAINT_ANSWERED', 'COMPLAINT_FILE_READ']) assert.ok(log.includes(name), name)
  })
})

describe('D3 §1: a complaint about a loan of the partner, one story', () => {
  const lenderOfficer = { level: 'OFFICER', name: 'Meera Iyer', email: 'gro@celestium.example', phone: '080-4000 1200' }
  let loanId: string | null
  let opened: Awaited<ReturnType<typeof officerView>>
  let toLender: Awaited<ReturnType<typeof mails>>[number]
  const isLenderAnswered = async () =>
    (await officer.ask('GET', `/complaints?number=${opened.number}`)).body.items[0].lenderAnswered

  test('D3 §1: a complaint about a loan stays with the platform while the lender has no officer address', async () => {
    const { journeyId, ids } = await caseAt(platform, 'ACCEPTED')
    loanId = ids.loanId
    const { borrowerId } = (
      await ctx.db<{ borrowerId: string }>`select borrower_id from journey where journey_id = ${journeyId}`
    )[0]!
    assert.ok(borrowerId)
    const reply = await officer.ask('POST', '/complaints', {
      tenantId: tenant.tenantId,
      journeyId,
      category: 'CHARGES',
      text: complaintText,
      language: 'hi',
      email: 'asha@mail.example',
    })
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    opened = reply.body
    assert.equal(opened.route, 'PLATFORM', 'the lender has no officer with an address')
    assert.match((await mails(opened.complaintId))[0]!.text, /शिकायत/)
  })

  test('D3 §1: only an admin sets the lender’s officer, with a valid email address', async () => {
    const admin = await consoleUser(platform, { role: 'admin' })
    const lines = (await admin.ask('GET', '/complaint-officers')).body.items
    const { party } = lines.find(({ partyName }: { partyName: string }) => partyName.startsWith('Celestium'))
    const wrong = await admin.ask('PUT', '/complaint-officers', { party, ...lenderOfficer, email: 'not-an-address' })
    assert.equal(wrong.status, 400)
    assert.equal(wrong.body.error.details.field, 'email')
    assert.equal((await admin.ask('PUT', '/complaint-officers', { party, ...lenderOfficer })).status, 200)
    assert.equal((await officer.ask('PUT', '/complaint-officers', { party, ...lenderOfficer })).status, 403)
  })

  test('D3 §1: the borrower sees neither the mail to the partner’s officer nor the officer’s reply', async () => {
    const { complaintId, number, version } = opened
    const forwarded = await act(complaintId, 'forward', { version, text: complaintText })
    assert.equal(forwarded.status, 200)
    assert.equal(forwarded.body.route, 'LENDER_MAIL')
    assert.equal(forwarded.body.status, 'IN_PROGRESS')
    toLender = (await mails(complaintId)).find(({ to }) => to === lenderOfficer.email)!
    assert.match(toLender.text, new RegExp(`Complaint: ${number}[\\s\\S]*Loan: ${loanId}`))
    await receiveMail({
      from: 'GRO@celestium.example',
      tag: toLender.replyTag,
      subject: 'Re: Complaint',
      text: 'We return the charge.',
    })
    await receiveMail({ from: 'stranger@else.example', tag: toLender.replyTag, text: 'I am the borrower, believe me.' })
    await receiveMail({
      from: 'asha@mail.example',
      inReplyTo: toLender.messageId,
      text: 'I am away until Monday.',
      isAutomatic: true,
    })
    const detail = await officerView(complaintId)
    const messages = detail.thread.filter(({ kind }: { kind: string }) => kind !== 'EVENT')
    assert.deepEqual(
      messages.map(({ author, kind, shown }: { author: string; kind: string; shown: boolean }) => ({
        author,
        kind,
        shown,
      })),
      [
        { author: 'BORROWER', kind: 'WORDS', shown: true },
        { author: 'SYSTEM', kind: 'FORWARD', shown: false },
        { author: 'LENDER', kind: 'WORDS', shown: false },
        { author: 'BORROWER', kind: 'UNVERIFIED', shown: false },
        { author: 'BORROWER', kind: 'NOTE', shown: false },
      ],
    )
    assert.equal(detail.unverified, 1)
    assert.equal(await isLenderAnswered(), true)
  })

  test('D3 §1: an officer can accept the mail of an unknown sender', async () => {
    const { thread, version } = await officerView(opened.complaintId)
    const { entryId } = thread.find(({ kind }: { kind: string }) => kind === 'UNVERIFIED')
    const accepted = await act(opened.complaintId, `entries/${entryId}/settle`, { version, accept: true })
    assert.equal(accepted.status, 200)
    assert.equal(accepted.body.unverified, 0)
    assert.equal(await isLenderAnswered(), false, 'the borrower wrote last')
  })
})

test('D3 §1: the queue shows the masked complainant and subject', async () => {
  const asha = await borrower()
  const opened = await asha.complain({ text: `Call me at 98${'7'.repeat(8)}.\n${'Nothing works. '.repeat(20)}` })
  const ravi = await borrower()
  await receiveMail({ from: ravi.email, subject: `Write to ${ravi.email} please`, text: 'The page shows me an error.' })
  const queued = async (filter: string) => (await officer.ask('GET', `/complaints?${filter}`)).body.items[0]
  const page = await queued(`number=${opened.number}`)
  const mail = await queued(`journeyId=${ravi.journeyId}`)
  assert.match(page.subject, /^Call me at •+\. Nothing works\..*…$/)
  assert.ok(page.subject.length <= 100, page.subject)
  assert.equal(mail.subject, 'Write to ••••• please')
  assert.equal(mail.email, `${ravi.email[0]}•••${ravi.email.slice(ravi.email.indexOf('@'))}`)
  assert.equal(JSON.stringify([page, mail]).includes(ravi.email), false)
})

test('D3 §1: a mail of which a part is left out comes with the whole text, without an Aadhaar number', async () => {
  const ravi = await borrower()
  const text = 'The charge is still wrong.'
  const quoted = 'On Sat, Lendloom wrote:\n> Your Aadhaar number 2341 2341 2346'
  await receiveMail({ from: ravi.email, text, wholeText: `${text}\n\n${quoted}` })
  await receiveMail({ from: ravi.email, text: 'And my card was blocked.' })
  const { items } = (await officer.ask('GET', `/complaints?journeyId=${ravi.journeyId}`)).body
  const details = await Promise.all(items.map(({ complaintId }: { complaintId: string }) => officerView(complaintId)))
  const entries = details.flatMap(({ thread }) =>
    thread.filter(({ author }: { author: string }) => author === 'BORROWER'),
  )
  const shortened = entries.find((entry) => entry.text === text)
  const [file, ...others] = shortened.files
  assert.deepEqual(others, [])
  assert.equal(file.name, 'The whole mail.txt')
  const { complaintId } = details.find(({ thread }) => thread.includes(shortened))
  const whole = await officer.ask('GET', `/complaints/${complaintId}/entries/${shortened.entryId}/files/0`)
  assert.match(String(whole.body), /On Sat, Lendloom wrote:\n> Your Aadhaar number \[Aadhaar number removed\]$/)
  assert.deepEqual(entries.find((entry) => entry.text === 'And my card was blocked.').files, [])
})

test('D3 §1: a day that does not exist is refused as a filter of the queue', async () => {
  for (const path of ['from', 'to']) {
    const { status, body } = await officer.ask('GET', `/complaints?${path}=2026-16-44`)
    assert.equal(status, 400)
    assert.equal(body.error.details.field, path)
  }
})

test('the acknowledgement says which files we keep, if a file of the mail was refused', async () => {
  const file = { name: 'photo', type: 'image/jpeg', size: 9, objectKey: `${tenant.tenantId}/${uuidv7()}`, why: null }
  const refused = { ...file, type: 'image/heic', objectKey: null, why: 'has a type that is not accepted' }
  for (const attachments of [[file], [file, refused]]) {
    const from = `files-${uuidv7()}@mail.example`
    await receiveMail({ from, text: 'यह मेरी रसीद है, कृपया देखें।', attachments })
    const [complaint] = (await officer.ask('GET', '/complaints?matched=no&limit=200')).body.items.slice(-1)
    const [acknowledgement] = await mails(complaint.complaintId)
    assert.equal(acknowledgement!.to, from)
    assert.equal(/बिना पासवर्ड के खुलने वाली PDF, PNG, JPEG, MP4/.test(acknowledgement!.text), attachments.length === 2)
  }
})

test('a mail without a tag opens a complaint that an officer can match and merge', async () => {
  const asha = await borrower()
  await receiveMail({ from: asha.email, text: 'The page shows me an error.' })
  const byJourney = (await officer.ask('GET', `/complaints?journeyId=${asha.journeyId}`)).body.items
  assert.deepEqual(
    byJourney.map(({ origin, category, tenantId }: { origin: string; category: string; tenantId: string }) => ({
      origin,
      category,
      tenantId,
    })),
    [{ origin: 'EMAIL', category: 'OTHER', tenantId: tenant.tenantId }],
  )
  const unknown = `unknown-${uuidv7()}@mail.example`
  const unmatched = async () => (await officer.ask('GET', '/complaints?matched=no&limit=200')).body.items
  for (let i = 0; i < 5; i++)
    await receiveMail({ from: unknown, fromName: 'Ravi Shankar', text: `Where is my money? ${i}` })
  await receiveMail({ from: 'cms@rbi.example', text: 'A complaint was lodged with us.', isAutomatic: true })
  const unmatchedItems = await unmatched()
  const ravis = unmatchedItems.filter(({ name }: { name: string }) => name === 'Ravi S•••••')
  const acknowledgements = await Promise.all(
    ravis.map(({ complaintId }: { complaintId: string }) => mails(complaintId)),
  )
  assert.equal(ravis.length, 5)
  assert.equal(acknowledgements.flat().length, 3)
  const automatic = unmatchedItems.find(
    ({ name, status }: { name: string | null; status: string }) => name === null && status === 'NEW',
  )
  assert.deepEqual(await mails(automatic.complaintId), [])

  const [firstOfRavi] = ravis
  const { version } = await officerView(firstOfRavi.complaintId)
  const absent = await act(firstOfRavi.complaintId, 'match', { version, journeyId: uuidv7() })
  assert.equal(absent.status, 400)
  assert.equal(absent.body.error.details.field, 'journeyId')
  const matched = await act(firstOfRavi.complaintId, 'match', { version, journeyId: asha.journeyId })
  assert.equal(matched.status, 200)
  assert.equal(matched.body.tenantId, tenant.tenantId)
  assert.deepEqual(matched.body.number, firstOfRavi.number)
  assert.ok(
    matched.body.thread.some(({ mail }: { mail: object | null }) => mail),
    'the thread still has the complaint’s mails',
  )
  assert.equal((await unmatched()).length, unmatchedItems.length - 1)
  assert.equal((await asha.ask('GET', '/complaints')).body.complaints.items.length, 2)

  const [secondOfRavi] = ravis.slice(1)
  const target = ravis[2]
  const current = await officerView(secondOfRavi.complaintId)
  const merged = await act(secondOfRavi.complaintId, 'merge', {
    version: current.version,
    into: ` ${target.number.toLowerCase()}`,
  })
  assert.equal(merged.status, 200)
  assert.equal(merged.body.status, 'MERGED')
  assert.deepEqual(merged.body.mergedInto.number, target.number)
  const { replyTag } = (await mails(secondOfRavi.complaintId))[0] ?? (await mails(target.complaintId))[0]!
  await receiveMail({ from: unknown, tag: replyTag, text: 'Still waiting.' })
  assert.equal(
    (await officerView(target.complaintId)).thread.at(-1).text,
    'Still waiting.',
    'a reply to the merged complaint is added to its target',
  )
})

test('D3 §1: every deadline of a complaint fires exactly once', async () => {
  const asha = await borrower()
  const { id } = await asha.complain({ text: 'Nobody answers me at all.' })
  const { id: settled } = await asha.complain({ text: 'This one is settled at once.', category: 'OTHER' })
  await act(settled, 'answer', { version: 1, kind: 'RESOLUTION', text: 'It is settled now.', outcome: 'NOT_UPHELD' })
  const waitForEvent = (code: string, complaintId = id) =>
    until(code, async () => codes(await officerView(complaintId)).includes(code))
  advanceDays(3.1)
  await waitForEvent('FIRST_ANSWER_LATE')
  advanceDays(4)
  await waitForEvent('CLOSED', settled)
  advanceDays(5)
  await waitForEvent('RESOLUTION_DUE_SOON')
  advanceDays(3)
  await waitForEvent('ESCALATED')
  const escalated = await officerView(id)
  assert.equal(escalated.escalatedBecause, 'TIME')
  assert.equal(escalated.overdue, true)
  // Complaints of other tests escalate too, so the test waits until the list contains all of them.
  const escalatedItems = await until('escalation of every late complaint', async () => {
    const { items, counts } = (await officer.ask('GET', '/complaints?state=PENDING&escalated=yes')).body
    return items.length === counts.escalated && items
  })
  assert.ok(escalatedItems.some((each: { complaintId: string }) => each.complaintId === id))
  assert.ok(escalatedItems.every((each: { escalated: boolean }) => each.escalated))
  advanceDays(15)
  await waitForEvent('OMBUDSMAN')
  advanceDays(30)
  const detail = await officerView(id)
  for (const code of ['FIRST_ANSWER_LATE', 'RESOLUTION_DUE_SOON', 'ESCALATED', 'OMBUDSMAN'])
    assert.equal(codes(detail).filter((each) => each === code).length, 1, code)
  const to = (await mails(id)).map((mail) => mail.to)
  assert.equal(to.filter((each) => each === 'nodal@lendloom.example').length, 1)
  assert.ok((await mails(id)).some(({ text, to }) => to === asha.email && /cms\.rbi\.org\.in.*14448/.test(text)))
  const [item] = (await asha.ask('GET', '/complaints')).body.complaints.items.filter(
    (each: { id: string }) => each.id === id,
  )
  assert.equal(item.ombudsman, true)
  assert.equal(item.escalated, true)
  const overdueQueue = (await officer.ask('GET', '/complaints?due=overdue')).body
  assert.equal(overdueQueue.items[0].overdue, true)
  assert.ok(overdueQueue.counts.overdue >= 1)

  const lateReply = await asha.ask('POST', `/complaints/${settled}/words`, { text: 'It has come back.' })
  assert.equal(lateReply.status, 409, 'a complaint closed for this long cannot be reopened')
})

test('a rejected resolution reopens the complaint, escalates it and informs the borrower of the ombudsman', async () => {
  const asha = await borrower()
  const { id } = await asha.complain({ category: 'PRIVACY' })
  await act(id, 'answer', { version: 1, kind: 'RESOLUTION', text: 'There is nothing to see.', outcome: 'NOT_UPHELD' })
  const judged = await asha.ask('POST', `/complaints/${id}/judge`, { settled: false })
  const { status, ombudsman, escalated } = judged.body.complaints.items[0]
  assert.equal(judged.status, 200)
  assert.equal(status, 'IN_PROGRESS')
  assert.equal(ombudsman, true)
  assert.equal(escalated, true)
  const detail = await officerView(id)
  assert.equal(detail.reopened, 1)
  assert.equal(detail.satisfied, false)
  assert.equal(detail.escalatedBecause, 'NOT_SATISFIED')
  const { version } = detail
  assert.equal((await act(id, 'close', { version })).body.error.details.field, 'outcome')
  assert.equal((await act(id, 'close', { version, outcome: 'PARTLY_UPHELD' })).body.status, 'CLOSED')
  assert.equal((await act(id, 'reopen', { version: version + 1 })).body.status, 'IN_PROGRESS')
  const withdrawn = await asha.ask('POST', `/complaints/${id}/withdraw`, {})
  assert.equal(withdrawn.body.complaints.items[0].status, 'CLOSED')
})

test('only the audited export of a single complaint contains personal data', async () => {
  const asha = await borrower()
  const { id, number } = await asha.complain({ category: 'CONDUCT' })
  const reason = 'the ombudsman asks, write to asha@mail.example'
  const exportAs = (format: string, body: object = { reason }) =>
    officer.ask('POST', `/complaints/${id}/export`, { ...body, format })
  for (const badReason of [{}, { reason: 'because' }])
    assert.equal((await exportAs('json', badReason)).body.error.details.fields[0].path, 'reason')
  const json = await exportAs('json')
  assert.equal(json.status, 200)
  const exported = typeof json.body === 'string' ? JSON.parse(json.body) : json.body
  assert.deepEqual(exported.complaint.number, number)
  assert.equal(exported.complaint.contact.email, asha.email)
  assert.equal(exported.thread[0].text, complaintText)
  assert.equal('replyTag' in exported.complaint, false)
  const csv = await exportAs('csv')
  assert.match(String(csv.body), new RegExp(`${number},.*BORROWER,WORDS`))
  const exportEntries = (await listNewest(ctx.db, tenant.tenantId, null, 20)).filter(({ subject }) => subject === id)
  const details = await detailsOf(ctx, tenant.tenantId, exportEntries)
  assert.deepEqual(
    exportEntries.slice(0, 2).map(({ act, sequence }) => ({ act, detail: details.get(sequence) })),
    ['csv', 'json'].map((format) => ({
      act: 'COMPLAINT_EXPORTED',
      detail: { format, reason: 'the ombudsman asks, write to •••••' },
    })),
  )
  const queueExport = await officer.ask('GET', `/complaint-export?tenantId=${tenant.tenantId}&category=CONDUCT`)
  const queueText = String(queueExport.body)
  assert.match(queueText, new RegExp(number))
  assert.equal(queueText.includes('@'), false)
  const report = (await officer.ask('GET', '/complaint-report')).body
  const conductLine = report.lines.find(({ category }: { category: string }) => category === 'CONDUCT')
  assert.equal(conductLine.received, 1)
  assert.equal(conductLine.pending, 1)
  assert.deepEqual(conductLine.ages, [1, 0, 0, 0])
  assert.equal(report.isComplete, false)
  assert.equal(
    report.total.pending,
    report.total.ages.reduce((sum: number, each: number) => sum + each, 0),
  )
  const file = await officer.ask('GET', '/complaint-report/csv')
  assert.match(String(file.body), /TOTAL/)
})

describe('tenant isolation', () => {
  let asha: PageBorrower
  let complaintPath: string
  let calls: Call[]
  let officersCalls: Call[]
  let support: ConsoleUser
  let outsider: ConsoleUser
  let developer: ConsoleUser

  before(async () => {
    asha = await borrower()
    complaintPath = `/complaints/${(await asha.complain({ category: 'OTHER' })).id}`
    support = await consoleUser(platform, { role: 'support', tenantId: tenant.tenantId })
    outsider = await consoleUser(platform, { role: 'support', tenantId: platform.secondTenant.tenantId })
    developer = await consoleUser(platform, { role: 'developer', tenantId: tenant.tenantId })
    const { thread, version } = (await support.ask('GET', complaintPath)).body
    const [entry] = thread
    calls = [
      ['GET', complaintPath],
      ['GET', `${complaintPath}/template?template=ASK`],
      ['GET', `${complaintPath}/entries/${entry.entryId}/files/0`],
      ['POST', `${complaintPath}/reveal`, { reason: 'to call the borrower' }],
      ['POST', `${complaintPath}/note`, { text: 'a note' }],
    ]
    officersCalls = [
      ['POST', `${complaintPath}/export`, { format: 'json', reason: 'to send it to the lender' }],
      ['POST', `${complaintPath}/answer`, { version, kind: 'WORDS', text: 'an answer to it' }],
      ['POST', `${complaintPath}/assign`, { version, assigneeId: null }],
      ['POST', `${complaintPath}/category`, { version, category: 'APP' }],
      ['POST', `${complaintPath}/forward`, { version, text: 'to the lender' }],
      ['POST', `${complaintPath}/close`, { version, outcome: 'UPHELD' }],
      ['POST', `${complaintPath}/reopen`, { version }],
      ['POST', `${complaintPath}/escalate`, { version }],
      ['POST', `${complaintPath}/merge`, { version, into: 'GR-2611-22222' }],
      ['POST', `${complaintPath}/match`, { version, journeyId: asha.journeyId }],
      ['POST', `${complaintPath}/entries/${entry.entryId}/settle`, { version, accept: true }],
      ['POST', `${complaintPath}/mails/${uuidv7()}/send-again`],
      ['GET', '/complaint-officers'],
      [
        'PUT',
        '/complaint-officers',
        { party: 'PLATFORM', level: 'OFFICER', name: 'Me', email: 'a@b.in', phone: '080-400040' },
      ],
    ]
  })

  test('every act on a complaint by another tenant or a developer is refused', async () => {
    for (const [method, path, body] of [...calls, ...officersCalls]) {
      assert.ok(
        [403, 404].includes((await outsider.ask(method, path, body)).status),
        `${method} ${path} of another tenant`,
      )
      assert.ok(
        [403, 404].includes((await developer.ask(method, path, body)).status),
        `${method} ${path} of a developer`,
      )
    }
    for (const [method, path, body] of calls) assert.equal((await outsider.ask(method, path, body)).status, 404, path)
  })

  test('the tenant’s staff and platform viewers cannot perform an officer’s acts', async () => {
    const viewer = await consoleUser(platform, { role: 'viewer' })
    const tenantAdmin = await consoleUser(platform, { role: 'admin', tenantId: tenant.tenantId })
    for (const [method, path, body] of officersCalls) {
      assert.ok([403, 404].includes((await support.ask(method, path, body)).status), `${method} ${path} of support`)
      assert.ok(
        [403, 404].includes((await tenantAdmin.ask(method, path, body)).status),
        `${method} ${path} of a tenant's admin`,
      )
    }
    for (const [method, path, body] of officersCalls.filter(([each]) => each !== 'GET'))
      assert.equal((await viewer.ask(method, path, body)).status, 403, `${method} ${path} of a viewer`)
    assert.equal((await viewer.ask('GET', complaintPath)).status, 200)
    assert.equal((await viewer.ask('POST', `${complaintPath}/note`, { text: 'a note' })).status, 403)
    assert.equal((await viewer.ask('POST', `${complaintPath}/reveal`, { reason: 'out of curiosity' })).status, 403)
  })

  test('lists, exports and reports contain no complaint of another tenant', async () => {
    assert.deepEqual((await outsider.ask('GET', '/complaints')).body.items, [])
    assert.equal((await outsider.ask('GET', `/complaints?tenantId=${tenant.tenantId}`)).status, 404)
    for (const path of ['/complaint-report', '/complaint-report/csv', '/complaint-export']) {
      assert.equal((await outsider.ask('GET', `${path}?tenantId=${tenant.tenantId}`)).status, 404, path)
      assert.equal((await developer.ask('GET', path)).status, 403, `${path} of a developer`)
    }
    const exported: string = (await outsider.ask('GET', '/complaint-export')).body
    assert.equal(exported.trim().split('\r\n').length, 1, 'only the header row')
    const { total, lines } = (await outsider.ask('GET', '/complaint-report')).body
    assert.equal(total.received, 0)
    assert.equal(total.pending, 0)
    assert.equal(total.brought, 0)
    assert.deepEqual(lines, [])
    const reported: string = (await outsider.ask('GET', '/complaint-report/csv')).body
    assert.doesNotMatch(reported, /,[1-9]/)
  })

  test('support can add notes and reveal contact data, but sees no platform note', async () => {
    const noteReply = await support.ask('POST', `${complaintPath}/note`, { text: 'The borrower is a shop of ours.' })
    assert.equal(noteReply.status, 200)
    assert.equal(noteReply.body.thread.at(-1).author, 'TENANT')
    assert.deepEqual(noteReply.body.acts, ['note', 'reveal'])
    const platformNote = (
      await officer.ask('POST', `${complaintPath}/note`, {
        text: 'For platform staff only: 50100123456789, ABCPE1234F.',
      })
    ).body
    assert.equal(platformNote.thread.at(-1).text, 'For platform staff only: •••••, •••••.')
    for (const [who, isVisible] of [
      [support, false],
      [officer, true],
    ] as const)
      assert.equal(
        JSON.stringify((await who.ask('GET', complaintPath)).body).includes('For platform staff only'),
        isVisible,
      )
    const revealed = await support.ask('POST', `${complaintPath}/reveal`, { reason: 'to call the borrower' })
    assert.equal(
      Object.values(revealed.body.words).some((text) => String(text).includes('For platform staff only')),
      false,
    )
    assert.equal(revealed.body.email, asha.email)
  })

  test('support opens a complaint only for a journey of its tenant', async () => {
    assert.equal(
      (
        await outsider.ask('POST', '/complaints', {
          journeyId: asha.journeyId,
          category: 'APP',
          text: complaintText,
          language: 'en',
        })
      ).status,
      404,
    )
    assert.equal(
      (await support.ask('POST', '/complaints', { category: 'APP', text: complaintText, language: 'en' })).body.error
        .details.field,
      'journeyId',
    )
    const opened = await support.ask('POST', '/complaints', {
      journeyId: asha.journeyId,
      category: 'MONEY',
      text: complaintText,
      language: 'en',
    })
    assert.equal(opened.status, 201)
    assert.equal(opened.body.origin, 'STAFF')
    assert.equal(opened.body.status, 'ACKNOWLEDGED')
    assert.equal((await support.ask('GET', '/complaints?limit=1')).body.items.length, 1)
  })

  test('a borrower of another tenant cannot answer a complaint', async () => {
    const unknown = await borrower(platform.secondTenant)
    for (const [path, body] of [
      ['words', { text: 'not mine' }],
      ['judge', { settled: true }],
      ['withdraw', {}],
    ] as const)
      assert.equal((await unknown.ask('POST', `${complaintPath}/${path}`, body)).status, 404, path)
    assert.deepEqual((await unknown.ask('GET', '/complaints')).body.complaints.items, [])
  })

  test('a complaint with a file that is not the claimed image is refused', async () => {
    const complaint = { category: 'APP', text: 'with a bad file', language: 'en' }
    const noImage = new File(['no image'], 'bill.png', { type: 'image/png' })
    const harmful = await asha.ask('POST', '/complaints', messageForm(complaint, [noImage]))
    assert.equal(harmful.status, 400)
    assert.equal(harmful.body.error.details.field, 'files.0')
  })
})

test('a complaint can be searched by number and appears masked in its journey’s timeline', async () => {
  const asha = await borrower()
  const { id, number } = await asha.complain({ text: 'Call me at 9876501234, or asha@mail.example, please.' })
  const { items } = (await officer.ask('GET', `/search?q=${number.toLowerCase()}`)).body
  assert.deepEqual(
    items.map(({ kind, journeyId, matched, entryId }: Record<string, string>) => ({
      kind,
      journeyId,
      matched,
      entryId,
    })),
    [{ kind: 'complaint', journeyId: asha.journeyId, matched: number, entryId: `complaint.${id}` }],
  )
  const timeline = (await officer.ask('GET', `/journeys/${asha.journeyId}/timeline?kinds=grievance`)).body.items
  assert.deepEqual(
    timeline.map(({ title }: { title: { code: string; params: { number: string } } }) => ({
      code: title.code,
      number: title.params.number,
    })),
    [{ code: 'complaint', number }],
  )
  const entry = await officer.ask('GET', `/journeys/${asha.journeyId}/timeline/complaint.${id}`)
  assert.equal(entry.body.raw[0].text, 'Call me at •••••, or •••••, please.')
  assert.equal((await officer.ask('GET', `/complaints?number=${number}`)).body.items[0].complaintId, id)
  const outsider = await consoleUser(platform, { role: 'support', tenantId: platform.secondTenant.tenantId })
  assert.deepEqual((await outsider.ask('GET', `/search?q=${number}`)).body.items, [])
})

test('a borrower’s message is unread until an officer answers, adds a note or marks it as seen', async () => {
  const asha = await borrower()
  const { id } = await asha.complain()
  const queue = async () => {
    const { items, counts } = (await officer.ask('GET', '/complaints?replied=yes')).body
    return {
      listed: items.filter((each: { complaintId: string }) => each.complaintId === id).length,
      replied: counts.replied,
    }
  }
  const { replied: otherReplies } = await queue()
  assert.equal((await officerView(id)).repliedAt, null, 'a new complaint has no unread reply')
  const sendMessage = async (text: string) =>
    assert.equal((await asha.ask('POST', `/complaints/${id}/words`, { text })).status, 200)
  await sendMessage('It was taken on the 18th, and again on the 19th.')
  assert.deepEqual(await queue(), { listed: 1, replied: otherReplies + 1 })
  const unread = await officerView(id)
  assert.equal(unread.status, 'ACKNOWLEDGED')
  assert.equal(unread.acts.includes('seen'), true)
  await sendMessage('And on the 20th, I have seen now.')
  assert.equal((await act(id, 'seen', { version: unread.version })).status, 409, 'this version lacks the last message')
  const seen = await act(id, 'seen', { version: (await officerView(id)).version })
  assert.equal(seen.status, 200)
  assert.equal(seen.body.repliedAt, null)
  assert.equal(seen.body.acts.includes('seen'), false)
  assert.deepEqual(await queue(), { listed: 0, replied: otherReplies })
  await sendMessage('Is there anything new to this?')
  await act(id, 'note', { text: 'The bank was called.' })
  assert.equal((await officerView(id)).repliedAt, null)
  await sendMessage('And now, is there anything?')
  const { version } = await officerView(id)
  assert.equal((await act(id, 'answer', { version, kind: 'WORDS', text: 'It was a mistake of the bank.' })).status, 200)
  assert.deepEqual(await queue(), { listed: 0, replied: otherReplies })
})
