// Tests which names count as the names of one person.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import { array, constantFrom, assert as lawHolds, property, shuffledSubarray } from 'fast-check'
import { compareNames, type NameMatch } from './name-match.ts'

interface Pair {
  borrower: string
  account: string
}

/** Parses lines of `borrower = account`. */
const pairsIn = (text: string): Pair[] =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [borrower = '', account = ''] = line.split('=').map((name) => name.trim())
      return { borrower, account }
    })

/** Every pair must have this result, whichever name comes first. */
function assertResult(result: NameMatch, text: string): void {
  for (const { borrower, account } of pairsIn(text)) {
    assert.equal(compareNames(account, borrower), result, `${account}, ${borrower}`)
    assert.equal(compareNames(borrower, account), result, `${borrower}, ${account}`)
  }
}

test('D3 §2.3: spelling variants of the borrower’s name are the SAME', () => {
  assertResult(
    'SAME',
    `
    Asha Verma = ASHA VERMA
    Asha Verma = VERMA ASHA
    Asha Rani Verma = ASHA VERMA
    A Verma = ASHA VERMA
    Karthik M = KARTHIK MURUGAN
    Karthik M = M KARTHIK
    Asha R Verma = ASHA RANI VERMA
    A R Verma = ASHA RANI VERMA
    S. Kumar = S KUMAR
    M S Kumar = M. S. KUMAR
    Smt. Asha Verma = Asha  Verma
    Sunil Kumar = MR SUNIL KUMAR
    Asha Verma = MS. ASHA VERMA
    Asha Verma = DR. ASHA VERMA
    Asha Verma = KUMARI ASHA VERMA
    Asha Verma = M/S ASHA VERMA
    Asha Verma = M/s. Asha Verma
    Asha = ASHA
    Asha = SMT ASHA
    Sri = SRI
    Kumari = KUMARI
    Mr Ravi Kumar = MR RAVI KUMAR
    Mr Ravi Kumar = SHRI RAVI KUMAR
    Mr Ravi Kumar = DR RAVI KUMAR
    Mr Ravi Kumar = M/S RAVI KUMAR
    Miss Asha Verma = MRS ASHA VERMA
    Smt Asha Verma = SHRIMATI ASHA VERMA
    Smt Sri Lakshmi Devi = SRI LAKSHMI DEVI
    Ravi Kumar = SHREE RAVI KUMAR
    Ravi Kumar = RAVI KUMAR S/O MOHAN LAL
    Mrs Asha Verma = ASHA VERMA W/O MR ANIL VERMA
    Asha Verma = ASHA VERMA W/O ANIL VERMA
    Ravi Kumar S/O Mohan Lal = RAVI KUMAR S/O LAL MOHAN
    SM Kumar = SM KUMAR
    Renée D’Souza = RENEE DSOUZA
    Ørsted Kumar = ORSTED KUMAR
    `,
  )
})

test('D3 §2.3: names that may be of one person or of two are UNCERTAIN', () => {
  assertResult(
    'UNCERTAIN',
    `
    S Kumar = M KUMAR
    M Karthik = KARTHIK MURUGAN
    S Kumar = S M KUMAR
    A Verma = ASHA RANI VERMA
    Asha R Verma = ASHA M VERMA
    Asha = ASHA VERMA
    Kumar = MS KUMAR
    MS Kumar = S KUMAR
    MS Dhoni = MAHENDRA SINGH DHONI
    M S Kumar = M/S KUMAR
    A V = ASHA VERMA
    Asha Verma = ASHA SHARMA
    Asha Verma = ANIL VERMA
    Ram Kumar = RAMKUMAR
    Suneeta Rao = SUNITA PATIL
    Asha Verma = ASHA VERMA AND ANIL VERMA
    Asha Verma = ASHA SHARMA & ANIL VERMA
    Asha Verma = ASHA VERMA HUF
    Asha Verma = ASHA VERMA (MINOR)
    Asha Verma = VERMA TRADERS
    Mohan Lal = RAVI KUMAR S O MOHAN LAL
    Ravi Kumar = RAVI S/O KUMAR
    S Kumar = SM KUMAR
    S Kumar = SMK KUMAR
    A Kumar = AK KUMAR
    A Rao = AVSN RAO
    S Kumar = SMKRT KUMAR
    S Kumar = SA KUMAR
    Ravi A = RAVI AK
    Muthukumar S = S MUTHU KUMAR
    Muthukumar S = MUTHU KUMAR
    Balasubramanian K = BALA SUBRAMANIAN
    Siva Kumar = SIVAKUMAR M
    Chandra Sekhar = CHANDRASHEKHAR RAO
    Karthik M = MKARTHIK
    Lakshmi = LAXMI
    Mohammed = MOHAMMAD
    Ravi Kumar = RK
    Ravi Kumar S/O Mohan = RAVI KUMAR D/O MOHAN
    स म कुमार = M S KUMAR
    आशा कुमार S/O रमेश = आशा कुमार S/O सुरेश
    K Ravi Kumar = MS RAVI KUMAR
    S Ravi Kumar = DR RAVI KUMAR
    S M Kumar = M S KUMAR
    R Kumar = RAVI K
    J Paul = JOHN P
    Kumar s/o Ravi = KUMAR S/O MOHAN
    Ravi Kumar S/O Mohan Lal = RAVI KUMAR S/O PRAKASH TANDON
    Mr Ravi Kumar = MRS RAVI KUMAR
    Mr Ravi Kumar = MISS RAVI KUMAR
    Mr Ravi Kumar = MS RAVI KUMAR
    Mr Ravi Kumar = RAVI KUMAR MRS
    Mr Ravi Kumar = KUMAR, MRS RAVI
    Shri Ravi Kumar = SMT RAVI KUMAR
    Shri Ravi Kumar = SHRIMATI RAVI KUMAR
    Sri Ravi Kumar = SMT. RAVI KUMAR
    Shree Ravi Kumar = Mrs. Ravi Kumar
    Mr Asha Verma = KUMARI ASHA VERMA
    श्री राजेश शर्मा = SMT RAJESH SHARMA
    श्रीमती राजेश शर्मा = Mr Rajesh Sharma
    श्री राजेश शर्मा = श्रीमती राजेश शर्मा
    `,
  )
})

