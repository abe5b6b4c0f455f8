// Masking of personal data in documents, notes, paths and logs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsOf } from './fixtures/seconds-of.ts'
import { isPersonalId, maskedNote, maskedPath, maskedWords, scrub } from './mask.ts'
import { maskedDocument } from './mask-document.ts'

test('maskedDocument masks names, numbers and addresses of people, but not names of lenders and things', () => {
  const document = {
    context: { bpp_id: 'bank.example', transaction_id: '0190f5a0-0000-7000-8000-000000000009', ttl: 'PT30S' },
    provider: { descriptor: { name: 'Kaveri Bank' }, name: 'Kaveri' },
    customer: {
      person: { name: 'Asha Vaidya', dob: '1992-02-29' },
      contact: { phone: '9876501234', email: 'a@b.example' },
    },
    tags: [
      {
        list: [
          { descriptor: { code: 'ACCOUNT_HOLDER_NAME' }, value: 'Asha' },
          { descriptor: { code: 'KFS' }, value: 'https://x.example' },
        ],
      },
    ],
    profile: { personal: { panName: 'ASHA', pan: 'ABCPE1234F' }, work: { income: 85_000, employmentType: 'salaried' } },
    note: 'call 9876501234 about ABCPE1234F',
    offers: [{ amount_principal: '200000.00', offer_term: '12 months' }],
    account: { number: 50_100_123_456_789 },
    gone: null,
  }
  assert.deepEqual(maskedDocument(document), {
    context: document.context,
    provider: document.provider,
    customer: { person: { name: '[masked]', dob: '[masked]' }, contact: { phone: '[masked]', email: '[masked]' } },
    tags: [
      {
        list: [
          { descriptor: { code: 'ACCOUNT_HOLDER_NAME' }, value: '[masked]' },
          { descriptor: { code: 'KFS' }, value: 'https://x.example' },
        ],
      },
    ],
    profile: {
      personal: { panName: '[masked]', pan: '[masked]' },
      work: { income: '[masked]', employmentType: 'salaried' },
    },
    note: 'call [masked] about [masked]',
    offers: document.offers,
    account: { number: '[masked]' },
    gone: null,
  })
})

test('maskedWords masks addresses, mobile numbers and PANs, but not payment references', () => {
  assert.equal(
    maskedWords(
      'I am asha.k@mail.example, +91 98765 01234 or 9876501234, PAN ABCPE4321F. UTR 412345678901, ₹5,000 on 2026-11-18.',
    ),
    'I am •••••, ••••• or •••••, PAN •••••. UTR 412345678901, ₹5,000 on 2026-11-18.',
  )
})

test('every function masks a text in linear time', () => {
  for (const part of [
    'a',
    'a@',
    'a.',
    '9',
    'a-',
    '98765 ',
    '"a":"',
    '9 ',
    '98-',
    'A B ',
    '९',
    '９ ',
    'é\u200d',
    '98765/',
    'a@b ',
    '98–',
    '987 65 ',
    '9 00 ',
    '(98765) ',
    '9876543210-',
    '9876543210 - ',
    '0091 ',
    '1234.',
    'ABCPE/',
  ])
    for (const masked of [maskedWords, maskedNote, maskedPath, scrub]) {
      const text = part.repeat(100_000 / part.length)
      // Masking in linear time takes at most half a second.
      const seconds = secondsOf(() => assert.ok(masked(text).length > 0, part))
      assert.ok(seconds < 3, `${part} takes ${masked.name} ${seconds} s`)
    }
})

test('maskedNote masks identifiers of a borrower in any case and grouping', () => {
  assert.equal(
    maskedNote('PAN abcpe1234f, asha.k@mail.example, 98765-01234, +91 9876501234, 9999 9999 0019, a/c 50100123456789'),
    'PAN •••••, •••••, •••••, •••••, •••••, a/c •••••',
  )
  assert.equal(
    maskedNote('₹2,00,000 of GR-2611-ABCDE, since 2026-11-18'),
    '₹2,00,000 of GR-2611-ABCDE, since 2026-11-18',
  )
})

test('maskedNote keeps UUIDs, and masks PANs and numbers in unusual groups', () => {
  for (const id of ['019a0000-0000-7000-8000-ab9876501234', '01939f3c-1234-7234-8234-9876501234ab'])
    assert.equal(maskedNote(`of ${id}, twice`), `of ${id}, twice`)
  for (const personalText of [
    'ABCPE 1234 F',
    'abcpe-1234-f',
    'ABCPE_1234_F',
    'abcpe.1234.f',
    'A.B.C.P.E.1.2.3.4.F',
    '+91  98765  01234',
    '+91-9876-501234',
    '0-98765-01234',
    '987 650 1234',
    '987-650-1234',
    '987.650.1234',
    '91 987 650 1234',
    '0 9876 501 234',
  ])
    assert.equal(maskedNote(`of ${personalText}, twice`), 'of •••••, twice', personalText)
  for (const harmlessText of [
    'since 2024 we pay; about 5000 a week',
    'of 2026-11-18, 700 900 and 800 pieces, v9.87.650.1234',
  ])
    assert.equal(maskedNote(harmlessText), harmlessText)
})

