// The laws of money on an account: after every one of thirty thousand random acts, against an account kept another way.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '#kit/http/refusal.ts'
import { startOf } from '#kit/money/calendar.ts'
import { balancesFrom } from '#partner/ledger/entry.ts'
import { balancesOf } from '#partner/ledger/post.ts'
import { proposedTerms, testAccounts } from '#test/setup/account.ts'
import {
  type Act,
  accountInMemory,
  act,
  actsOf,
  chargesOnRows,
  check,
  dayOf,
  givenUp,
  nothingPlayed,
  type Played,
  partOf,
  penalty,
  play,
  script,
  shadowFor,
  type UnderWay,
  valueDayOf,
} from '#test/setup/money-law.ts'
import { owedBy } from './account.ts'
import { refundFailed, refundPaid, setApart } from './refund.ts'
import { amountOf, paidOf, rowStatus, unpaidOf } from './row.ts'
import { finalTerms } from './terms.ts'
import { waiveDue } from './waiver.ts'
import { writeOff } from './write-off-loan.ts'

test('D3 §2.5: after every one of 30,000 random acts every amount is what an account kept another way says', () => {
  const played: Played = { ...nothingPlayed }
  const kinds = Object.keys(played) as (keyof Played)[]
  fc.assert(
    fc.property(script, (drawn) => {
      const some = play(drawn)
      for (const kind of kinds) played[kind] += some[kind]
    }),
    // `npm run bench -- ledger --operations 1000000` plays more of them.
    { numRuns: 800 },
  )
  assert.ok(actsOf(played) >= 30_000, `${actsOf(played)} acts`)
  const { 'becoming non-performing': _, 'performing again': cured, ...often } = played
  for (const [kind, count] of Object.entries(often)) assert.ok(count >= 80, `${kind} ${count} times`)
  assert.ok(cured > 15, `${cured} times performing again`)
})

test('D3 §2.5: a row paid ahead never counts more principal as paid than is left, when part payments are taken back', () => {
  const receive = (paise: bigint, more: Partial<Extract<Act, { kind: 'receive' }>> = {}): Act => ({
    ...{ kind: 'receive', paise, late: 0, isPartPayment: false, keepsTerm: false },
    ...more,
  })
  // Found among a million random acts, and reduced to what it needs.
  play({
    acts: [
      ...[receive(479000n), receive(479000n), receive(1n, { isPartPayment: true }), { kind: 'days', days: 1 } as const],
      ...[receive(479000n), { kind: 'take back', which: 0 } as const, receive(3853044n, { late: 2, keepsTerm: true })],
      ...[receive(479000n), receive(479000n), receive(3572656n), receive(266401n)],
      ...[{ kind: 'take back', which: 1314333880 } as const, receive(1n), { kind: 'days', days: 5 } as const],
      ...[receive(479000n), { kind: 'days', days: 7 } as const, { kind: 'take back', which: 0 } as const],
    ],
    charges: [],
    policy: { bps: 0, graceDays: 0, everyDays: 1, most: 0 },
    round: 'RUPEE',
  })
})