test('D3 §2.3: an account of a guardian, a firm, an estate or two holders is never the SAME', () => {
  for (const account of [
    'MOHAN LAL FATHER OF RAVI KUMAR',
    'RAVI KUMAR GUARDIAN OF ANU',
    'RAVI KUMAR SITA DEVI',
    'RAVI KUMAR/SITA DEVI',
    'RAVI KUMAR + SITA DEVI',
    'RAVI KUMAR, SITA DEVI',
    'RAVI KUMAR JT SITA DEVI',
    'MINOR RAVI KUMAR',
    'HUF RAVI KUMAR',
    'KARTA RAVI KUMAR',
    'TRUST RAVI KUMAR',
    'LATE RAVI KUMAR',
    'EST OF RAVI KUMAR',
    'RAVI KUMAR MOTORS',
    'RAVI KUMAR FOUNDATION',
    'RAVI KUMAR SOCIETY',
    'RAVI KUMAR ASSOCIATES',
    'RAVI KUMAR TEXTILES',
    'RAVI KUMAR BROTHERS',
    'RAVI KUMAR SONS',
    'NOMINEE RAVI KUMAR',
    'RAVI KUMAR JEWELLERS',
    'RAVI KUMAR HOSPITAL',
    'RAVI KUMAR DECEASED',
    'RAVI KUMAR CLINIC',
    'RAVI KUMAR PHARMACY',
    'RAVI KUMAR HOTEL',
    'RAVI KUMAR JEWELS',
    'RAVI KUMAR JEWELERS',
    'RAVI KUMAR JEWELLERY',
    'RAVI KUMAR BAKERY',
    'RAVI KUMAR WORKS',
    'RAVI KUMAR CATERERS',
    'RAVI KUMAR STUDIO',
    'RAVI KUMAR SALON',
    'RAVI KUMAR SUPERMARKET',
    'RAVI KUMAR CONTRACTOR',
    'RAVI KUMAR FINANCE',
    'RAVI KUMAR DHABA',
    'RAVI KUMAR GARMENTS',
    'RAVI KUMAR RESTAURANT',
    'RAVI KUMAR BUILDERS',
    'RAVI KUMAR POA',
    'RAVI KUMAR (P.O.A.)',
    'RAVI KUMAR EXECUTOR',
    'RAVI KUMAR TRUSTEE',
    'RAVI KUMAR DECD',
    'RAVI KUMAR (DECD.)',
    'RAVI KUMAR AOP',
    'RAVI KUMAR MINORS',
    'RAVI KUMAR CHS',
    'RAVI KUMAR JR',
    'RAVI KUMAR WIFE',
    'MASTER RAVI KUMAR',
  ])
    assert.equal(compareNames(account, 'Ravi Kumar'), 'UNCERTAIN', account)
  assert.equal(compareNames('KUMAR, RAVI', 'Ravi Kumar'), 'SAME', 'the surname first')
})

test('D3 §2.3: a text that is longer than any name is UNCERTAIN, and is not compared', () => {
  const long = 'क'.repeat(5000)
  assert.equal(compareNames(long, 'Ravi Kumar'), 'UNCERTAIN')
  assert.equal(compareNames('RAVI '.repeat(20_000), 'RAVI '.repeat(20_000)), 'UNCERTAIN')
})

test('D3 §2.3: names that share no word are DIFFERENT', () => {
  assertResult(
    'DIFFERENT',
    `
    Asha Verma = PRAKASH TANDON
    Asha = ISHA
    Asha Verma = P T
    Mohan Lal = ASHA W/O MOHAN LAL
    = ASHA
    Mr = MR
    `,
  )
})

