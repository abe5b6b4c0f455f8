// Complaints: status machine, deadlines, numbers, texts and CSV.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLines } from '@lendloom/documents/csv'
import { isTerminal, leadsTo } from '@lendloom/foundation/machine'
import { faultsOf } from '@lendloom/foundation/refusal'
import { businessDate } from '@lendloom/lending/calendar'
import { languages } from '@lendloom/lending/language'
import { assertTranslated } from '@lendloom/tests/setup/translated'
import { complaintStatuses } from '@lendloom/wire/console/complaint-lists'
import fc from 'fast-check'
import { complaintMachine, isPending, mayReopen } from './complaint.ts'
import { newComplaintNumber, newReplyTag, parseComplaintNumber } from './complaint-number.ts'
import { deadlinesFrom, dueAtOf, dueTimes, exitEndsAt, limitDays } from './deadlines.ts'
import { languageOf, storableText, validateComplaintText } from './incoming-text.ts'
import { monthBounds, monthOf } from './monthly-report.ts'
import { borrowerText, dayText, fillPlaceholders, letterCatalogues, templateText } from './text.ts'

const day = 86_400_000

test('D3 §1: every complaint except a merged complaint can end or be reopened', () => {
  for (const status of complaintStatuses) {
    assert.equal(isTerminal(complaintMachine, status), status === 'MERGED', status)
    if (isPending({ status }))
      for (const end of ['RESOLVED', 'CLOSED', 'MERGED'] as const)
        assert.ok(leadsTo(complaintMachine, status, end), status)
    else if (status !== 'MERGED') assert.equal(complaintMachine[status].reopened, 'IN_PROGRESS')
    assert.equal(
      leadsTo(complaintMachine, status, 'NEW'),
      status === 'NEW',
      'an acknowledged complaint never becomes NEW again',
    )
  }
})

test('D3 §1: all deadlines are within the regulator’s thirty days', () => {
  const settings = fc.record({
    COMPLAINT_FIRST_ANSWER_DAYS: fc.integer({ min: 1, max: 30 }),
    COMPLAINT_RESOLUTION_DAYS: fc.integer({ min: 1, max: 30 }),
  })
  fc.assert(
    fc.property(settings, fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }), (config, at) => {
      const times = deadlinesFrom(config, at)
      const due = dueTimes(times)
      assert.equal(times.limitAt.getTime() - at.getTime(), limitDays * day)
      assert.ok(due.every(([, dueAt]) => dueAt > at && dueAt <= times.limitAt))
      assert.equal(new Set(due.map(([name]) => name)).size, due.length, 'each deadline occurs once')
      const inProgress = { ...times, status: 'IN_PROGRESS', firstAnsweredAt: null } as const
      const open = { ...inProgress, exitPayBy: null, reopened: 0 } as const
      assert.ok(dueAtOf(open)! <= times.resolutionDueAt)
      assert.deepEqual(dueAtOf({ ...open, firstAnsweredAt: at }), times.resolutionDueAt)
      assert.equal(dueAtOf({ ...open, status: 'RESOLVED' }), null)
      const exit = { ...open, firstAnsweredAt: at, exitPayBy: businessDate(at) }
      const endsAt = exitEndsAt(businessDate(at))
      assert.deepEqual(dueAtOf(exit), endsAt < times.resolutionDueAt ? endsAt : times.resolutionDueAt)
      assert.deepEqual(dueAtOf({ ...exit, reopened: 1 }), times.resolutionDueAt, 'no job ends a reopened request')
    }),
  )
})

test('the borrower may reopen a complaint for COMPLAINT_REOPEN_DAYS after its resolution', () => {
  const resolvedAt = new Date('2026-11-01T10:00:00Z')
  const config = { COMPLAINT_REOPEN_DAYS: 30 }
  const ended = { status: 'CLOSED', resolvedAt, closedAt: new Date('2026-11-08T10:00:00Z') } as const
  assert.equal(mayReopen(ended, config, new Date('2026-12-01T10:00:00Z')), true)
  assert.equal(mayReopen(ended, config, new Date('2026-12-01T10:00:01Z')), false)
  assert.equal(mayReopen({ ...ended, status: 'MERGED' }, config, resolvedAt), false)
  assert.equal(mayReopen({ ...ended, status: 'IN_PROGRESS' }, config, resolvedAt), false)
})