test('maskedNote masks numbers in pairs or single digits, spaced PANs, and digits of every script', () => {
  for (const personalText of [
    '98-76-54-32-10',
    '98 76 54 32 10',
    '98.76.54.32.10',
    '+91 98 76 54 32 10',
    '0 98-76-54-32-10',
    '9 8 7 6 5 4 3 2 1 0',
    '9-8-7-6-5-4-3-2-1-0',
    '+9 1 9 8 7 6 5 4 3 2 1 0',
    '9 9 9 9 9 9 9 9 0 0 1 9',
    'A B C P E 1 2 3 4 F',
    'a b c p e 1234 f',
    'ABCPE 1 2 3 4 F',
    'A-B-C-P-E-1234-F',
    '९८७६५४३२१०',
    '९८७६५ ४३२१०',
    '+९१ ९८७६५४३२१०',
    '௯௮௭௬௫௪௩௨௧௦',
    '৯৮৭৬৫৪৩২১০',
    '९९९९ ९९९९ ००१९',
    '५०१००१२३४५६७८९',
    '９８７６５０１２３４',
    'ＡＢＣＰＥ１２３４Ｆ',
    '𝟗𝟖𝟕𝟔𝟓𝟎𝟏𝟐𝟑𝟒',
    '98765\u00a001234',
    '98765\u200b01234',
    'asha＠mail．example',
  ])
    assert.equal(maskedNote(`फ़ोन ${personalText}, 😀 twice`), 'फ़ोन •••••, 😀 twice', personalText)
  for (const harmlessText of [
    '1 2 3 4 5 6 7 8 9 10',
    'in weeks 6 7 8 9',
    '₹२,००,००० on १८-११-२०२६, Ⅻ ½ ﬁne ①',
    'costs 5000k',
    'of 65 70 72 80',
    'of 20-11-26 10 22 11',
    'UTR ४१२३ ५६७८',
    'of 019a0000-0000-7000-8000-ab9876501234, 😀९',
  ])
    assert.equal(maskedNote(harmlessText), harmlessText)
  assert.equal(maskedWords('UTR ४१२३४५६७८९०१'), 'UTR ४१२३४५६७८९०१')
  assert.equal(scrub('६ sk_test_abcdefgh12 ９８७６５０１２３４'), '६ [masked] [masked]')
})

test('maskedNote masks numbers in unequal groups, with a slash or after a dash, and UPI ids', () => {
  for (const personalText of [
    '9876 543210',
    '9876-543210',
    '987 6543210',
    '987654 3210',
    '9876543 210',
    '0 9876 543210',
    '91-9876-543210',
    '98765/43210',
    '98765 / 43210',
    '+91/98765/43210',
    '91 98765/43210',
    '０９８７６５/４３２１０',
    'asha.kumar@okicici',
    'asha@ybl',
    'asha-k_1@kotak811',
    '9876543210@paytm',
    '12345678@sbi',
    'ＡＳＨＡ＠ＹＢＬ',
  ])
    assert.equal(maskedNote(`of ${personalText}, twice`), 'of •••••, twice', personalText)
  for (const personalText of [
    '9876543210',
    '98765/43210',
    'ABCPE1234F',
    '987 650 1234',
    '98 76 54 32 10',
    '50100123456789',
  ])
    assert.equal(maskedNote(`call:-${personalText}.`), 'call:-•••••.', personalText)
  assert.equal(scrub('of -9876543210'), 'of -[masked]')
  for (const harmlessText of [
    '₹1,00,000',
    '₹65,000/10,000',
    '12345/2026',
    '98765/2026',
    '987654/2026',
    'NBFC/98765/43210',
    '2/98765/43210',
    '98765/43210/7',
    '987654 2026',
    '9876.543210',
    '19.07.2026',
    'CASE-9876543210',
    'GR-9876-543210',
    '4123 567890',
    '₹5000@month',
    '12.5@rate',
    '500@rs50',
    '@asha',
    'a @ b',
    'at 12%@',
  ])
    assert.equal(maskedNote(`of ${harmlessText}, twice`), `of ${harmlessText}, twice`)
})