test('D3 §2.3: a name in an Indian script matches its usual Latin spellings, in any word order', () => {
  assertResult(
    'SAME',
    `
    आशा कुमार = ASHA KUMAR
    राजेश शर्मा = Sharma Rajesh
    श्री राजेश शर्मा = Rajesh Sharma
    मोहम्मद अब्दुल रहमान = Mohammad Abdul Rahman
    लक्ष्मी नारायणन = Lakshmi Narayanan
    सुनीता चौधरी = Suneeta Chaudhary
    गुरप्रीत सिंह = GURPREET SINGH
    ஆஷா குமார் = Asha Kumar
    রহিম = Rahim
    పవన్ కుమార్ రెడ్డి = Pawan Kumar Reddy
    ಅನಿಲ್ ಕುಮಾರ್ = Anil Kumar
    മോഹൻ = Mohan
    ગોવિંદ પટેલ = Govind Patel
    ଚନ୍ଦ୍ର = Chandra
    आशा वर्मा = आशा वर्मा
    `,
  )
})

test('D3 §2.3: names in other scripts that the rule cannot compare reliably are UNCERTAIN', () => {
  assertResult(
    'UNCERTAIN',
    `
    आशा कुमार = Isha Kumar
    म कुमार = S Kumar
    म स = M S
    कमल = Kamala
    रमा = Ram
    राम = Rama
    नारायणन = Narayan
    कहान = Khan
    चौधरी = Choudhary
    ரமேஷ் சுப்பிரமணியன் = Ramesh Subramanian
    लक्ष्मी देवी = Lakshmi
    आशा कुमार = आशा कुमारी
    आशा = ஆஷா
    محمد علی = Mohammad Ali
    Иван = Ivan
    आशा कुमार = PRAKASH TANDON
    आशा =
    `,
  )
})

const fullNames = constantFrom('ASHA', 'VERMA', 'KARTHIK', 'MURUGAN', 'SUNIL', 'KUMAR', 'RAHIM', 'FATIMA', 'OOMMEN')
const initials = constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ')
/** One to three different full words: one person's name. */
const persons = shuffledSubarray(['ASHA', 'VERMA', 'KARTHIK', 'MURUGAN', 'SUNIL', 'KUMAR'], {
  minLength: 1,
  maxLength: 3,
})
const rounds = () => ({ numRuns: roundsOf(1000) })

test('D3 §2.3: names with different initials are never the SAME', () => {
  const law = property(fullNames, initials, initials, (name, first, second) => {
    if (first === second) return
    for (const account of [`${second} ${name}`, `${name} ${second}`])
      for (const borrower of [`${first} ${name}`, `${name} ${first}`])
        assert.notEqual(compareNames(account, borrower), 'SAME', `${account}, ${borrower}`)
  })
  lawHolds(law, rounds())
})

test('D3 §2.3: an initial in front of another name than its own is never the SAME', () => {
  const law = property(fullNames, fullNames, initials, (own, other, initial) => {
    const isItsInitial = other.startsWith(initial)
    const result = compareNames(`${own} ${other}`, `${own} ${initial}`)
    assert.equal(result === 'SAME', isItsInitial, `${own} ${other}, ${own} ${initial}`)
    if (own !== other && !own.startsWith(initial))
      assert.notEqual(
        compareNames(`${own} ${other}`, `${initial} ${own}`),
        'SAME',
        `${own} ${other}, ${initial} ${own}`,
      )
  })
  lawHolds(law, rounds())
})

test('D3 §2.3: order, case, dots, titles and relatives do not change who a person is', () => {
  const styles = constantFrom(
    (name: string) => name.toLowerCase(),
    (name: string) => `Mr. ${name}`,
    (name: string) => `SMT ${name}`,
    (name: string) => `M/S ${name}`,
    (name: string) => `${name} S/O PRAKASH TANDON`,
    (name: string) => `${name}.`,
    (name: string) => name.split(' ').toReversed().join(' '),
  )
  const law = property(persons, array(styles, { maxLength: 1 }), (words, applied) => {
    const name = words.join(' ')
    const account = applied.reduce((text, style) => style(text), name)
    assert.equal(compareNames(account, name), 'SAME', `${account}, ${name}`)
  })
  lawHolds(law, rounds())
})

test('D3 §2.3: the relative of an account’s owner is never its owner', () => {
  const law = property(
    persons,
    constantFrom('S/O', 'D/O', 'W/O', 'C/O', 's/o', 'S / O', 'S O', 'SO'),
    (words, link) => {
      const relative = words.join(' ')
      assert.notEqual(compareNames(`RENU BALA ${link} ${relative}`, relative), 'SAME')
    },
  )
  lawHolds(law, rounds())
})

test('D3 §2.3: two persons without a common word never match, and one shared word is an officer’s case', () => {
  const law = property(persons, persons, (words, others) => {
    const common = words.filter((word) => others.includes(word))
    const result = compareNames(words.join(' '), others.join(' '))
    if (common.length === 0) assert.equal(result, 'DIFFERENT', `${words} ${others}`)
    if (common.length === 1 && words.length + others.length > 2) assert.equal(result, 'UNCERTAIN', `${words} ${others}`)
  })
  lawHolds(law, rounds())
})
