// Attachments of mails are checked by their content.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noScanner } from '@lendloom/files/malware'
import { bombPdf, ownerPasswordPdf, passwordPdf, sampleJpeg, samplePdf } from '@lendloom/tests/setup/files'
import { examineFile } from './attachment.ts'

const examine = (bytes: Buffer) => examineFile(noScanner, { name: 'bill.pdf', type: 'application/pdf', bytes })

test('accepts an attached PDF, and rejects one that unpacks to a thousand times its size', async () => {
  assert.equal((await examine(await samplePdf('A bill'))).type, 'application/pdf')
  const { type, why } = await examine(bombPdf())
  assert.equal(type, null)
  assert.match(why ?? '', /has streams that unpack to more than 32 MiB/)
})

test('accepts an attached PDF with an owner password, and says why it rejects one that needs a password', async () => {
  assert.equal((await examine(ownerPasswordPdf())).type, 'application/pdf')
  assert.deepEqual(await examine(passwordPdf()), {
    type: null,
    why: 'needs a password to open; send a copy that opens without a password',
  })
})

test('recognizes a file by its content, and accepts tables and invitations as text', async () => {
  const typeOf = async (name: string, type: string, bytes: Buffer) =>
    (await examineFile(noScanner, { name, type, bytes })).type
  assert.equal(await typeOf('photo.pdf', 'application/pdf', sampleJpeg()), 'image/jpeg')
  assert.equal(await typeOf('bill', 'application/x-pdf', await samplePdf('A bill')), 'application/pdf')
  const table = Buffer.from('Date,Amount\n5 Nov,4500\n')
  assert.equal(await typeOf('statement.csv', 'text/csv', table), 'text/plain')
  assert.equal(await typeOf('statement.csv', 'application/vnd.ms-excel', table), 'text/plain')
  assert.equal(
    await typeOf('invite.ics', 'text/calendar; method=REQUEST', Buffer.from('BEGIN:VCALENDAR')),
    'text/plain',
  )
  assert.equal(await typeOf('page.html', 'text/html', Buffer.from('<script>')), null)
})

test('a kept file has an ending of its type, so that no computer runs it', async () => {
  const nameOf = async (name: string, type: string, bytes: Buffer) => {
    const check = await examineFile(noScanner, { name, type, bytes })
    assert.equal(check.why, null, name)
    return 'name' in check ? check.name : null
  }
  const script = Buffer.from('<script>alert(1)</script>')
  for (const name of ['a.hta', 'a.bat', 'a.js', 'a.html', 'a.xhtml', 'a.svg', 'a.txt.hta', 'a.hta.', 'a.pdf', 'a'])
    for (const type of ['text/plain', 'text/javascript', 'text/x-html', 'text/xml'])
      assert.equal(await nameOf(name, type, script), `${name}.txt`)
  for (const name of ['note.TXT', 'table.csv', 'invite.ics', 'letter.eml'])
    assert.equal(await nameOf(name, 'text/plain', script), name)
  assert.equal(await nameOf('photo.JPEG', 'image/jpeg', sampleJpeg()), 'photo.JPEG')
  assert.equal(await nameOf('photo.hta', 'image/jpeg', sampleJpeg()), 'photo.hta.jpg')
  assert.equal(await nameOf('photo.pdf', 'application/pdf', sampleJpeg()), 'photo.pdf.jpg')
})

test('accepts plain text in the character sets of Windows, and no other bytes', async () => {
  const whyOf = async (bytes: Buffer) =>
    (await examineFile(noScanner, { name: 'note.txt', type: 'text/plain', bytes })).why
  const utf16 = Buffer.from('\ufeffरुपये 500\r\n', 'utf16le')
  const windows = Buffer.from('caf\xe9 \x80 500 \x96 Mr. Rao\r\n', 'latin1')
  for (const bytes of [Buffer.from('₹500'), utf16, Buffer.from(utf16).swap16(), windows])
    assert.equal(await whyOf(bytes), null, bytes.toString('hex'))
  const others = [
    Buffer.from('MZ\0\xff', 'latin1'),
    Buffer.from('caf\xe9\x01', 'latin1'),
    Buffer.from('\x81\xff', 'latin1'),
    Buffer.from('\xff\xfe\x00\xd8', 'latin1'),
    Buffer.from('\xff\xfea\0\0\0', 'latin1'),
  ]
  for (const bytes of others) assert.equal(await whyOf(bytes), 'is not plain text', bytes.toString('hex'))
})