test('a complaint number has no confusable characters and is recognized in any spelling', () => {
  const at = new Date('2026-10-31T19:00:00Z')
  const numbers = Array.from({ length: 500 }, () => newComplaintNumber(at))
  for (const number of numbers) {
    assert.match(number, /^GR-2611-[2-9A-HJKMNP-TV-Z]{5}$/, 'the number contains the month in India, November')
    const [, month, rest] = number.split('-')
    for (const spelling of [number, number.toLowerCase(), ` gr ${month} ${rest} `, `GR${month}${rest}`])
      assert.equal(parseComplaintNumber(spelling), number)
  }
  assert.ok(new Set(numbers).size > 495)
  for (const wrong of ['GR-2611-7K3Q', 'GR-2611-7K3Q0', 'GR-2611-7K3QI', 'XX-2611-7K3Q9', ''])
    assert.equal(parseComplaintNumber(wrong), undefined)
  assert.match(newReplyTag(), /^[2-9a-hjkmnp-tv-z]{17}$/)
})

test('accepted complaint texts have no control characters and no Aadhaar number', () => {
  assert.equal(validateComplaintText('  The UTR is 412345678901 \r\n'), 'The UTR is 412345678901')
  for (const wrong of ['short', 'x'.repeat(5001), 'with \u0007 a bell in it', 'it is 9999 9999 0019, I think'])
    assert.deepEqual(
      faultsOf(() => validateComplaintText(wrong)).map(({ path }) => path),
      ['text'],
    )
  assert.equal(storableText('my aadhaar 999999990019\u0007'), 'my aadhaar [Aadhaar number removed]')
  assert.equal(storableText('x'.repeat(30_000)).length, 20_000)
})

test('letters to borrowers are complete in every language', () => {
  const november = new Date('2026-11-20T05:00:00Z')
  for (const language of languages.filter((each) => each !== 'en')) {
    assertTranslated(language, letterCatalogues[language].letters, { english: letterCatalogues.en.letters })
    assertTranslated(language, letterCatalogues[language].templates, { english: letterCatalogues.en.templates })
    assertTranslated(language, letterCatalogues[language].requests, { english: letterCatalogues.en.requests })
    assert.match(borrowerText({ language, category: 'OTHER' }, 'ombudsman'), /cms\.rbi\.org\.in.*14448/)
    assert.equal(templateText(language, 'BLANK', {}), '')
    assert.match(dayText(language, november), /^20 (?!Nov)\p{L}.* 2026$/u, "in the letter's language")
  }
  assert.equal(dayText('en', november), '20 November 2026')
  assert.equal(fillPlaceholders('{number} of {lender}', { number: 'GR-1' }), 'GR-1 of {lender}')
  const complaint = { language: 'en', category: 'OTHER' } as const
  assert.match(borrowerText(complaint, 'ombudsman', { number: 'GR-1', lender: 'Kaveri' }), /cms\.rbi\.org\.in.*14448/)
  assert.equal(languageOf('Namaste, paisa nahi aaya'), 'en')
  assert.equal(languageOf('मेरा पैसा नहीं आया UTR 12'), 'hi')
})

test('a report month begins and ends in Indian time', () => {
  assert.deepEqual(monthBounds('2026-12'), {
    from: new Date('2026-11-30T18:30:00Z'),
    until: new Date('2026-12-31T18:30:00Z'),
  })
  assert.equal(monthOf(new Date('2026-11-30T18:30:00Z')), '2026-12')
})

test('a CSV cell cannot be a formula', () => {
  assert.equal(
    csvLines(
      [
        ['a', 'b'],
        ['=1+1', 'x "y", z'],
        [null, 3],
      ],
      true,
    ),
    '\ufeffa,b\r\n\'=1+1,"x ""y"", z"\r\n,3\r\n',
  )
})