test('maskedNote masks numbers with any dash, brackets, three unequal groups or 0091, and split PANs', () => {
  for (const dash of '\u2010\u2011\u2012\u2013\u2014\u2015\u2212')
    for (const personalText of [
      '98765-43210',
      '987-650-1234',
      '9876-543210',
      '+91-9876543210',
      '98-76-54-32-10',
      '987-65-43210',
      'ABCPE-1234-F',
      '9999-9999-0019',
      '9-8-7-6-5-4-3-2-1-0',
      '9999-99990019',
    ])
      assert.equal(
        maskedNote(`of ${personalText.replaceAll('-', dash)}, twice`),
        'of •••••, twice',
        `${personalText} ${dash}`,
      )
  for (const personalText of [
    '0091-9876543210',
    '0091 9876543210',
    '00919876543210',
    '0091-98765-43210',
    '0091 987 654 3210',
    '(98765) 43210',
    '(98765)43210',
    '+91 (98765) 43210',
    '0 (98765)-43210',
    '987 65 43210',
    '98765 432 10',
    '987-65-43210',
    '9876 54 3210',
    '98 765 43210',
    '0 987 65 43210',
    '9876 5432 10',
    '9876543210-9876543211',
    '98765 43210 - 98765 43211',
    '+91 98765 43210-0 98765 43211',
    'ABCPE 1234F',
    'ABCPE1234 F',
    'abcpe/1234/f',
    'ABCPE/1234F',
    'ABCPE1234/F',
    '9999.9999.0019',
    '9999 99990019',
    '99999999 0019',
    '99999999-0019',
  ]) {
    assert.equal(maskedNote(`of ${personalText}, twice`), 'of •••••, twice', personalText)
    if (!personalText.startsWith('9999'))
      assert.equal(maskedWords(`of ${personalText}, twice`), 'of •••••, twice', personalText)
  }
  assert.equal(maskedNote('mobile–9876543210—or ABCPE1234F–'), 'mobile–•••••—or •••••–')
  assert.equal(scrub('of 9876543210-9876543211'), 'of [masked]')
})

test('maskedNote keeps amounts, days, years, references and ranges with any dash', () => {
  for (const harmlessText of [
    '8 4790 60000',
    '9500 1200 50',
    '60000 500 20',
    '₹9500 1250 75',
    '9500 1250 75 8325',
    '9500 1250 75.50',
    '12 98 765 43210',
    '9,500 1250 75',
    '8500 11 2026',
    '9876-54-2026',
    'NBFC-987-65-43210',
    '987 65-43210',
    '98 76 54 32',
    '60000–70000 a year',
    '6–7 or 60–65',
    '2026–11–18',
    '2,00,000—3,00,000',
    'pages 98–105',
    'at −5°',
    'costs 5000k',
    '20261123 1030',
    '20261123-1030',
    '2026-00001234',
    'INV-2345-00001234',
    '12345678.9012',
    '1234.56789012',
    'CASE-9876543210-9876543211',
    '9876543210-123',
    '(98765)',
    'v1.2345.6789',
  ])
    assert.equal(maskedNote(`of ${harmlessText}, twice`), `of ${harmlessText}, twice`)
})

test('maskedPath keeps words and ids, and masks segments that identify a borrower', () => {
  const journey = '/api/v1/headless/journeys/0190f5a0-0000-7000-8000-000000000009/state'
  assert.equal(maskedPath(journey), journey)
  assert.equal(
    maskedPath('/api/hybrid/gold-loan/borrowers/customer-41/journey'),
    '/api/hybrid/gold-loan/borrowers/customer-41/journey',
  )
  for (const personalText of [
    'abcpe1234f',
    'ABCPE1234F',
    'Asha%20Rao',
    '%E0%A4%86%E0%A4%B6%E0%A4%BE',
    'asha.k@mail.example',
    'asha%40mail.example',
    'asha@upi',
    '9876501234',
    '+91-98765-01234',
    '98765%2001234',
    'customer_9876501234',
    'customer-abcpe1234f',
    'abcpe%201234%20f',
    'asha%40mail.example%',
    'asha%2540mail.example',
    '%EF%BC%99876501234',
  ])
    assert.equal(maskedPath(`/borrowers/${personalText}/journey`), '/borrowers/[masked]/journey', personalText)
  assert.equal(maskedPath('/borrowers/%zz/journey'), '/borrowers/%zz/journey')
})

test('D2 §8: an id with an instant keeps it, and one with a mobile, PAN, e-mail or account number is personal', () => {
  for (const id of ['walk-1764065437123', 'order_1764065437', 'job.20261125101530', '20261125101530123-7', 'night-7'])
    assert.equal(isPersonalId(id), false, id)
  for (const id of [
    'c-9876501234',
    '919876501234',
    'ABCPE1234F',
    'asha@mail.example',
    'a-50100123456789',
    '2026112510153012',
  ])
    assert.equal(isPersonalId(id), true, id)
})

test('the token of a link that was sent is masked in an address, and so is that of its device', () => {
  assert.equal(
    scrub('https://api.lendloom.example/open/lk_02yAdIlYMGQr9q?lang=hi'),
    'https://api.lendloom.example/open/[masked]?lang=hi',
  )
  assert.equal(scrub('lendloom_link_x=ld_02yAdIlYMGQr9q;'), 'lendloom_link_x=[masked];')
})
