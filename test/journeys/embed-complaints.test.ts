// Complaints about a loan on the hosted page, in a real browser: raised, answered, escalated, rated; and where they go elsewhere.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EmbedGrievance } from '#contract/hosted/embed-grievance.ts'
import { accessible, embedPages } from '#test/setup/embed-pages.ts'
import type { ReceivedRequest } from '#test/setup/embed-platform.ts'
import { viewAt } from '#test/setup/embed-views.ts'

const pages = embedPages()
const { open } = pages

const id = '0192e0a4-0000-7000-8000-0000000000c1'
const complaint = (change: Partial<EmbedGrievance> = {}): EmbedGrievance => ({
  id,
  topic: 'CHARGES',
  text: 'A charge of ₹500 was taken on 18 November that the offer did not show.',
  status: 'OPEN',
  escalated: false,
  mayEscalate: false,
  late: false,
  notTaken: false,
  raisedAt: '2026-11-20T05:00:00.000Z',
  dueAt: '2026-11-21T05:00:00.000Z',
  question: null,
  resolution: null,
  rating: null,
  officer: { name: 'Thomas Mathew', phone: '080-25001188', email: 'nodal@lender.example' },
  ...change,
})
const resolution = {
  text: 'Everything is as agreed',
  detail: 'It is the stamp duty.',
  action: 'NO-ACTION',
  refund: null,
} as const

let version = 1
const complaining = (...items: EmbedGrievance[]) =>
  viewAt('DISBURSED', { grievances: { possible: true, items }, version: version++ })

describe('FIS12 §20: complaints, on the hosted page', () => {
  test('the borrower complains, answers the lender, takes it further and closes it', async () => {
    const one = await open(complaining())
    const { inside } = one
    const show = async (...items: EmbedGrievance[]) => {
      pages.platform.show(complaining(...items))
      await one.askAgain()
    }
    await inside.getByRole('button', { name: 'Complain about this loan' }).click()
    await inside.getByRole('button', { name: 'Send to Kaveri Bank' }).click()
    await inside.getByRole('region', { name: 'Please check 2 things' }).waitFor()
    assert.ok(
      pages.platform.acts.every(({ path }) => path === '/session'),
      'nothing is sent',
    )
    await inside.getByLabel('Interest or a charge').check()
    await inside.getByLabel('What happened?').fill(complaint().text)
    await accessible(one, 'the form of a complaint')
    pages.platform.on('POST /grievances', () => complaining(complaint()))
    await inside.getByRole('button', { name: 'Send to Kaveri Bank' }).click()
    await inside.getByText('Sent on 20 Nov').waitFor()
    assert.deepEqual((pages.platform.acts.at(-1) as ReceivedRequest).body, { topic: 'CHARGES', text: complaint().text })

    await show(complaint({ late: true }))
    await inside.getByText('is late with its answer').waitFor()
    await show(complaint({ status: 'NEEDS_INFO', question: 'On which day did it happen?' }))
    await inside.getByText('Kaveri Bank has answered your complaint.').waitFor()
    await inside.getByRole('button', { name: 'Go to the complaint' }).click()
    await accessible(one, 'a question of the lender')
    await inside.getByLabel('Your answer').fill('no')
    await inside.getByRole('button', { name: 'Send the answer' }).click()
    await inside.getByRole('region', { name: 'Please check one thing' }).waitFor()
    await inside.getByLabel('Your answer').fill('It was on 18 November.')
    pages.platform.on(`POST /grievances/${id}/reply`, () => complaining(complaint({ status: 'PROCESSING' })))
    await inside.getByRole('button', { name: 'Send the answer' }).click()
    await inside.getByText('Kaveri Bank is working on it.').waitFor()

    await show(complaint({ status: 'PROCESSING', mayEscalate: true }))
    await inside.getByText('has not solved your complaint in time').waitFor()
    pages.platform.on(`POST /grievances/${id}/escalate`, () =>
      complaining(complaint({ status: 'ESCALATED', escalated: true })),
    )
    await inside.getByRole('button', { name: 'Send it to the grievance officer' }).click()
    await inside.getByText('Kaveri Bank’s grievance officer has your complaint').waitFor()
    await inside.getByRole('article').getByRole('link', { name: '080-25001188' }).waitFor()

    const refund = { ...resolution, text: 'We refund ₹500', action: 'REFUND', refund: '500.00' } as const
    await show(complaint({ status: 'RESOLVED', escalated: true, resolution: refund }))
    await inside.getByText('The lender refunds ₹500.').waitFor()
    await accessible(one, 'a resolution')
    pages.platform.on(`POST /grievances/${id}/close`, () =>
      complaining(complaint({ status: 'CLOSED', resolution: refund, rating: 'THUMBS-UP' })),
    )
    await inside.getByRole('button', { name: 'Yes, close it' }).click()
    await inside.getByText('Interest or a charge · closed').click()
    await inside.getByText('You said that it was solved.').waitFor()
    assert.deepEqual((pages.platform.acts.at(-1) as ReceivedRequest).body, { rating: 'THUMBS-UP' })
    await accessible(one, 'a complaint that is closed')
  })

  test('where complaints go to the lender directly it says so, and what the lender did not take as well', async () => {
    const direct = viewAt('DISBURSED', { grievances: { possible: false, items: [] }, version: version++ })
    const one = await open(direct)
    await one.inside.getByText('Write to Kaveri Bank or to us.').waitFor()
    await one.inside.getByRole('button', { name: 'Make a complaint' }).waitFor()
    pages.platform.show(complaining(complaint({ status: 'REFUSED', notTaken: true })))
    await one.askAgain()
    await one.inside.getByText('Interest or a charge · not accepted').click()
    await one.inside.getByText('does not accept this complaint here').waitFor()
  })

  test('all of it is there in Hindi', async () => {
    const { inside } = await open(complaining(complaint({ status: 'RESOLVED', mayEscalate: true, resolution })), {
      language: 'hi',
    })
    await inside.getByRole('heading', { name: 'क्या कुछ गलत है?' }).waitFor()
    await inside.getByRole('button', { name: 'हाँ, बंद करें' }).waitFor()
    await inside.getByRole('button', { name: /शिकायत अधिकारी के पास ले जाएँ/ }).waitFor()
    await inside.getByRole('button', { name: 'किसी और बात की शिकायत करें' }).click()
    await inside.getByRole('radio', { name: 'ब्याज या शुल्क' }).check()
  })
})
