// Long tables of the desk over real HTTP: paging in both directions, and CSV files with all rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCsv } from '@lendloom/documents/csv-read'
import { readHtml } from '@lendloom/http/html'
import { sql } from '@lendloom/postgres/sql'
import { deskPerson } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { rowsIn } from './table-csv.ts'

const partner = await startTestPartner({ PARTNER_AUTOPILOT: 'off' })
const { db } = partner
const meera = await deskPerson(partner, 'Meera', 'accounts')
const loanCase = new TestCase(partner)
await loanCase.register()
const { caseRef } = loanCase

/** Inserts pending claims, three at each instant, so that only their ids order them. */
const insertClaims = (from: number, to: number, at: string) => db`
  insert into payment (case_ref, payment_id, status, method, amount_paise, installment_ids, claim_reference, claimed_reference,
    claimed_on, created_at, updated_at)
  select ${caseRef}, gen_random_uuid(), 'PENDING_VERIFICATION', 'UPI', 100, '{}', 'C-' || i, 'UTR' || i, '2026-11-20',
    ${at}::timestamptz + (i / 3) * interval '1 microsecond', now() from generate_series(${from}::integer, ${to}::integer) i`
// More than the 1000 rows that a CSV reads at a time.
await insertClaims(1, 1234, '2026-11-20T06:00:00Z')
const readReferencesInOrder = async () =>
  (
    await db<{ reference: string }>`select claimed_reference as reference from payment
      where ${sql`status = 'PENDING_VERIFICATION'`} order by created_at, payment_id`
  ).map(({ reference }) => reference)

const slug = 'payment-claims-to-verify'
async function readClaims(search: string) {
  const answer = await meera.get(`/desk/money${search}`)
  assert.equal(answer.status, 200)
  const page = readHtml(await answer.text())
  const hrefOf = (rel: string) =>
    page.all('a').find(({ attributes }) => attributes.rel === rel && attributes.href?.endsWith(`#${slug}`))?.attributes
      .href
  const [head = [], ...rows] = rowsIn(page, slug) ?? []
  const referenceColumn = head.indexOf('Reference')
  return {
    references: rows.map((row) => row[referenceColumn]!),
    next: hrefOf('next')?.split('#')[0],
    previous: hrefOf('prev')?.split('#')[0],
  }
}

test('paging through a long table and back shows each row once', async () => {
  const all = await readReferencesInOrder()
  const pages: string[][] = []
  let page = await readClaims('')
  assert.equal(page.previous, undefined)
  for (;;) {
    pages.push(page.references)
    if (!page.next) break
    page = await readClaims(page.next)
  }
  assert.deepEqual(pages.flat(), all)
  assert.equal(pages.length, Math.ceil(all.length / 50))
  const pagesBack: string[][] = [page.references]
  while (page.previous) {
    page = await readClaims(page.previous)
    pagesBack.unshift(page.references)
  }
  assert.deepEqual(pagesBack.flat(), all)
})

test('adding and removing rows on earlier pages leaves a page unchanged', async () => {
  const first = await readClaims('')
  const second = await readClaims(first.next!)
  await insertClaims(2000, 2010, '2026-11-19T06:00:00Z')
  await db`update payment set status = 'FAILED', reason_code = 'NOT_FOUND' where claimed_reference = ${first.references[3]!}`
  assert.deepEqual((await readClaims(first.next!)).references, second.references)
})

test('the CSV of a table has all rows, also when downloaded from a later page', async () => {
  const all = await readReferencesInOrder()
  assert.ok(all.length > 1000, 'more rows than one read returns')
  const { next } = await readClaims('')
  const page = readHtml(await (await meera.get(`/desk/money${next}`)).text())
  const link = page.all('a').find(({ attributes }) => attributes.href?.endsWith(`csv=${slug}`))!.attributes.href!
  const file = await meera.get(`/desk/money${link}`)
  assert.equal(file.headers.get('content-type'), 'text/csv; charset=utf-8')
  const rows = readCsv(await file.text(), ',')
  assert.ok(Array.isArray(rows))
  const referenceColumn = rows[0]!.indexOf('Reference')
  assert.deepEqual(
    rows.slice(1).map((row) => row[referenceColumn]),
    all,
  )
})

test('an invalid cursor is refused with 400 and the name of its query field', async () => {
  const cursorFor = (key: unknown) => `n.${Buffer.from(JSON.stringify(key)).toString('base64url')}`
  const field = `at-${slug}`
  for (const cursor of [
    'n.xx',
    cursorFor('text'),
    cursorFor([]),
    cursorFor(['2026-11-20T06:00:00.000000Z']),
    cursorFor(['2026-02-31T06:00:00.000000Z', '3c59dc04-8e88-4502-8d2a-0e9a4f5b7c11']),
    cursorFor(['2026-11-20T06:00:00.000000Z', 'not a UUID']),
  ]) {
    const { status, text } = await meera.view(`/desk/money?${field}=${cursor}`)
    assert.equal(status, 400, cursor)
    assert.equal(text.toLowerCase().includes(field), true, cursor)
  }
})
