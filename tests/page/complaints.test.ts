// Complaints about a loan on the hosted page, in a real browser.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EmbedComplaint, EmbedComplaintEntry } from '@lendloom/wire/hosted/embed-complaint'
import type { EmbedGrievance } from '@lendloom/wire/hosted/embed-grievance'
import { assertFrameAccessible, embedPages } from '#test/setup/embed-pages.ts'
import type { ReceivedRequest } from '#test/setup/embed-platform.ts'
import { receivedComplaint, viewAt } from '#test/setup/embed-views.ts'

const pages = embedPages()
const { open } = pages

const id = '0192e0a4-0000-7000-8000-0000000000c1'
const officer = { name: 'Neha Joshi', email: 'grievance@platform.example', phone: '+912240001234' }
const complaint = (change: Partial<EmbedGrievance> = {}): EmbedGrievance => ({
  id,
  number: 'GR-2611-7K3Q9',
  closedAt: null,
  topic: 'CHARGES',
  text: 'A charge of ₹500 was taken on 18 November that the offer did not show.',
  status: 'OPEN',
  escalated: false,
  mayEscalate: false,
  late: false,
  notTaken: false,
  raisedAt: '2026-11-20T05:00:00.000Z',
  dueAt: '2026-11-21T05:00:00.000Z',
  messages: [],
  resolution: null,
  rating: null,
  officer: { name: 'Thomas Mathew', phone: '080-25001188', email: 'nodal@lender.example' },
  ...change,
})
const resolution = {
  at: '2026-11-25T05:00:00.000Z',
  text: 'Everything is as agreed',
  detail: 'It is the stamp duty.',
  action: 'NO-ACTION',
  refund: null,
} as const

const question = { at: '2026-11-20T06:00:00.000Z', by: 'LENDER', text: 'On which day did it happen?' } as const
const answer = { at: '2026-11-20T07:00:00.000Z', by: 'BORROWER', text: 'It was on 18 November.' } as const

let version = 1
const viewWithComplaints = (...items: EmbedGrievance[]) =>
  viewAt('DISBURSED', { grievances: { possible: true, items }, version: version++ })

