// Valid and invalid examples of each identifier.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as id from './identifier.ts'

const cases: [name: string, pattern: string, valid: string[], invalid: string[]][] = [
  [
    'PAN',
    id.panPattern,
    ['ABCPE1234F', 'AAPFU0939F', 'AABCT1332L', 'ABCHM4321R', ' abcpe1234f '],
    ['ABCDE1234F', 'ABCPE123F', '1BCPE1234F', 'ABCPE12345', 'ABCPE0000F', ''],
  ],
  [
    'PAN of a person',
    id.personPanPattern,
    ['ABCPE1234F', ' abcpe1234f '],
    ['AAPFU0939F', 'AABCT1332L', 'ABCHM4321R', 'ABCPE0000F', ''],
  ],
  [
    'mail address',
    id.mailAddressPattern,
    ['asha@mail.example', 'o’neil+loans@mail.example', 'आशा@उदाहरण.भारत'],
    [
      'asha',
      'a b@mail.example',
      'a@b@mail.example',
      'a\u001b@mail.example',
      '\u202ea@mail.example',
      'a,b@mail.example',
    ],
  ],
  [
    'IFSC',
    id.ifscPattern,
    ['HDFC0000001', 'SBIN0000300', 'YESB0CMSNOC'],
    ['HDFC1000001', 'HDF00000001', 'HDFC000001', 'HDFC00000011'],
  ],
  [
    'Udyam',
    id.udyamPattern,
    ['UDYAM-MH-18-0000001', 'UDYAM-DL-01-0123456'],
    ['UDYAM-MH-18-000001', 'UDYAM-M1-18-0000001', 'UAM-MH-18-0000001'],
  ],
  ['PIN code', id.pincodePattern, ['560001', '110001'], ['060001', '56001', '5600011']],
  [
    'mobile',
    id.mobilePattern,
    ['9876543210', '+919876543210', '919876543210', '6000000000', '+91 98765 43210', '+91-9876543210'],
    ['5876543210', '09876543210', '987654321', '+9198765432101', '+1 9876543210'],
  ],
  ['e-mail', id.emailPattern, ['a@b.in', 'Asha.K+loan@mail.example.com'], ['a@b', '@b.in', 'a b@c.in', 'a@b..in']],
]
for (const [name, pattern, valid, invalid] of cases) {
  test(`D1 §2.1: the pattern of ${name} matches only valid values`, () => {
    for (const text of valid) assert.match(text, new RegExp(pattern), text)
    for (const text of invalid) assert.doesNotMatch(text, new RegExp(pattern), text)
  })
}

test('D1 §2.1: a mobile number is stored as ten digits', () => {
  for (const text of ['9876543210', '+919876543210', '919876543210', '+91 98765-43210'])
    assert.equal(id.tenDigits(text), '9876543210')
})

test('D1 §2.1: only an existing calendar day is accepted as date of birth', () => {
  assert.equal(id.calendarDate('1992-02-29'), '1992-02-29')
  assert.equal(id.calendarDate('29/02/1992'), '1992-02-29')
  assert.equal(id.calendarDate('1992-02-29T00:00:00.000Z'), '1992-02-29')
  const impossible = ['1990-12-31T25:00:00Z', '1993-02-29T00:00:00Z', '31/02/1992', '1992-02-29T']
  for (const text of ['1993-02-29', '1992-13-01', '92-02-29', 'yesterday', '', ...impossible])
    assert.equal(id.calendarDate(text), null, text)
})

test('D1 §2.1: an instant with a time zone is converted to its day in India', () => {
  for (const [text, day] of [
    ['1990-12-31T18:30:00.000Z', '1991-01-01'],
    ['1990-12-31T18:29:59Z', '1990-12-31'],
    ['1991-01-01T00:00:00+05:30', '1991-01-01'],
    ['1990-12-31T23:30:00-05:00', '1991-01-01'],
    ['1990-12-31T23:30:00', '1990-12-31'],
    ['2000-02-28T20:00Z', '2000-02-29'],
  ] as const)
    assert.equal(id.calendarDate(text), day, text)
})

test('an age increases at midnight in India', () => {
  assert.equal(id.ageOn('2000-11-20', new Date('2026-11-19T18:29:59Z')), 25)
  assert.equal(id.ageOn('2000-11-20', new Date('2026-11-19T18:30:00Z')), 26)
})

test('D3 §2.1: only a full Aadhaar number with a valid check digit is recognised', () => {
  assert.ok(id.isAadhaar('999999990019'))
  assert.ok(id.isAadhaar('9999 9999 0019'))
  for (const text of ['999999990018', '199999990019', '99999999001', '9999999900190', 'Fort Road 7'])
    assert.ok(!id.isAadhaar(text), text)
})

test('D3 §2.3: a GSTIN requires a valid state, PAN and check character', () => {
  const valid =
    '27AAPFU0939F1ZV 29AABCT1332L1ZA 07AAACR5055K1Z9 33ABCPE1234F1ZI 38AAAAA1234A1ZL 97AAACT2727Q1ZP 09ABCFP6789K2ZD'
  for (const text of valid.split(' ')) assert.ok(id.isGstin(text), text)
  for (const text of ['27AAPFU0939F1ZX', '39AAPFU0939F1ZV', '00AAPFU0939F1ZV', '27aapfu0939f1zv', '27AAPFU0939F1Z', ''])
    assert.ok(!id.isGstin(text), text)
  const validGstin = '27AAPFU0939F1ZV'
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
  const validCheckCharacters = [...alphabet].filter((last) => id.isGstin(validGstin.slice(0, 14) + last))
  assert.deepEqual(validCheckCharacters, ['V'])
})

test('ARCHITECTURE: a name has no invisible characters and none that turn text around, but the joiners of Indic scripts', () => {
  const visible = new RegExp(id.visiblePattern, 'u')
  // Half forms, a repha with a joiner, and a chillu at the end of a word.
  for (const name of [
    'Asha Kulkarni',
    'आशा कुलकर्णी',
    'क्\u200dष',
    'क्\u200cष',
    'र\u200d्य',
    'അവന്\u200d',
    'Zoë',
    '👍🏽',
    'राम\u200c',
  ])
    assert.match(name, visible, name)
  const invisible = ['\u200b', '\u00ad', '\u2060', '\ufeff', '\u{e0041}', '\u2028', '\u0085', '\n', '\u0000']
  const turning = ['\u202e', '\u202a', '\u2066', '\u2069', '\u200f', '\u200e', '\u061c']
  for (const character of [...invisible, ...turning])
    for (const name of [`Asha${character}`, `${character}Asha`, `As${character}ha`])
      assert.doesNotMatch(name, visible, JSON.stringify(name))
  for (const name of ['', '  ', 'As\u200dha', '\u200dआशा', 'As\u200cha'])
    assert.doesNotMatch(name, visible, JSON.stringify(name))
})