test('D3 §2.5: the same acts on the database lead to the same rows, balances and statement, each in one transaction', async () => {
  const accounts = await testAccounts()
  const steps = fc.array(act, { minLength: 20, maxLength: 40, size: 'max' })
  await fc.assert(
    fc.asyncProperty(steps, chargesOnRows, penalty, async (script, charges, policy) => {
      // A cooling-off period as long as the loan: exits are played on any day.
      const terms = finalTerms({ ...proposedTerms, penalty: policy, coolOffDays: 1000 })
      const caseRef = await accounts.open({ penalty: policy, coolOffDays: 1000 })
      await accounts.chargeRows(caseRef, charges)
      const account = accountInMemory(terms, charges)
      const shadow = shadowFor(terms, charges)
      const live: string[] = []
      let underWay: UnderWay | undefined
      let day = 1
      for (const [i, step] of script.entries()) {
        // A millisecond for each step: entries are read in the order of their instants.
        accounts.setClock(new Date(startOf(dayOf(day)).getTime() + i))
        if (step.kind === 'receive') {
          const { late } = account.receive(step, `r${i}`, valueDayOf(day, step), dayOf(day))
          const payment = { ...step, today: day, late: step.late > 0 ? late : undefined }
          shadow.receive(step.paise, `r${i}`, Math.max(day - step.late, 0), payment)
          live.push(`r${i}`)
          await accounts.keep(caseRef, step.keepsTerm ? 'TERM' : 'INSTALLMENT')
          await accounts.receive(caseRef, step.paise, valueDayOf(day, step), `r${i}`, step.isPartPayment)
        } else if (step.kind === 'take back') {
          const [name] = live.splice(step.which % Math.max(live.length, 1), 1)
          if (name === undefined) continue
          account.takeBack(name, dayOf(day))
          shadow.takeBack(name, day)
          await accounts.reverse(caseRef, name, dayOf(day), name)
        } else if (step.kind === 'waive') {
          const given = givenUp(shadow.sums().waivable, step)
          if (!given) continue
          account.waive(given, dayOf(day))
          shadow.waive(given, day)
          const waiver = { ...given, caseRef, waiverId: `w${i}`, on: dayOf(day) }
          await accounts.act(caseRef, (tx, now) => waiveDue(tx, waiver, now))
        } else if (step.kind === 'write off') {
          const writing = () => accounts.act(caseRef, (tx, now) => writeOff(tx, caseRef, dayOf(day), now))
          if (account.isLost() || account.status !== 'OVERDUE') {
            await assert.rejects(writing(), Refusal)
            continue
          }
          account.writeOff(dayOf(day))
          shadow.writeOff(account.accruedNow())
          await writing()
        } else if (step.kind === 'ask to leave') {
          const asking = () => accounts.askToLeave(caseRef, dayOf(day))
          if (!account.askToLeave(dayOf(day + 3), dayOf(day))) {
            await assert.rejects(asking(), Refusal)
            continue
          }
          shadow.askToLeave(day + 3, day)
          await asking()
        } else if (step.kind === 'refund') {
          const { spare } = shadow.sums()
          if (underWay || spare <= 0n) continue
          const { name, paise } = { name: `r${i}`, paise: partOf(spare, step.part) }
          underWay = { name, paise }
          account.refund(name, paise, dayOf(day))
          shadow.refund(paise)
          const refund = { caseRef, refundId: name, on: dayOf(day) }
          await assert.rejects(
            accounts.act(caseRef, (tx, now) => setApart(tx, refund, spare + 1n, now)),
            Refusal,
          )
          await accounts.act(caseRef, (tx, now) => setApart(tx, refund, paise, now))
        } else if (step.kind === 'refund ends') {
          if (!underWay) continue
          const { name, paise } = underWay
          account.refundEnds(name, paise, { fails: step.fails, on: dayOf(day) })
          shadow.refundEnds(paise, step.fails, day)
          const refund = { caseRef, refundId: name, on: dayOf(day) }
          await accounts.act<unknown>(caseRef, (tx, now) =>
            step.fails ? refundFailed(tx, refund, now) : refundPaid(tx, refund, paise, now),
          )
          underWay = undefined
        } else if (step.kind === 'classify') {
          // Classes on the database follow the days as they are.
          continue
        } else {
          account.endDays(dayOf(day + step.days - 1))
          for (let each = 0; each < step.days; each++) {
            shadow.endDay(day)
            shadow.classify(day, 0)
            account.classify(dayOf(day), 0)
            day++
          }
          await accounts.endDay(dayOf(day - 1))
        }
        const [view, balances] = await Promise.all([accounts.view(caseRef), balancesOf(accounts.db, caseRef)])
        check(account, shadow.sums(), terms)
        assert.equal(view.loanStatus, account.status)
        assert.deepEqual(balances, balancesFrom(account.postings))
        const { currency, updatedAt, disbursedPaise, ...owed } = view.soa
        assert.deepEqual(owed, owedBy(account.rows, account.balances()))
        assert.deepEqual(
          view.schedule.installments.map((row) => [
            row.number,
            row.dueOn,
            row.amountPaise,
            row.paidPaise,
            row.unpaidPaise,
            row.status,
          ]),
          account.rows.map((row) => [row.number, row.dueOn, amountOf(row), paidOf(row), unpaidOf(row), rowStatus(row)]),
        )
      }
    }),
    { numRuns: 12 },
  )
})
