// PDFs with an owner password, as qpdf writes them: they open without it, and are checked as other PDFs are.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPdf } from '@lendloom/documents/pdf-pages'
import { plainPdf } from '@lendloom/tests/setup/files'
import { openCheck } from './content-checks.ts'
import { readValue } from './content-pdf-value.ts'
import files from './fixtures/owner-password.json' with { type: 'json' }

const bytesOf = (base64: string): Buffer => Buffer.from(base64, 'base64')

/** Checks a PDF in pieces; returns 'fine', with an owner password or not, or the reason of the refusal. */
async function resultOf(file: Buffer, pieceBytes = file.length): Promise<string> {
  const { write, end, facts } = openCheck('application/pdf')
  for (;;) {
    for (let from = 0; from < file.length; from += pieceBytes) {
      const fault = await write(file.subarray(from, from + pieceBytes))
      if (fault) return fault.message
    }
    const { fault, isAgain } = await end()
    if (!isAgain) return fault?.message ?? `fine${facts().hasOwnerPassword ? ' with an owner password' : ''}`
  }
}

const expected: Record<keyof typeof files, RegExp> = {
  opens: /^fine with an owner password$/,
  needsPassword: /^needs a password to open; send a copy/,
  script: /^contains scripts$/,
  bomb: /^has streams that unpack to more than 32 MiB/,
}
for (const kind of Object.keys(expected) as (keyof typeof files)[])
  for (const [method, base64] of Object.entries(files[kind]))
    test(`D3 §4.3: a PDF that is encrypted by ${method}: ${expected[kind].source.replaceAll(/[\^$]/g, '')}`, async () => {
      const file = bytesOf(base64)
      for (const pieceBytes of [file.length, 100]) assert.match(await resultOf(file, pieceBytes), expected[kind])
      assert.equal(await isPdf(file), kind !== 'needsPassword')
    })

test('D3 §4.3: refuses a PDF whose encryption cannot be read, or of which viewers could choose another', async () => {
  const file = bytesOf(files.opens['AES-256']).toString('latin1')
  const [, number] = /\/Encrypt (\d+)/.exec(file)!
  const uncheckable = /^is encrypted in a way that cannot be checked$/
  const changed: Record<string, string> = {
    'the handler of another program': file.replace('/Standard', '/Adobe.Pb'),
    'a dictionary that is missing': file.replace(/\/Encrypt \d+/, '/Encrypt 99'),
    'a second dictionary': file.replace('xref\n', `${number} 0 obj<</Filter/Standard/V 5>>endobj xref\n`),
    'a second, escaped name': file.replace('trailer', 'trailer <</Encr#79pt 7 0 R>>'),
  }
  assert.match(await resultOf(Buffer.from(file, 'latin1'), 1000), /^fine/)
  for (const [what, text] of Object.entries(changed)) {
    assert.notEqual(text, file, what)
    const start = text.indexOf('xref\n')
    const moved = text.replace(/startxref\s+\d+/, `startxref\n${start}`)
    assert.match(await resultOf(Buffer.from(moved, 'latin1'), text.length), uncheckable, what)
  }
  assert.match(await resultOf(plainPdf(['<</Type/Catalog>>'], '/Root 1 0 R/Encrypt 2 0 R'), 1000), uncheckable)
})

test('reads the values of a PDF: strings with escapes and line breaks, hexadecimal strings, references', () => {
  const text = '<</O(a\\(\\051\\n\\\\(b)\r\nc\\\r\nd)/U<6 16\n2>/P -4/E 12 0 R%x\n/L[true null 1.5]>>'
  const expected = new Map<string, unknown>([
    ['/O', Buffer.from('a()\n\\(b)\ncd')],
    ['/U', Buffer.from('ab')],
    ['/P', -4],
    ['/E', { object: 12, generation: 0 }],
    ['/L', [true, null, 1.5]],
  ])
  assert.deepEqual(readValue(text, 0).value, expected)
  for (const wrong of ['<</O(a', '<</O', '<</P 1/P 2>>', '['.repeat(60), '('])
    assert.equal(readValue(wrong, 0).value, undefined, wrong)
})
