// Aadhaar numbers in texts, as people, mail programs and HTML write them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aadhaarRemover, withoutAadhaar } from './remove-aadhaar.ts'

const mark = '[Aadhaar number removed]'
const spellings = [
  '2345 6789 0124',
  '2345\u00a06789\u00a00124',
  '2345  6789  0124',
  '2345\t6789\t0124',
  '2345.6789.0124',
  '2345-6789-0124',
  '2345 - 6789 - 0124',
  '2345–6789–0124',
  '2345_6789_0124',
  '२३४५ ६७८९ ०१२४',
  '２３４５ ６７８９ ０１２４',
  '2345\u200b 6789 \u200b0124',
]
const spellingsOfNamed = [
  '234567890124',
  '२३४५६७८९०१२४',
  '2345\n6789\n0124',
  '2345\n> 6789 0124',
  '2345 | 6789 | 0124',
  '2345, 6789, 0124',
  '2345 67890124',
  '234 567 890 124',
  '23 45 67 89 01 24',
  '2 3 4 5 6 7 8 9 0 1 2 4',
  '2345+6789+0124',
  '2345=6789=0124',
  '2345‧6789‧0124',
  '2345・6789・0124',
  '2345  -  6789  -  0124',
  '23456 78901 24',
  '2345 678 90124',
  '23 4567 890124',
  '234 5678 90124',
  '2345678 90124',
  '2345 6789 01 24',
  '234,567,890,124',
  '23:45:67:89:01:24',
  '23/45/67/89/01/24',
]
const names = [
  'Aadhaar',
  'my AADHAR',
  'Adhar no',
  'Addhar',
  'UID',
  'आधार',
  'ஆதார்',
  'ఆధార్',
  'আধার',
  'eAadhaar',
  'mAadhaar',
  'myAadhaar',
  'PVCAadhaar',
  'e-adhar',
  'eAdhar',
  'RaviAadhaar.pdf',
  '[Aadhaar]',
  'uidno',
  'UIDnumber',
  'uid_no.',
  'myUIDAI',
  'Aadaar',
  'adar card',
  'Aadar No.',
  'aadhra card',
  'Athar number',
  'ആധാർ',
  'ആധാര്\u200d',
  'অাধাৰ',
  'आधर',
  'अाधार',
  'آدھار',
  'آدهار',
  'Aad\u00adhaar',
  'A\u200badhaar',
  'आधा\u200dर',
  'Aa\u034fdhaar',
  'Ａａｄｈａａｒ',
]

test('D3 §2.1: an Aadhaar number is removed in any spelling', () => {
  for (const each of spellings)
    assert.equal(withoutAadhaar(`Dated 2026 ${each}, paid.`), `Dated 2026 ${mark}, paid.`, each)
  for (const each of [...spellings, ...spellingsOfNamed])
    for (const name of names) assert.equal(withoutAadhaar(`${name}: ${each}`), `${name}: ${mark}`, `${name}: ${each}`)
  assert.equal(withoutAadhaar('my_aadhaar_234567890124.pdf'), `my_aadhaar_${mark}.pdf`)
  assert.equal(aadhaarRemover('My Aadhaar is wrong')('See 234567890124'), `See ${mark}`)
})

/** Their digits have the form of an Aadhaar number, also with the check digit. */
const besides = [
  '30-11-2026 04:06',
  '2026-11-30 04:03',
  '30/11/26 04:14:01',
  '22:04, 30.11.2026',
  '+91 98765 43216',
  '+91-9876543200',
  '4,500.00 3,205.00',
  '4500.00 3205.00',
  '23,45,000 67,020',
]

test('D3 §2.1: other numbers stay, also beside an Aadhaar number', () => {
  const others = [
    'UTR 234567890124',
    'Aadhaar 234567890125',
    'Aadhaar 9234567890124',
    'The years 2345\n6789\n0124',
    'My guide 234567890124',
    'Adarsh paid by 234567890124',
    'Aadarsh paid by 234567890124',
    'Gangadhar paid by 234567890124',
    'Saadar pranam, UTR 234567890124',
    'My fluid card 234567890124',
    'UTR 2345 67890124',
    'UTR 23456 78901 24',
    'Aadhaar, 23-45-6789 0124',
    ...besides.map((each) => `Aadhaar: ${each}`),
  ]
  for (const each of others) assert.equal(withoutAadhaar(each), each)
  const once = withoutAadhaar('2345 6789 0124, UTR 234567890124')
  assert.equal(once, `${mark}, UTR 234567890124`)
  assert.equal(withoutAadhaar(once), once, 'the mark is no mention')
  const quoted = '> [Aadhaar number\n> removed], UTR 234567890124'
  assert.equal(withoutAadhaar(quoted), quoted)
})

test('D3 §2.1: no part of an Aadhaar number stays when digits before it seem to be one', () => {
  assert.equal(withoutAadhaar('Aadhaar of 2004 2345 6789 0124'), `Aadhaar of ${mark}`)
})

test('finds Aadhaar numbers in a long text in linear time', () => {
  for (const piece of [
    '2345 ',
    '2345 6789 ',
    '2 ',
    'aadhaar 2345\n',
    'aadhaar 2,',
    'aadhaar 1,23,',
    'a',
    'aad',
    'd',
    '२३४५ ',
  ])
    assert.ok(withoutAadhaar(piece.repeat(200_000 / piece.length)).length > 0)
})
