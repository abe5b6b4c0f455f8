import { readFileSync } from 'node:fs'
import { connect } from '#kit/db/sql.ts'
import { plusDays, startOf } from '#kit/money/calendar.ts'
import { trialBalance, isBalanced } from '#partner/ledger/books.ts'
import { balancesOf } from '#partner/ledger/post.ts'
import { accountOf } from '#partner/loan/account.ts'
import { takeBackDoubleFeeReturns } from '#partner/loan/double-fee-return.ts'
import { doubleFeeReturns } from '#partner/ledger/store.ts'
import { accountsOn } from '#test/setup/account.ts'
const [url, start, liveJson] = process.argv.slice(2)
const { months, before } = JSON.parse(readFileSync(0, 'utf8'))
const db = connect(url!, { connections: 8 })
const { act, endDay, reverse, setClock, receive } = accountsOn(db)
const cases = (await db<{ caseRef: string; status: string; writtenOffOn: string | null }>`select case_ref, status, written_off_on from loan order by case_ref`)
const books = async () => { const all = []; for (const m of months) { const [from, to] = m.split(' '); const t = await trialBalance(db, { from, to }); if (!isBalanced(t)) console.log('UNBALANCED', m); all.push(t.rows.map((r) => [r.account, String(r.opening), String(r.closing)])) } return all }
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
console.log('books same after migration', same(before, await books()))
let bad = 0
const look = async (when: string) => { for (const c of cases) { try { await accountOf(db, c.caseRef) } catch (e: any) { bad++; console.log(when, e.message) }
  const b = await balancesOf(db, c.caseRef); for (const n of ['INTEREST_INCOME','PENALTY_INCOME','FEE_INCOME','TAX_PAYABLE','CHARGES_INCOME','RECOVERY_INCOME'] as const) if (b[n] > 0n) console.log(when, c.caseRef.slice(0,8), n, 'in debit', b[n], c.writtenOffOn) } }
await look('after migration')
setClock(new Date(startOf(start!).getTime() + 3600_000))
const doubles = await doubleFeeReturns(db)
console.log('doubles', doubles.length, 'statuses', same, JSON.stringify(Object.groupBy(cases, (c) => c.status), (k, v) => Array.isArray(v) ? v.length : v))
for (const c of new Set(doubles.map((d) => d.caseRef))) { const r = await act(c, (tx, at) => takeBackDoubleFeeReturns(tx, c, start!, at)); if (!r) console.log('not taken back', c) }
console.log('doubles left', (await doubleFeeReturns(db)).length)
await look('after taking back')
await endDay(start!)
const closed = await books()
console.log('books of closed months same', same(closed.slice(0, 4), before))
let i = 0
for (const [c, names] of Object.entries(JSON.parse(liveJson!) as Record<string, string[]>)) for (const name of names) { if (++i % 3 === 0) { try { await reverse(c, name, plusDays(start!, 1)) } catch (e: any) { console.log('reverse', name, e.message) } } else if (i % 3 === 1) { try { await receive(c, 500_00n, plusDays(start!, -9), 'n' + name) } catch (e: any) { console.log('receive', name, e.message) } } }
await look('after reversals')
setClock(new Date(startOf(plusDays(start!, 9)).getTime() + 3600_000))
await endDay(plusDays(start!, 8))
await look('after days')
console.log('books of closed months same', same(await books(), before))
console.log('bad', bad)
await db.close()
