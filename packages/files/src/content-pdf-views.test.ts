// Encrypted PDFs in which a viewer could find other objects than the check, as a crafted table may lead it to any byte.

import assert from 'node:assert/strict'
import { createCipheriv, createHash } from 'node:crypto'
import { test } from 'node:test'
import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { plainPdf } from '@lendloom/tests/setup/files'
import { checkWhole } from './content-checks.ts'
import files from './fixtures/owner-password.json' with { type: 'json' }

const MiB = 1 << 20
const opens = Buffer.from(files.opens['AES-128'], 'base64').toString('latin1')
/** The encryption dictionary and the identifier of a file by qpdf, and the key that opens it. */
const [dictionary = ''] = /<< \/CF .*?\/V 4 >>/s.exec(opens) ?? []
const [, identifier = ''] = /\/ID \[<(\w+)>/.exec(opens) ?? []
const hexOf = (name: string): Buffer => Buffer.from(new RegExp(`/${name} <(\\w+)>`).exec(dictionary)?.[1] ?? '', 'hex')
const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')

const md5 = (...parts: Buffer[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest()
function fileKey(): Buffer {
  const permissions = Buffer.from('fcffffff', 'hex')
  let key = md5(padding, hexOf('O'), permissions, Buffer.from(identifier, 'hex'))
  for (let round = 0; round < 50; round++) key = md5(key)
  return key
}

/** Encrypts data as that of an object, behind a first block that may be chosen. */
function encrypted(object: number, plain: Buffer | string, iv = Buffer.alloc(16, 7)): string {
  const number = Buffer.alloc(5)
  number.writeUIntLE(object, 0, 3)
  const cipher = createCipheriv('aes-128-cbc', md5(fileKey(), number, Buffer.from('sAlT')), iv)
  return Buffer.concat([iv, cipher.update(plain), cipher.final()]).toString('latin1')
}

const trailer = `/Root 1 0 R/ID[<${identifier}>]/Encrypt 3 0 R`
/** A file with the encryption dictionary as object 3 and with these texts behind its objects. */
const fileOf = (more: string, entries = trailer): Buffer =>
  plainPdf(['<</Type/Catalog/Pages 2 0 R>>', '<<>>', `${dictionary}endobj\n${more}`], entries)

const streamOf = (header: string, entries: string, data: string): string =>
  `${header} obj<<${entries}>>stream\n${data}\nendstream`
const bomb = encrypted(5, deflateSync(Buffer.alloc(60 * MiB)))
const script = '1 0 <</S/JavaScript/JS(app.alert\\(1\\))>>'
const packedScript = encrypted(5, deflateSync(script))
const flate = '/Filter/FlateDecode'
const head = '/Type/ObjStm/N 1/First 4'

/** Packed objects for both: with the key, object 7 is null; without it, object 6 has this text, and the data no end. */
function readableBothWays(text: string, flateHead = 0x789c): string {
  const harmless = deflateSync('7 0 null')
  const encryptedBytes = 32
  const start = '6 37'.padEnd(9)
  const stored = start.length + encryptedBytes
  const iv = Buffer.alloc(16, ' ')
  iv.writeUInt16BE(flateHead)
  iv[2] = 0
  iv.writeUInt16LE(stored, 3)
  iv.writeUInt16LE(stored ^ 0xffff, 5)
  iv.write(start, 7, 'latin1')
  const rest = deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1')
  const data = encrypted(5, harmless, iv) + rest
  return data.padEnd(Math.ceil(data.length / 16) * 16, '\0')
}
/** The first object of a file opens object 6. */
const opening = (file: Buffer): Buffer =>
  Buffer.from(file.toString('latin1').replace('/Catalog', '/Catalog/OpenAction 6 0 R'), 'latin1')
const address = '<</S/URI/URI(http://example.com)>>'

const uncheckable = /^is encrypted in a way that cannot be checked$/
const uncheckableObjects = /^has packed objects that cannot be checked$/
const attacks: Record<string, [RegExp, Buffer]> = {
  'a bomb': [/unpack to more than 32 MiB/, fileOf(streamOf('5 0', flate, bomb))],
  'a bomb after many blanks in its number': [
    /streams that cannot be checked/,
    fileOf(streamOf(`5${' '.repeat(9)}0`, flate, bomb)),
  ],
  'a bomb after a comment in its number': [/streams that cannot be checked/, fileOf(streamOf('5 %c\n0', flate, bomb))],
  'a bomb after a string that looks like the end of its object': [
    /unpack to more than 32 MiB/,
    fileOf(streamOf('5 0', `/X(endobj)${flate}`, bomb)),
  ],
  'a bomb whose number has a digit in front': [/unpack to more than 32 MiB/, fileOf(streamOf('15 0', flate, bomb))],
  'a script in packed objects': [/^contains scripts$/, fileOf(streamOf('5 0', head + flate, packedScript))],
  'a script in packed objects whose number has a digit in front': [
    /^contains scripts$/,
    fileOf(streamOf('15 0', head + flate, packedScript)),
  ],
  'a script in packed objects with other numbers in an inner dictionary': [
    /^contains scripts$/,
    fileOf(streamOf('5 0', `${head}${flate}/X<</N 0/First 0>>`, packedScript)),
  ],
  'objects that are encrypted and not compressed, with the keyword of an end in them': [
    uncheckableObjects,
    fileOf(streamOf('5 0', head, `${encrypted(5, '1 0 null')}\nendstream\n${encrypted(5, script)}`)),
  ],
  'a script in packed objects that a viewer reads without the key': [
    /^contains scripts$/,
    fileOf(streamOf('5 0', head + flate, readableBothWays('<</S/JavaScript/JS(app.alert\\(1\\))>>', 0x881c))),
  ],
  'an address in packed objects that a viewer reads without the key': [
    uncheckableObjects,
    opening(fileOf(streamOf('5 0', head + flate, readableBothWays(address)))),
  ],
  'an encryption in packed objects that a viewer reads without the key': [
    uncheckableObjects,
    fileOf(streamOf('5 0', head + flate, readableBothWays(dictionary))),
  ],
  'a bomb that is encrypted by another method': [
    /streams that cannot be checked/,
    fileOf(streamOf('5 0', '/Filter[/Crypt/FlateDecode]/DecodeParms[<</Name/Other>>null]', bomb)),
  ],
  'packed objects that are not encrypted': [
    uncheckable,
    fileOf(streamOf('5 0', head + flate, deflateSync('1 0 <<>>').toString('latin1'))),
  ],
  'an encryption that no trailer has': [
    uncheckable,
    fileOf('5 0 obj<</X<</Encrypt 3 0 R>>>>', `/Root 1 0 R/ID[<${identifier}>]`),
  ],
  'an encryption in a trailer and elsewhere': [uncheckable, fileOf('5 0 obj<</Encrypt 3 0 R>>')],
  'two encryptions': [uncheckable, fileOf('trailer<</Root 1 0 R/Encrypt 2 0 R>>')],
  'a trailer without encryption': [uncheckable, fileOf(`trailer<</Root 1 0 R/ID[<${identifier}>]>>`)],
  'another identifier': [uncheckable, fileOf('trailer<</Root 1 0 R/ID[<00>]/Encrypt 3 0 R>>')],
  'another encryption whose dictionary viewers could read differently': [
    uncheckable,
    fileOf(`3 0 obj${dictionary.replace('/U <5', '/U <6').replace('<<', '<</Z 1/Z 1')}`),
  ],
  'another encryption after a comment in its number': [
    uncheckable,
    fileOf(`3 %\n0 obj${dictionary.replace('/U <5', '/U <6')}`),
  ],
  'another encryption whose number has a digit in front': [
    uncheckable,
    fileOf(`13 0 obj${dictionary.replace('/U <5', '/U <6')}`),
  ],
}
for (const [what, [expected, file]] of Object.entries(attacks))
  test(`D3 §4.3: refuses an encrypted PDF with ${what}`, async () => {
    assert.match((await checkWhole('application/pdf', file)).fault?.message ?? 'fine', expected)
  })

test('D3 §4.3: accepts an encrypted PDF with a stream, packed objects and a second trailer', async () => {
  const file = fileOf(
    [
      streamOf('14 0', flate, encrypted(14, deflateSync('BT ET'))),
      streamOf('15 0', head + flate, encrypted(15, deflateSync('16 0 <<>>'))).replace('First 4', 'First 5'),
      streamOf('17 0', '/Filter/Crypt', '<x:xmpmeta/>'),
      streamOf('18 0', '/Filter[/Crypt]/DecodeParms[<</Name/Identity>>]', '<x:xmpmeta/>'),
      `trailer<<${trailer}>>`,
      // The second table of a file that is shown while it arrives.
      `trailer<</Size 3/ID[<${identifier}>]>>`,
    ].join('\nendobj\n'),
  )
  assert.deepEqual(await checkWhole('application/pdf', file), { fault: null, facts: { hasOwnerPassword: true } })
})

test('D3 §4.3: checks an encrypted PDF with many identifiers in linear time', async () => {
  const file = fileOf(`5 0 obj(${'/ID ('.repeat(200_000)})`)
  const start = process.cpuUsage()
  assert.equal((await checkWhole('application/pdf', file)).fault, null)
  assert.ok(process.cpuUsage(start).user < 2_000_000)
})

const crowded: Record<string, string> = {
  'dictionaries in strings of each other': '1 0 obj<</A('.repeat(100_000),
  'comments behind words': '1 0 obj%'.repeat(200_000),
  'dictionaries in a comment': '%obj<<>>'.repeat(250_000),
}
for (const [what, text] of Object.entries(crowded))
  test(`D3 §4.3: refuses a PDF with ${what} in limited time`, async () => {
    const { fault } = await checkWhole('application/pdf', plainPdf(['<</Type/Catalog>>', text]))
    assert.match(fault?.message ?? 'fine', /more objects than can be checked/)
  })
