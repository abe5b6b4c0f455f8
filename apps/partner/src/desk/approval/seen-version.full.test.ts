// Concurrent decisions on one case over real HTTP: a decision from an outdated page is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deskPerson, pendingRequestPath } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { until } from '@lendloom/tests/setup/programs'

const partner = await startTestPartner({ PARTNER_AUTOPILOT: 'off' })
const { db, events } = partner
const meera = await deskPerson(partner, 'Meera', 'credit')
const ravi = await deskPerson(partner, 'Ravi', 'credit')
const terms = { annualRatePercent: '26', feePercent: '2', taxPercent: '18', otherCharges: '0', validDays: '3' }
const outdatedMessage = /This case has changed since you opened it, so nothing was done\. Read it again, then decide\./

async function registerForReview(): Promise<TestCase> {
  const loanCase = new TestCase(partner)
  await loanCase.register()
  const page = `/desk/cases/${loanCase.caseRef}`
  await until('the case is under review', async () => /Approve with these terms/.test((await meera.view(page)).text))
  return loanCase
}

/** Returns the address to which a page sends one of its forms. */
async function formAddress(person: typeof meera, page: string, name: string): Promise<string> {
  const { html } = await person.view(page.startsWith('/desk/cases/') ? `${page}?act=${name}` : page)
  const action = new RegExp(`action="([^"]*/${name}[?][^"]*)"`).exec(html)?.[1]
  assert.ok(action, `${page} has the form ${name}`)
  return action.replaceAll('&amp;', '&')
}
const countOffers = async (caseRef: string) => (await db`select 1 from case_offer where case_ref = ${caseRef}`).length

test('D3 §1.1 rule 3: the second of two concurrent offers is refused until its officer reloads the case', async () => {
  const loanCase = await registerForReview()
  const { caseRef } = loanCase
  const page = `/desk/cases/${caseRef}`
  const addresses = [await formAddress(meera, page, 'offer'), await formAddress(ravi, page, 'offer')]
  const sent = await Promise.all([
    meera.send(addresses[0]!, { ...terms, amount: '90000' }),
    ravi.send(addresses[1]!, { ...terms, amount: '80000' }),
  ])
  assert.deepEqual(sent.map(({ status }) => status).sort(), [303, 409])
  const refused = sent.find(({ status }) => status === 409)!.text
  assert.match(refused, outdatedMessage)
  const first = sent[0]!.status === 303 ? 'Meera' : 'Ravi'
  assert.match(refused, new RegExp(`What changed: [^.]*Approved by ${first}, \\d`))
  assert.equal(await countOffers(caseRef), 1)
  await partner.waitForDeliveries()
  const decisions = events.filter((event) => loanCase.isMine(event) && event.event_type === 'MANUAL_REVIEW_DECIDED')
  assert.equal(decisions.length, 1, 'only one decision is sent to the platform')

  assert.equal((await ravi.send(await formAddress(ravi, page, 'offer'), { ...terms, amount: '80000' })).status, 303)
  assert.equal(await countOffers(caseRef), 2, 'after reloading the case, the officer may offer other terms')
})

test('D3 §1.1 rule 3: a refusal names a document that arrived, or data and checks, before there is an account', async () => {
  const loanCase = await registerForReview()
  const page = `/desk/cases/${loanCase.caseRef}`
  const refusedText = async (change: () => Promise<unknown>) => {
    const address = await formAddress(ravi, page, 'offer')
    await change()
    const { status, text } = await ravi.send(address, { ...terms, amount: '80000' })
    assert.equal(status, 409)
    return text
  }
  const afterDocument = await refusedText(() => loanCase.upload('KYC_REPORT'))
  assert.match(afterDocument, /What changed: Document received: KYC report, \d/)
  const afterCheck = await refusedText(() => loanCase.act(async () => {}))
  assert.match(afterCheck, /What changed: the data or the checks of the application\./)
})

