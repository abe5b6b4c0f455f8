// Documents become readable PDFs, however long their words and tables are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PDFDocument } from 'pdf-lib'
import { pdfOf } from './pdf.ts'

const createdAt = new Date('2026-11-20T06:00:00Z')

test('a document has its title, its author, its language and as many pages as it needs', async () => {
  const rows = Array.from({ length: 120 }, (_, i) => [String(i + 1), 'Instalment', '₹17,957.42'])
  const bytes = await pdfOf({
    title: 'Key facts',
    author: 'Meridian Finance',
    createdAt,
    blocks: [
      { kind: 'heading', text: 'Schedule' },
      { kind: 'text', text: 'Amounts are in rupees.' },
      { kind: 'table', head: ['No.', 'What', 'Amount'], rows, widths: [1, 4, 2], right: [0, 2] },
    ],
  })
  const read = await PDFDocument.load(bytes, { updateMetadata: false })
  assert.equal(read.getTitle(), 'Key facts')
  assert.equal(read.getAuthor(), 'Meridian Finance')
  assert.ok(read.getPageCount() >= 3)
  assert.deepEqual(read.getCreationDate(), createdAt)
})

test('letters that the fonts do not have and words wider than a cell do not stop it', async () => {
  const bytes = await pdfOf({
    title: 'नमस्ते',
    author: 'A',
    createdAt,
    blocks: [{ kind: 'table', head: [], rows: [['x'.repeat(400), 'श्री • Rao']], widths: [1, 1] }],
  })
  assert.equal(bytes.subarray(0, 5).toString(), '%PDF-')
})
