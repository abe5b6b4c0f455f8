// The hosted page after disbursal, in a real browser: what is due, what can be paid, and what came of it.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { EmbedView } from '#contract/hosted/embed.ts'
import type { EmbedPayment } from '#contract/hosted/embed-servicing.ts'
import { type EmbedWorld, type Opened, startEmbedWorld } from '#test/setup/embed-page.ts'
import { viewAt } from '#test/setup/embed-views.ts'

let world: EmbedWorld
before(async () => {
  world = await startEmbedWorld()
})
after(() => world?.close())

let opened: Opened[] = []
afterEach(async () => {
  for (const { complaints } of opened) assert.deepEqual(complaints, [])
  for (const { page } of opened) await page.context().close()
  opened = []
})
async function open(view: EmbedView, options: Parameters<EmbedWorld['open']>[0] = {}): Promise<Opened> {
  world.platform.forget()
  world.platform.show(view)
  const one = await world.open(options)
  opened.push(one)
  return one
}

const payment = (change: Partial<EmbedPayment> = {}): EmbedPayment => ({
  operationId: '0192e0a4-0000-7000-8000-0000000000f1',
  kind: 'FORECLOSURE',
  status: 'REQUESTED',
  amount: null,
  redirectUrl: null,
  problem: null,
  ...change,
})
const ready = payment({ status: 'LINK_READY', amount: '190214.48', redirectUrl: 'https://lender.example/pay/1' })
let version = 1
const repaying = (...servicing: EmbedPayment[]) => viewAt('DISBURSED', { servicing, version: version++ })

async function accessible({ page }: Opened, what: string): Promise<void> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  const { violations } = await new AxeBuilder({ page }).include('iframe').withTags(tags).analyze()
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    [],
    what,
  )
}

describe('D2 §4: after disbursal, on the hosted page', () => {
  test('the plan says what is overdue, and closing the loan leads to the lender and to the end', async () => {
    const one = await open(repaying())
    const { inside } = one
    await inside.getByRole('row', { name: /1 .*overdue/ }).waitFor()
    await inside.getByText('₹9,368 on').waitFor()
    world.platform.on('POST /servicing/foreclosure', () => repaying(payment()))
    await inside.getByRole('button', { name: 'Close the loan' }).click()
    await inside.getByText('Kaveri Bank is preparing a payment page.').waitFor()
    assert.equal(await inside.getByRole('button', { name: 'Close the loan' }).count(), 0, 'one is open already')
    assert.deepEqual(world.platform.acts.at(-1)!.body, {})

    world.platform.show(repaying(ready))
    await one.askAgain()
    const link = inside.getByRole('link', { name: /^Pay ₹1,90,214\.48/ })
    await link.waitFor()
    assert.deepEqual(
      [await link.getAttribute('href'), await link.getAttribute('target'), await link.getAttribute('rel')],
      [ready.redirectUrl, '_blank', 'noopener noreferrer'],
    )
    await accessible(one, 'a payment page is ready')
    world.platform.on('POST /servicing/status', () => repaying({ ...ready, status: 'PAID', redirectUrl: null }))
    await inside.getByRole('button', { name: 'I have paid' }).click()
    await inside.getByText('₹1,90,214.48 paid.').waitFor()

    world.platform.show(
      viewAt('CLOSED', { servicing: [{ ...ready, status: 'PAID', redirectUrl: null }], version: version++ }),
    )
    await one.askAgain()
    await inside.getByRole('heading', { name: 'Your loan is repaid' }).waitFor()
    assert.equal(await inside.getByRole('button', { name: 'Pay part early' }).count(), 0)
    await accessible(one, 'repaid')
  })

  test('a part is asked for in whole rupees only, and a failure is said in plain words', async () => {
    const one = await open(repaying())
    const { inside } = one
    await inside.getByRole('button', { name: 'Pay part early' }).click()
    const amount = inside.getByLabel('How much do you want to pay early, in rupees?')
    await amount.fill('12.50')
    world.platform.acts.length = 0
    await inside.getByRole('button', { name: 'Ask for the payment page' }).click()
    await inside.getByRole('region', { name: 'Please check one thing' }).waitFor()
    assert.equal(world.platform.acts.length, 0)
    await accessible(one, 'what is wrong with the amount')
    await amount.fill('₹20,000')
    const problem = 'The lender cannot do this for the loan at the moment.'
    world.platform.on('POST /servicing/pre-part-payment', () =>
      repaying(payment({ kind: 'PRE_PART_PAYMENT', status: 'FAILED', problem })),
    )
    await inside.getByRole('button', { name: 'Ask for the payment page' }).click()
    await inside.getByText(problem).waitFor()
    assert.deepEqual(world.platform.acts.at(-1)!.body, { amount: '20000' })
    await inside.getByRole('button', { name: 'Pay part early' }).waitFor()
  })

  test('all of it is there in Hindi', async () => {
    const { inside } = await open(repaying(ready), { language: 'hi' })
    await inside.getByRole('heading', { name: 'योजना से अलग भुगतान' }).waitFor()
    await inside.getByRole('button', { name: 'छूटी हुई किस्त चुकाएँ' }).waitFor()
    await inside.getByRole('link', { name: /चुकाएँ/ }).waitFor()
    await inside.getByRole('cell', { name: /बकाया/ }).waitFor()
  })
})