test('a refused rejection or cancellation stays open with the chosen reason and the explanation', async () => {
  const loanCase = await registerForReview()
  const page = `/desk/cases/${loanCase.caseRef}`
  const explanation = 'Two <b>late</b> loans.'
  const forms = [
    ['reject', 'Reject the application', { reasonCode: 'BUREAU_HISTORY' }],
    ['stop', 'Cancel this application', { why: 'BORROWER:OTHER_LENDER' }],
  ] as const
  for (const [name, title, reason] of forms) {
    if (name === 'stop') await loanCase.approve()
    const address = await formAddress(meera, page, name)
    await loanCase.act(async () => {})
    const { status, html } = await meera.send(address, { ...reason, reasonMessage: explanation })
    assert.equal(status, 409)
    const form = html.slice(html.indexOf(`<h2>${title}`)).split('</form>')[0] ?? ''
    assert.match(form, new RegExp(`^<h2>[^]*<option value="${Object.values(reason)[0]}" selected>`), name)
    assert.match(form, /name="reasonMessage" value="Two &lt;b/, name)
  }
})

test('D3 §1.1 rule 3: a concurrent rejection and offer do not both succeed', async () => {
  const { caseRef } = await registerForReview()
  const page = `/desk/cases/${caseRef}`
  const reject = await formAddress(meera, page, 'reject')
  const offer = await formAddress(ravi, page, 'offer')
  const sent = await Promise.all([
    meera.send(reject, { reasonCode: 'OTHER', reasonMessage: 'No.' }),
    ravi.send(offer, { ...terms, amount: '80000' }),
  ])
  assert.deepEqual(sent.map(({ status }) => status).sort(), [303, 409])
  assert.match(sent.find(({ status }) => status === 409)!.text, outdatedMessage)
  const withoutVersion = await ravi.send(`${page}/offer?version=`, { ...terms, amount: '80000' })
  assert.equal(withoutVersion.status, 400)
})

test('an approval from a page that was opened before another offer is refused', async () => {
  const { caseRef } = await registerForReview()
  const page = `/desk/cases/${caseRef}`
  const aboveLimit = { ...terms, amount: '300000', reason: 'A good shop.' }
  assert.equal((await meera.send(await formAddress(meera, page, 'offer'), aboveLimit)).status, 303)
  const asha = await deskPerson(partner, 'Asha', 'admin')
  const approve = await formAddress(asha, '/desk/approvals', 'approve')
  assert.equal((await ravi.send(await formAddress(ravi, page, 'offer'), { ...terms, amount: '90000' })).status, 303)
  const lateApproval = await asha.send(approve)
  assert.equal(lateApproval.status, 409)
  assert.equal(outdatedMessage.test(lateApproval.text), true)
  assert.equal(await countOffers(caseRef), 1)
  await pendingRequestPath(partner, caseRef, 'OFFER')
  assert.equal((await asha.send(await formAddress(asha, page, 'approve'))).status, 303)
  assert.equal(await countOffers(caseRef), 2)
})

test('D3 §1.1 rule 3: a form with a missing, old, future or malformed version is refused', async () => {
  const { caseRef } = await registerForReview()
  const page = `/desk/cases/${caseRef}`
  const aboveLimit = { ...terms, amount: '300000', reason: 'A good shop.' }
  const versionIn = (address: string) => /version=(\d+)/.exec(address)![1]!
  const oldVersion = versionIn(await formAddress(meera, page, 'offer'))
  assert.equal((await meera.send(await formAddress(meera, page, 'offer'), aboveLimit)).status, 303)
  const nora = await deskPerson(partner, 'Nora', 'admin')
  const approve = await formAddress(nora, page, 'approve')
  const currentVersion = versionIn(approve)
  const address = approve.slice(0, approve.indexOf('?'))
  const forms: [typeof meera, string, Record<string, string>][] = [
    [nora, address, {}],
    [ravi, `${page}/offer`, { ...terms, amount: '80000' }],
    [ravi, `${page}/reject`, { reasonCode: 'OTHER', reasonMessage: 'No.' }],
    [ravi, `${page}/stop`, { reason: 'OTHER', by: 'LENDER' }],
  ]
  const wrongQueries = [
    '?',
    `?version=${oldVersion}`,
    `?version=${Number(currentVersion) + 1}`,
    `?version=0${currentVersion}`,
    `?version=${currentVersion}&version=${currentVersion}`,
  ]
  for (const [person, form, fields] of forms)
    for (const query of wrongQueries) {
      const { status } = await person.send(`${form}${query}`, fields)
      assert.ok(status === 409 || status === 400, `${form}${query} was answered ${status}`)
    }
  assert.equal(await countOffers(caseRef), 0)
  assert.equal(
    versionIn(await formAddress(nora, page, 'approve')),
    currentVersion,
    'the refused forms do not change the version',
  )
})

test('the approver’s limit is checked against the current amount, also when a later offer raised the amount', async () => {
  const { caseRef } = await registerForReview()
  const page = `/desk/cases/${caseRef}`
  const account = {
    holder: 'ASHA RAO',
    number: '50200099991234',
    ifsc: 'ICIC0000007',
    reason: 'The old one is closed.',
  }
  const clerk = await deskPerson(partner, 'Kiran', 'accounts')
  const head = await deskPerson(partner, 'Hema', 'operations')
  assert.equal((await clerk.send(`${page}/account`, account)).status, 303)
  const request = await pendingRequestPath(partner, caseRef, 'ACCOUNT')
  const [before] = await db<{ amountPaise: bigint }>`
    select amount_paise from approval_request where case_ref = ${caseRef}`
  await db`update approval_limit set approve_paise = ${before!.amountPaise} where role = 'operations' and act = 'ACCOUNT'`
  assert.equal((await meera.send(`${page}/offer`, { ...terms, amount: '190000' })).status, 303)
  const approval = await head.send(`${request}/approve`)
  assert.equal(approval.status, 403)
  assert.match(approval.text, /more than your roles may approve/)
  assert.equal((await db`select 1 from account_change where case_ref = ${caseRef}`).length, 0)
})