describe('FIS12 §20: complaints, on the hosted page', () => {
  test('the borrower complains, answers the lender, escalates and closes the complaint', async () => {
    const hosted = await open(viewWithComplaints())
    const { frame } = hosted
    const show = async (...items: EmbedGrievance[]) => {
      pages.platform.show(viewWithComplaints(...items))
      await hosted.pollAgain()
    }
    await frame.getByRole('button', { name: 'Complain about this loan' }).click()
    await frame.getByRole('button', { name: 'Send to Kaveri Bank' }).click()
    await frame.getByRole('alert').getByText('Please check 2 things').waitFor()
    assert.ok(
      pages.platform.acts.every(({ path }) => path === '/session'),
      'nothing is sent',
    )
    await frame.getByLabel('Interest or a charge').check()
    await frame.getByLabel('What happened?').fill(complaint().text)
    await assertFrameAccessible(hosted, 'the form of a complaint')
    pages.platform.on('POST /grievances', () => viewWithComplaints(complaint()))
    await frame.getByRole('button', { name: 'Send to Kaveri Bank' }).click()
    await frame.getByText('Sent on 20 Nov').waitFor()
    assert.deepEqual((pages.platform.acts.at(-1) as ReceivedRequest).body, { topic: 'CHARGES', text: complaint().text })

    await show(complaint({ late: true }))
    await frame.getByText('is late with its answer').waitFor()
    await show(complaint({ status: 'NEEDS_INFO', messages: [question] }))
    await frame.getByText('Kaveri Bank has a question about your complaint.').waitFor()
    await frame.getByRole('button', { name: 'Go to the complaint' }).click()
    await assertFrameAccessible(hosted, 'a question of the lender')
    await frame.getByLabel('Your answer').fill('no')
    await frame.getByRole('button', { name: 'Send the answer' }).click()
    await frame.getByRole('alert').getByText('Please check one thing').waitFor()
    await frame.getByLabel('Your answer').fill('It was on 18 November.')
    pages.platform.on(`POST /grievances/${id}/reply`, () => viewWithComplaints(complaint({ status: 'PROCESSING' })))
    await frame.getByRole('button', { name: 'Send the answer' }).click()
    await frame.getByText('Kaveri Bank is working on it.').waitFor()

    await show(complaint({ status: 'PROCESSING', mayEscalate: true }))
    await frame.getByText('has not solved your complaint in time').waitFor()
    pages.platform.on(`POST /grievances/${id}/escalate`, () =>
      viewWithComplaints(complaint({ status: 'ESCALATED', escalated: true })),
    )
    await frame.getByRole('button', { name: 'Send it to the grievance officer' }).click()
    await frame.getByText('Kaveri Bank’s grievance officer has your complaint').waitFor()
    await frame.getByRole('article').getByRole('link', { name: '080-25001188' }).waitFor()

    const refund = { ...resolution, text: 'We refund ₹500', action: 'REFUND', refund: '500.00' } as const
    await show(complaint({ status: 'RESOLVED', escalated: true, resolution: refund }))
    await frame.getByText('The lender refunds ₹500.').waitFor()
    await assertFrameAccessible(hosted, 'a resolution')
    pages.platform.on(`POST /grievances/${id}/close`, () =>
      viewWithComplaints(
        complaint({ status: 'CLOSED', closedAt: '2026-11-26T06:30:00.000Z', resolution: refund, rating: 'THUMBS-UP' }),
      ),
    )
    await frame.getByRole('button', { name: 'Yes, close it' }).click()
    const closed = frame.locator('summary', { hasText: 'closed on 26 Nov 2026' })
    await closed.waitFor()
    assert.match(await closed.innerText(), /^Interest or a charge\s*Number GR-2611-7K3Q9/)
    assert.equal(await frame.locator('summary:focus').count(), 1, 'screen readers announce it')
    await closed.click()
    await frame.getByText('You said that it was solved.').waitFor()
    assert.deepEqual((pages.platform.acts.at(-1) as ReceivedRequest).body, { rating: 'THUMBS-UP' })
    await assertFrameAccessible(hosted, 'a complaint that is closed')
  })

  test('the page says when complaints go to the lender directly, and when the lender refused one', async () => {
    const direct = viewAt('DISBURSED', { grievances: { possible: false, items: [] }, version: version++ })
    const hosted = await open(direct)
    await hosted.frame.getByText('Write to Kaveri Bank or to us.').waitFor()
    await hosted.frame.getByRole('button', { name: 'Make a complaint' }).click()
    await hosted.frame.getByRole('button', { name: 'Send the complaint' }).click()
    await hosted.frame.getByText('Choose what it is about').waitFor()
    await hosted.frame.getByText('Tell us what happened').waitFor()
    await hosted.frame.getByLabel('What happened?').fill('no')
    await hosted.frame.getByRole('button', { name: 'Send the complaint' }).click()
    await hosted.frame.getByText('Write at least 10 characters').waitFor()
    const officers = hosted.frame.locator('details', { hasText: 'Contact our officers' })
    assert.equal(await officers.getAttribute('open'), null, 'the form comes first')
    const chooser = hosted.page.waitForEvent('filechooser')
    await hosted.frame.getByRole('button', { name: 'Attach a photo or PDF' }).click()
    await (await chooser).setFiles({ name: 'bill.png', mimeType: 'image/png', buffer: Buffer.from('a bill') })
    await hosted.frame.getByRole('button', { name: 'Remove bill.png' }).waitFor()
    await hosted.frame.getByRole('button', { name: 'Back to my loan' }).click()
    pages.platform.show(viewWithComplaints(complaint({ status: 'REFUSED', notTaken: true })))
    await hosted.pollAgain()
    await hosted.frame.locator('summary', { hasText: 'not accepted' }).click()
    await hosted.frame.getByText('does not accept this complaint here').waitFor()
  })

  test('D3 §1: the loan’s screen announces an answer to a complaint in help, which shows when it was closed', async () => {
    const answered = viewAt('DISBURSED', { complaintAnswered: true, version: version++ })
    const { page, frame } = await open(answered)
    const entry = (change: Pick<EmbedComplaintEntry, 'at' | 'by' | 'kind' | 'code' | 'text'>): EmbedComplaintEntry => ({
      values: {},
      files: [],
      ...change,
    })
    const item: EmbedComplaint = {
      id,
      number: 'LL-7K4P',
      category: 'CHARGES',
      status: 'RESOLVED',
      lender: null,
      dueAt: null,
      receivedAt: '2026-11-20T05:00:00.000Z',
      overdue: false,
      escalated: false,
      ombudsman: false,
      exit: null,
      mayAdd: true,
      mayJudge: true,
      mayWithdraw: false,
      outcome: 'NOT_UPHELD',
      entries: [entry({ at: '2026-11-21T05:00:00.000Z', by: 'OFFICER', kind: 'RESOLUTION', code: null, text: 'No.' })],
    }
    const reply = (change: Partial<EmbedComplaint> = {}) => ({
      view: viewAt('DISBURSED', { version: version++ }),
      complaints: { officer, nodal: officer, lender: 'Kaveri Bank', items: [{ ...item, ...change }] },
    })
    await page.route('**/api/embed/complaints', (route) => route.fulfill({ json: reply() }))
    assert.equal(await frame.getByText('Your complaint is being looked into.').count(), 0)
    await frame.getByText('There is an answer to your complaint.').waitFor()
    await frame.getByRole('button', { name: 'Go to the complaint' }).click()
    await frame.getByText('Decision: not in your favour', { exact: true }).waitFor()
    await frame.getByRole('group', { name: 'Are you satisfied with this answer?' }).waitFor()
    const closing = entry({ at: '2026-11-26T06:30:00.000Z', by: 'BORROWER', kind: 'EVENT', code: 'CLOSED', text: '' })
    const closed = reply({ status: 'CLOSED', mayJudge: false, entries: [...item.entries, closing] })
    await page.route(`**/api/embed/complaints/${id}/judge`, (route) => route.fulfill({ json: closed }))
    await frame.getByRole('button', { name: 'Yes, it is settled' }).click()
    await frame
      .getByRole('status')
      .getByText(/^Closed · 26\sNov.* · Decision: not in your favour$/)
      .waitFor()
  })

  test('D3 §1: the thread of a cancellation says by when to pay, then that the lender has the payment', async () => {
    const { page, frame } = await open(viewAt('DISBURSED', { complaintAnswered: true, version: version++ }))
    let state: NonNullable<EmbedComplaint['exit']>['state'] = 'PAY'
    await page.route('**/api/embed/complaints', (route) => {
      const items = [{ ...receivedComplaint, exit: { payBy: '2026-11-29', state } }]
      return route.fulfill({ json: { complaints: { officer, nodal: officer, lender: 'Kaveri Bank', items } } })
    })
    const back = frame.getByRole('button', { name: 'Back to my loan' })
    for (const [next, says] of [
      ['PAY', 'Received · Pay by 29 Nov 2026.'],
      ['MISSED', 'Received · The loan was not cancelled by 29 Nov 2026, so it continues.'],
      ['PAID', 'Received · Kaveri Bank has your payment. You hear from us by 11 Dec, 10:30 am.'],
    ] as const) {
      state = next
      await frame.getByRole('button', { name: 'Go to the complaint' }).click()
      await frame.getByText(says, { exact: true }).waitFor()
      await back.click()
    }
  })

  test('D3 §1: beside an open request, whose answer is due, a complaint is only a link', async () => {
    const { page, frame } = await open(viewAt('DISBURSED', { complaintOpen: true, version: version++ }))
    const request: EmbedComplaint = {
      ...receivedComplaint,
      category: 'CLOSING_AMOUNT',
      receivedAt: '2026-12-03T09:45:00.000Z',
      dueAt: '2026-12-04T09:45:00.000Z',
    }
    const complaints = { officer, nodal: officer, lender: 'Kaveri Bank' }
    let items = [request]
    await page.route('**/api/embed/complaints', (route) =>
      route.fulfill({ json: { complaints: { ...complaints, items } } }),
    )
    await frame.getByRole('button', { name: 'Go to the complaint' }).click()
    await frame.getByText('Received · You hear from us by 4 Dec, 3:15 pm.', { exact: true }).waitFor()
    const complain = frame.getByRole('button', { name: 'Make a complaint' })
    assert.equal(await complain.getAttribute('class'), 'quiet')
    await frame.getByRole('button', { name: 'Back to my loan' }).click()
    items = [{ ...request, category: 'CHARGES' }]
    await frame.getByRole('button', { name: 'Go to the complaint' }).click()
    await frame.getByText('Interest or a charge').waitFor()
    assert.equal(await complain.getAttribute('class'), 'plain')
  })

  test('an open complaint is headed as one and lists what both sides said, with dates, also once it is solved', async () => {
    const said = [question, answer]
    const hosted = await open(viewWithComplaints(complaint({ status: 'NEEDS_INFO', messages: [question] })))
    const { frame } = hosted
    await frame.getByRole('heading', { name: 'Your complaint', exact: true }).waitFor()
    await frame.locator('.state.turn .icon').waitFor()
    pages.platform.show(viewWithComplaints(complaint({ status: 'RESOLVED', messages: said, resolution })))
    await hosted.pollAgain()
    await frame.locator('.state.solved').waitFor()
    const lines = await frame.locator('.complaint .said li').allInnerTexts()
    assert.deepEqual(
      lines.map((line) => line.replace(/\s+/g, ' ')),
      [
        `You · 20 Nov, 10:30 am ${complaint().text}`,
        `Kaveri Bank · 20 Nov, 11:30 am ${question.text}`,
        `You · 20 Nov, 12:30 pm ${answer.text}`,
        `Kaveri Bank · 25 Nov, 10:30 am ${resolution.text} ${resolution.detail}`,
      ],
    )
    pages.platform.show(viewWithComplaints(complaint(), complaint({ id: 'another' })))
    await hosted.pollAgain()
    await frame.getByRole('heading', { name: 'Your complaints', exact: true }).waitFor()
  })

  test('of a solved complaint the officer is named at the button that goes to the officer', async () => {
    const hosted = await open(viewWithComplaints(complaint({ status: 'RESOLVED', mayEscalate: true, resolution })))
    const { frame } = hosted
    const escalate = frame.getByRole('button', { name: 'No, send it to the grievance officer' })
    await escalate.waitFor()
    const below = await escalate.evaluate((button) => button.nextElementSibling?.textContent)
    assert.equal(below, 'Thomas Mathew, the grievance officer, must then look at it.')
    assert.equal(await frame.locator('.complaint .state .icon').count(), 1)
    await assertFrameAccessible(hosted, 'a solved complaint')
  })

  test('the complaint section is in Hindi', async () => {
    const { frame } = await open(viewWithComplaints(complaint({ status: 'RESOLVED', mayEscalate: true, resolution })), {
      language: 'hi',
    })
    await frame.getByRole('heading', { name: 'आपकी शिकायत' }).waitFor()
    await frame.getByRole('button', { name: 'हाँ, बंद करें' }).waitFor()
    await frame.getByRole('button', { name: /शिकायत अधिकारी को भेजें/ }).waitFor()
    await frame.getByRole('button', { name: 'किसी और बात की शिकायत करें' }).click()
    await frame.getByRole('radio', { name: 'ब्याज या कोई शुल्क' }).check()
  })
})
