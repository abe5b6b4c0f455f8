// A bank statement with differences is closed by two people, over real HTTP.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAfter } from '@lendloom/foundation/clock'
import { uuidv4 } from '@lendloom/seal/id'
import { deskPerson } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'

let now = new Date('2026-12-08T06:00:00.000Z')
const partner = await startTestPartner({}, () => now)
const { db } = partner
const meera = await deskPerson(partner, 'Meera', 'accounts')
const asha = await deskPerson(partner, 'Asha', 'accounts')
const ravi = await deskPerson(partner, 'Ravi', 'viewer')

async function upload(fileName: string, lines: string): Promise<string> {
  const body = new FormData()
  body.set('file', new File([`date,reference,amount\n${lines}`], fileName))
  return (await meera.upload('/desk/books/bank', body)).location
}

async function propose(person: typeof meera, statement: string, reason: string) {
  const [, shown = ''] = /name="shown" value="(\w+)"/.exec((await person.view(statement)).html) ?? []
  return person.send(`${statement}/close`, { shown, reason })
}

async function closingOf(statement: string): Promise<string> {
  const [row] = await db<{ id: string }>`
    select closing_id as id from bank_statement_closing where state = 'WAITING'`
  return `${statement}/closings/${row!.id}`
}

const isClosed = async (statement: string): Promise<boolean> =>
  (await db`select from bank_statement where statement_id = ${statement.split('/').at(-1)!} and closed_at is not null`)
    .length > 0

const insertPayment = (reference: string) => {
  const row = {
    caseRef: `CASE-${reference}`,
    paymentId: uuidv4(),
    status: 'POSTED',
    method: 'ENACH',
    amountPaise: 300_00n,
    collectionId: uuidv4(),
    installmentIds: [],
    bankReference: reference,
    valueOn: '2026-11-27',
    createdAt: now,
    updatedAt: now,
  }
  return db`insert into payment ${db(row)}`
}

test('D3 §2.5: one person proposes to close a statement with differences, and another one confirms', async () => {
  const statement = await upload('one.csv', '2026-11-27,BANK1,300\n')
  assert.equal((await propose(ravi, statement, 'Mine.')).status, 403)
  assert.equal((await propose(meera, statement, ' ')).status, 400, 'differences need a reason')
  const { status, location } = await propose(meera, statement, 'A charge.')
  assert.equal(status, 303)
  assert.equal(await isClosed(statement), false, 'one person closes nothing')
  assert.match((await meera.view(location)).text, /Proposed to close a bank statement with differences\./)
  assert.match((await meera.view(statement)).text, /Waiting for a second person[\s\S]*another person must decide/)
  const again = await meera.send(`${statement}/close`, { shown: '', reason: 'Again.' })
  assert.equal(again.status, 409)
  const own = await meera.send(`${await closingOf(statement)}/confirm`)
  assert.equal(own.status, 403)
  assert.match(own.text, /You cannot decide your own proposal/)
  assert.equal((await ravi.send(`${await closingOf(statement)}/confirm`)).status, 403)
  assert.equal(await isClosed(statement), false)
  const approvals = await asha.view('/desk/approvals')
  assert.match(
    approvals.text,
    /Close the statement one\.csv\s*Proposed by Meera[\s\S]*Differences\s*1\s*Reason\s*A charge\./,
  )
  assert.match(approvals.html, new RegExp(`href="${statement}">See the differences and decide`))
  assert.match((await asha.view('/desk')).text, /1 Pending approvals/)
  assert.match((await asha.view(statement)).text, /Waiting for your decision[\s\S]*Close with 1 difference/)
  const confirm = `${await closingOf(statement)}/confirm`
  const both = await Promise.all([asha.send(confirm), asha.send(confirm)])
  assert.deepEqual(both.map((each) => each.status).sort(), [303, 409], 'decided once')
  assert.equal(await isClosed(statement), true)
  const closed = await ravi.view(statement)
  assert.match(closed.text, /Proposed by Meera, confirmed by Asha\.\s*Reason for the differences: A charge\./)
  assert.doesNotMatch((await asha.view('/desk/approvals')).text, /one\.csv/)
  const acts = await db<{ act: string }>`
    select act from audit_entry where act like 'STATEMENT_CLOS%' order by sequence`
  assert.deepEqual(
    acts.map(({ act }) => act),
    ['STATEMENT_CLOSING_PROPOSED', 'STATEMENT_CLOSED'],
  )
})

test('D3 §2.5: a closing is refused if the differences are no longer the proposed ones', async () => {
  const statement = await upload('two.csv', '2026-11-27,BANK2,300\n')
  assert.equal((await propose(meera, statement, 'A charge.')).status, 303)
  await insertPayment('BOOK2')
  const changed = await asha.view(statement)
  assert.match(changed.text, /The differences have changed since the proposal/)
  assert.doesNotMatch(changed.html, /\/confirm"/)
  const refused = await asha.send(`${await closingOf(statement)}/confirm`)
  assert.equal(refused.status, 409)
  assert.match(refused.text, /differences changed/)
  assert.equal(await isClosed(statement), false)
  assert.match((await meera.view(statement)).text, /Earlier proposals[\s\S]*A charge\.\s*Refused\s*Asha/)
  assert.equal((await meera.send(`${statement}/pair`, { bank: 'BANK2', books: 'BOOK2', reason: 'Cut.' })).status, 303)
  assert.equal((await meera.send(`${statement}/close`)).status, 303, 'without differences one person closes')
  assert.equal(await isClosed(statement), true)
})

test('D3 §2.5: a proposed closing can be refused, withdrawn, and expires', async () => {
  const statement = await upload('three.csv', '2026-11-26,BANK3,300\n')
  assert.equal((await propose(meera, statement, 'First.')).status, 303)
  assert.equal((await asha.send(`${await closingOf(statement)}/refuse`, { reason: '' })).status, 400)
  assert.equal((await asha.send(`${await closingOf(statement)}/withdraw`)).status, 403)
  assert.equal((await asha.send(`${await closingOf(statement)}/refuse`, { reason: 'Find it.' })).status, 303)
  assert.match((await meera.view(statement)).text, /First\.\s*Refused\s*Asha[\s\S]*Find it\./)
  assert.equal((await propose(meera, statement, 'Second.')).status, 303)
  assert.equal((await meera.send(`${await closingOf(statement)}/withdraw`)).status, 303)
  assert.equal((await propose(meera, statement, 'Third.')).status, 303)
  const expired = await closingOf(statement)
  now = daysAfter(now, 8)
  assert.equal((await asha.send(`${expired}/confirm`)).status, 409, 'it has expired')
  assert.equal(await isClosed(statement), false)
  assert.equal((await propose(asha, statement, 'Fourth.')).status, 303, 'a new proposal takes its place')
  assert.equal((await meera.send(`${await closingOf(statement)}/confirm`)).status, 303)
  assert.equal(await isClosed(statement), true)
})

test('D3 §2.5: a proposal is decided only under its own statement', async () => {
  const statement = await upload('four.csv', '2026-11-25,BANK4,300\n')
  const other = await upload('five.csv', '2026-11-24,BANK5,300\n')
  assert.equal((await propose(meera, statement, 'A charge.')).status, 303)
  const closing = await closingOf(statement)
  assert.equal((await asha.send(`${closing.replace(statement, other)}/confirm`)).status, 404)
  assert.equal(await isClosed(other), false)
  assert.equal(await isClosed(statement), false)
})
