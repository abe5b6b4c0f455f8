// Waivers and write-offs in the database: the borrower's dues, the books, and later recoveries.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { plusDays, startOf } from '@lendloom/lending/calendar'
import { inr } from '@lendloom/lending/money'
import { disbursedOn, testAccounts } from '@lendloom/tests/setup/account'
import { balancesOf } from '#partner/books/ledger/post-entries.ts'
import { type Waivable, waiveDues } from './waiver.ts'
import { claimOnBorrower, writeOff } from './write-off.ts'

const accounts = await testAccounts()
const none: Waivable = { penalty: 0n, charges: 0n, interest: 0n }
let waiverCount = 0
const waive = (caseRef: string, amounts: Partial<Waivable>, on: string) =>
  accounts.act(caseRef, (tx, at) =>
    waiveDues(tx, { ...none, ...amounts, caseRef, waiverId: String(++waiverCount), on }, at),
  )
const writeOffCase = (caseRef: string, on: string) => accounts.act(caseRef, (tx, at) => writeOff(tx, caseRef, on, at))
const writeOffBalancesOf = async (caseRef: string) => {
  const { WRITE_OFF_LOSS, WRITTEN_OFF, RECOVERY_INCOME } = await balancesOf(accounts.db, caseRef)
  return { loss: WRITE_OFF_LOSS, contra: WRITTEN_OFF, recovered: -RECOVERY_INCOME }
}

test('D3 §2.5: a waiver reduces the oldest dues first, and is rejected if it is zero or exceeds the dues', async () => {
  const caseRef = await accounts.open()
  const on = plusDays(disbursedOn, 16)
  await accounts.endDay(on)
  const { soa, waivable, schedule } = await accounts.view(caseRef)
  assert.ok(soa.penaltyPaise > 0n && soa.interestPaise > 0n)
  assert.equal(waivable.penalty, soa.penaltyPaise)
  assert.equal(waivable.interest, soa.interestPaise)
  await assert.rejects(waive(caseRef, {}, on), Refusal)
  await assert.rejects(waive(caseRef, { penalty: soa.penaltyPaise + 1n }, on), /of penal charges is due, not/)
  await waive(caseRef, { penalty: soa.penaltyPaise }, on)
  const first = schedule.installments[0]!
  await waive(caseRef, { interest: first.interestPaise + 1n }, on)
  const after = await accounts.view(caseRef)
  assert.equal(after.soa.penaltyPaise, 0n)
  assert.equal(after.soa.interestPaise, soa.interestPaise - first.interestPaise - 1n)
  assert.deepEqual(
    after.schedule.installments.slice(0, 2).map(({ interestPaise }) => interestPaise),
    [0n, schedule.installments[1]!.interestPaise - 1n],
  )
  assert.equal(after.schedule.scheduleVersion, schedule.scheduleVersion + 1, 'the schedule changed')
  assert.equal((await balancesOf(accounts.db, caseRef)).WAIVED, soa.penaltyPaise + first.interestPaise + 1n)
  assert.equal(after.soa.principalPaise, soa.principalPaise)
})

test('D3 §2.5: the second of two concurrent waivers is checked against the dues that the first left', async () => {
  const loans = await Promise.all(Array.from({ length: 4 }, () => accounts.open()))
  const on = plusDays(disbursedOn, 16)
  await accounts.endDay(on)
  for (const caseRef of loans) {
    const { waivable, soa } = await accounts.view(caseRef)
    const { penalty, interest } = waivable
    const half = (penalty + interest / 2n) / 2n
    // Each waiver alone is within the dues; both together exceed the dues.
    const amounts = [
      { penalty, interest: half },
      { penalty: penalty / 2n, interest: half },
    ]
    const results = await Promise.allSettled(amounts.map((each) => waive(caseRef, each, on)))
    const [refused, ...others] = results.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
    const first = amounts.find((_, i) => results[i]?.status === 'fulfilled')
    assert.ok(first && refused && others.length === 0, 'exactly one waiver succeeds')
    assert.match(refused, new RegExp(`${inr(penalty - first.penalty)} of penal charges is due, not`))
    const waivedPaise = first.penalty + first.interest
    const after = await accounts.view(caseRef)
    assert.equal(after.soa.totalPaise, soa.totalPaise - waivedPaise)
    assert.equal((await balancesOf(accounts.db, caseRef)).WAIVED, waivedPaise)
  }
})

test('D3 §2.5: a concurrent waiver and receipt settle each amount once, in either order', async () => {
  const loans = await Promise.all(Array.from({ length: 6 }, () => accounts.open()))
  const on = plusDays(disbursedOn, 16)
  await accounts.endDay(on)
  for (const [i, caseRef] of loans.entries()) {
    const { waivable, soa } = await accounts.view(caseRef)
    const { penalty, interest } = waivable
    const paise = penalty + interest
    const acts = [
      () => waive(caseRef, { penalty, interest }, on),
      () => accounts.receive(caseRef, paise, on, 'at once'),
    ]
    const results = await Promise.allSettled((i % 2 ? acts : acts.toReversed()).map((act) => act()))
    const refused = results.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
    const { WAIVED } = await balancesOf(accounts.db, caseRef)
    assert.equal(WAIVED, refused.length === 0 ? paise : 0n)
    for (const why of refused) assert.match(why, /₹0 of penal charges is due, not/)
    const after = await accounts.view(caseRef)
    assert.equal(after.soa.totalPaise, soa.totalPaise - paise - WAIVED)
    assert.ok(after.waivable.penalty === 0n && after.waivable.interest >= 0n)
  }
})

