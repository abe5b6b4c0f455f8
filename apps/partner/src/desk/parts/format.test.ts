// How the desk formats amounts, days and states.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHtml } from '@lendloom/http/html'
import { paiseFrom } from '@lendloom/lending/money'
import {
  amountValue,
  exactInr,
  formatAgo,
  formatDay,
  formatExactTime,
  formatTime,
  inlineLabelOf,
  inr,
  labelOf,
  toSentence,
} from './format.ts'
import { paiseIn } from './read-fields.ts'
import { tableOf } from './table.ts'

test('amounts have Indian digit grouping and paise, at any size', () => {
  const formatted = ['0.00', '999.90', '100000.00', '-12345678.05', '123456789012345.67'].map((each) =>
    exactInr(paiseFrom(each)!),
  )
  assert.deepEqual(formatted, ['₹0.00', '₹999.90', '₹1,00,000.00', '-₹1,23,45,678.05', '₹12,34,56,78,90,12,345.67'])
})

test('an overview shows paise only if there are any, and a column of a table in every row if in one', () => {
  assert.equal(inr(0n), '₹0')
  assert.equal(inr(10_000_000n), '₹1,00,000')
  assert.equal(inr(99_990n), '₹999.90')
  assert.equal(inr(-500n), '-₹5')
  const cellsOf = (...amounts: bigint[]) =>
    readHtml(
      tableOf(
        'Loans',
        ['Loan', { number: 'Amount' }],
        amounts.map((each) => ['1', inr(each)]),
        { empty: '' },
      ).text,
    )
      .all('td')
      .map((cell) => cell.text())
      .filter((text) => text !== '1')
  assert.deepEqual(cellsOf(10_000_000n, 500n), ['₹1,00,000', '₹5'])
  assert.deepEqual(cellsOf(10_000_000n, 99_990n), ['₹1,00,000.00', '₹999.90'])
})

test('a column with paise adds them to each amount in a cell, and leaves the words around it', () => {
  const cells = ['₹1,234.50', '₹50,000, 12 weeks', '₹5 of ₹1,00,000.', '-₹7', '₹9.90, before ₹10', '12']
  const table = tableOf(
    'Terms',
    [{ number: 'Terms' }],
    cells.map((each) => [each]),
    { empty: '' },
  )
  const shown = readHtml(table.text)
    .all('td')
    .map((cell) => cell.text())
  assert.deepEqual(shown, [
    '₹1,234.50',
    '₹50,000.00, 12 weeks',
    '₹5.00 of ₹1,00,000.00.',
    '-₹7.00',
    '₹9.90, before ₹10.00',
    '12',
  ])
})

test('an amount field accepts what the desk writes, and refuses misplaced commas', () => {
  const read = (text: string) => paiseIn(new URLSearchParams({ amount: text }), 'amount')
  for (const paise of [0n, 5_000n, 99_990n, 10_000_000n, 1_234_567_805n, 99_999_999_999n])
    assert.equal(read(amountValue(paise)), paise, amountValue(paise))
  assert.equal(read('200000.5'), 20_000_050n)
  for (const text of ['', '1,5', '10,0000', '1,000,000', '1,,000', ',000', '100,000', '1,00,000.', '1234567890'])
    assert.throws(() => read(text), { kind: 'invalid' }, text)
})

test('days and times are in Indian time', () => {
  assert.equal(formatDay('2026-11-20').text, '<time datetime="2026-11-20">20 Nov 2026</time>')
  const at = new Date('2026-11-20T20:00:00Z')
  assert.match(
    formatTime(at).text,
    /^<time datetime="2026-11-20T20:00:00.000Z" title="[^"]*">21 Nov 2026, 1:30.am<\/time>$/,
  )
  assert.match(formatExactTime(at).text, /title="21 Nov 2026, 1:30:00.am IST">21 Nov 2026, 1:30:00.am<\/time>$/)
  const textAfter = (seconds: number) =>
    formatAgo(at, new Date(at.getTime() + seconds * 1000)).text.replace(/<.*?>/g, '')
  assert.deepEqual([30, 90, 7300, 8 * 86_400, -86_400].map(textAfter), [
    '30 sec. ago',
    '1 min. ago',
    '2 hr. ago',
    '21 Nov 2026',
    'tomorrow',
  ])
})

test('codes become words, and abbreviations keep their capitals', () => {
  assert.deepEqual(['READY_TO_DISBURSE', 'KYC_PENDING', 'ENACH', 'UPI_AUTOPAY', 'ESIGN_PENDING'].map(labelOf), [
    'Ready to disburse',
    'KYC pending',
    'eNACH',
    'UPI Autopay',
    'E-sign pending',
  ])
  assert.equal(inlineLabelOf('LENDER_KYC_REVIEW'), 'lender KYC review')
  assert.equal(
    toSentence('the case is READY_TO_DISBURSE: this KYC cannot be reviewed'),
    'The case is ready to disburse: this KYC cannot be reviewed.',
  )
})
