// Loan documents with the data of the lender's newest status, and the sealed links to them.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pagesOf } from '@lendloom/documents/pdf-pages'
import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { newSealKey, sealWith } from '@lendloom/seal/seal'
import { spoil } from '@lendloom/tests/setup/spoil'
import { exampleStatus } from '@lendloom/wire/exchange/example/answer'
import { loanPapers } from '@lendloom/wire/hosted/embed-servicing'
import { paperOf } from './loan-paper.ts'
import { openPaperLink, paperUrl } from './paper-link.ts'

const status = exampleStatus()

test('D3 §4.4: the statement and the schedule of a status snapshot have one page each', async () => {
  for (const name of loanPapers) {
    const pdf = await paperOf({ name }, { lender: 'Kaveri Bank', borrower: 'Asha Kulkarni', status, language: 'en' })
    assert.equal(await pagesOf(pdf), 1, name)
    if (process.env.PICTURES) writeFileSync(join(process.env.PICTURES, `${name}.pdf`), pdf)
    await assert.rejects(
      async () =>
        paperOf(
          { name },
          {
            lender: 'L',
            borrower: 'B',
            status: { ...status, soa: null, amortization_schedule: null },
            language: 'en',
          },
        ),
      /has no (statement|schedule)/,
    )
  }
})

test('D3 §2.5: a receipt exists only for a payment that the lender has received', async () => {
  const content = { lender: 'Kaveri Bank', borrower: 'Asha Kulkarni', language: 'en' as const }
  const [payment] = status.payments
  const receiptOf = (state: 'POSTED' | 'REVERSED', paymentId: string) =>
    paperOf(
      { name: 'receipt', paymentId },
      { ...content, status: { ...status, payments: [{ ...payment!, status: state }] } },
    )
  const pdf = await receiptOf('POSTED', payment!.payment_id)
  assert.equal(await pagesOf(pdf), 1)
  if (process.env.PICTURES) writeFileSync(join(process.env.PICTURES, 'receipt.pdf'), pdf)
  await assert.rejects(receiptOf('REVERSED', payment!.payment_id), Refusal)
  await assert.rejects(receiptOf('POSTED', 'p-of-another-loan'), Refusal)
  const reversal = {
    ...payment!,
    payment_id: 'R',
    status: 'REVERSED' as const,
    reversal_of_payment_id: payment!.payment_id,
  }
  const reversed = { ...status, payments: [{ ...payment!, status: 'POSTED' as const }, reversal] }
  await assert.rejects(
    paperOf({ name: 'receipt', paymentId: payment!.payment_id }, { ...content, status: reversed }),
    Refusal,
  )
})

test('a document link is rejected after a day, when it is altered, or when it is sealed with another key', () => {
  const at = new Date('2026-11-22T06:00:00.000Z')
  const seal = sealWith(newSealKey('k1'))
  const paperKey = { tenantId: 't', caseRef: 'c', name: 'statement' as const }
  const config = { PUBLIC_URL: 'https://lend.example' } as Parameters<typeof paperUrl>[0]['config']
  const url = new URL(paperUrl({ seal, config }, paperKey, at))
  assert.match(url.pathname, /^\/papers\//)
  const token = url.pathname.slice('/papers/'.length)
  assert.deepEqual(openPaperLink({ seal }, token, secondsAfter(at, 86_400)), paperKey)
  const receipt = { ...paperKey, name: 'receipt' as const, paymentId: 'P-1' }
  const receiptLink = new URL(paperUrl({ seal, config }, receipt, at)).pathname
  assert.deepEqual(openPaperLink({ seal }, receiptLink.slice('/papers/'.length), at), receipt)
  const assertRefused = (ctx: Parameters<typeof openPaperLink>[0], text: string, when: Date) =>
    assert.throws(() => openPaperLink(ctx, text, when), Refusal)
  assertRefused({ seal }, token, secondsAfter(at, 90_000))
  assertRefused({ seal }, spoil(token), at)
  assertRefused({ seal: sealWith(newSealKey('k2')) }, token, at)
})