test('an overdue loan can be written off once, and the borrower still owes the claim', async () => {
  const caseRef = await accounts.open()
  await assert.rejects(writeOffCase(caseRef, disbursedOn), /nothing of this loan is overdue/)
  const on = plusDays(disbursedOn, 10)
  await accounts.endDay(on)
  const before = await accounts.view(caseRef)
  const approved = await accounts.act(caseRef, (tx, at) => claimOnBorrower(tx, caseRef, on, at))
  const claim = await writeOffCase(caseRef, on)
  assert.equal(claim, approved, 'the amount that the limits judge')
  assert.ok(claim > before.soa.totalPaise, 'the claim includes accrued interest that is not due')
  await assert.rejects(writeOffCase(caseRef, on), /written off on/)
  const after = await accounts.view(caseRef)
  assert.equal(after.loanStatus, 'OVERDUE')
  assert.equal(after.soa.totalPaise, before.soa.totalPaise)
  assert.equal(after.writtenOffOn, on)
  assert.deepEqual(await writeOffBalancesOf(caseRef), { loss: claim, contra: -claim, recovered: 0n })
})

test('a written-off loan earns no income, and its receipts are recoveries until they are reversed', async () => {
  const caseRef = await accounts.open()
  const on = plusDays(disbursedOn, 10)
  await accounts.endDay(on)
  await accounts.receive(caseRef, 1_000_00n, on, 'before')
  await writeOffCase(caseRef, on)
  const { loss } = await writeOffBalancesOf(caseRef)
  const incomeAndLoss = async () => {
    const { INTEREST_INCOME, PENALTY_INCOME, WRITE_OFF_LOSS } = await balancesOf(accounts.db, caseRef)
    return INTEREST_INCOME + PENALTY_INCOME + WRITE_OFF_LOSS
  }
  const books = await incomeAndLoss()
  await accounts.endDay(plusDays(on, 30))
  assert.equal(await incomeAndLoss(), books, 'new earnings are a loss at once')
  assert.ok((await writeOffBalancesOf(caseRef)).loss > loss)
  await accounts.receive(caseRef, 5_000_00n, plusDays(on, 30), 'late')
  await accounts.receive(caseRef, 2_000_00n, plusDays(on, 30), 'later')
  assert.equal((await accounts.view(caseRef)).recoveredPaise, 7_000_00n)
  await accounts.reverse(caseRef, 'late', plusDays(on, 31))
  assert.equal((await accounts.view(caseRef)).recoveredPaise, 2_000_00n)
  await accounts.reverse(caseRef, 'before', plusDays(on, 31))
  assert.equal(
    (await accounts.view(caseRef)).recoveredPaise,
    2_000_00n,
    'a receipt before the write-off is not a recovery',
  )
  const claim = await accounts.act(caseRef, (tx, at) => claimOnBorrower(tx, caseRef, disbursedOn, at))
  const { loss: totalLoss, contra, recovered } = await writeOffBalancesOf(caseRef)
  assert.equal(contra, -claim)
  assert.equal(totalLoss - recovered, claim)
})

test('a full repayment closes a written-off loan, with no claim left in the books', async () => {
  const caseRef = await accounts.open()
  const on = plusDays(disbursedOn, 10)
  await accounts.endDay(on)
  await writeOffCase(caseRef, on)
  await accounts.receive(caseRef, 200_000_00n, on, 'all')
  await accounts.endDay(plusDays(on, 7))
  const { loanStatus, unappliedPaise } = await accounts.view(caseRef)
  const { loss, contra, recovered } = await writeOffBalancesOf(caseRef)
  assert.equal(loanStatus, 'CLOSED')
  assert.equal(contra, 0n)
  assert.equal(loss, recovered)
  assert.equal(recovered, 200_000_00n - unappliedPaise)
})

test('D3 §2.5: reversing a penal charge that was in suspense at the write-off changes neither income nor loss', async () => {
  const caseRef = await accounts.open()
  const on = plusDays(disbursedOn, 100)
  accounts.setClock(startOf(on))
  await accounts.endDay(on)
  const { npaOn, soa } = await accounts.view(caseRef)
  assert.ok(npaOn !== null && soa.penaltyPaise > 0n)
  await writeOffCase(caseRef, on)
  const incomeOf = async () => {
    const { PENALTY_INCOME, INTEREST_INCOME, WRITE_OFF_LOSS } = await balancesOf(accounts.db, caseRef)
    return { PENALTY_INCOME, INTEREST_INCOME, WRITE_OFF_LOSS }
  }
  const before = await incomeOf()
  assert.equal(before.PENALTY_INCOME, 0n, 'all income was in suspense')
  assert.equal(before.INTEREST_INCOME, 0n, 'all income was in suspense')
  await accounts.receive(caseRef, 4790_00n, plusDays(disbursedOn, 7), 'late')
  const after = await accounts.view(caseRef)
  assert.ok(after.soa.penaltyPaise < soa.penaltyPaise, 'the charges on the first row are reversed')
  assert.deepEqual(await incomeOf(), before)
  const { contra, recovered } = await writeOffBalancesOf(caseRef)
  assert.equal(recovered, 4790_00n)
  assert.equal(-contra, await accounts.act(caseRef, (tx, at) => claimOnBorrower(tx, caseRef, disbursedOn, at)))
})
