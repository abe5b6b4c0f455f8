// Files that borrowers submit in forms are checked by their content.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { bombPdf, ownerPasswordPdf, passwordPdf, sampleJpeg, samplePdf } from '@lendloom/tests/setup/files'
import { type DocumentRule, documentTypes } from '@lendloom/wire/exchange/document'
import { submittedForm } from './submitted-form.ts'

const proofIn = (bytes: Buffer, rule: DocumentRule = documentTypes.PAYMENT_SCREENSHOT) =>
  submittedForm({ fields: {}, files: [{ name: 'proof.pdf', type: 'application/pdf', bytes }] }).file(
    'proof',
    rule,
    'must be a PDF',
  )

test('D3 §4.3: accepts a PDF as proof of a payment, and refuses one that unpacks to a thousand times its size', async () => {
  assert.equal((await proofIn(await samplePdf('Paid')))?.contentType, 'application/pdf')
  await assert.rejects(
    proofIn(bombPdf()),
    (error) => error instanceof Refusal && error.kind === 'invalid' && error.details.fields?.[0]?.path === 'proof',
  )
})

test('D3 §4.3: takes a photo that a phone named .pdf for a photo, where photos are accepted', async () => {
  assert.equal((await proofIn(sampleJpeg()))?.contentType, 'image/jpeg')
  await assert.rejects(proofIn(sampleJpeg(), documentTypes.BANK_STATEMENT), Refusal)
})

test('D3 §4.3: accepts a statement with an owner password, no signed agreement with one, and no file that needs a password', async () => {
  const { BANK_STATEMENT, SIGNED_LOAN_AGREEMENT } = documentTypes
  assert.equal((await proofIn(ownerPasswordPdf(), BANK_STATEMENT))?.contentType, 'application/pdf')
  await assert.rejects(proofIn(ownerPasswordPdf(), SIGNED_LOAN_AGREEMENT), Refusal)
  await assert.rejects(proofIn(passwordPdf(), BANK_STATEMENT), Refusal)
})
