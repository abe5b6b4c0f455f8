// Dates of birth that the form takes, and what it says about the others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { birthdayFault } from './date-of-birth.ts'

const at = new Date('2026-11-20T05:00:00Z')

test('a date of birth must exist and be at least 18 and at most 110 years ago', () => {
  for (const text of ['1992-02-29', '1992-2-9', '2008-11-20', '1916-1-1'])
    assert.equal(birthdayFault(text, at), undefined)
})

test('a wrong date of birth says what is wrong with it', () => {
  for (const [text, fault] of [
    ['', 'missing'],
    ['--', 'missing'],
    ['1992-2', 'missing'],
    ['1992--9', 'missing'],
    ['1992-2-x', 'day'],
    ['1992-Fe-29', 'month'],
    ['-Fe-', 'month'],
    ['92-2-29', 'year'],
    ['19x2-2-29', 'year'],
    ['1992-2-31', 'unreal'],
    ['1993-2-29', 'unreal'],
    ['1992-13-1', 'unreal'],
    ['1992-0-1', 'unreal'],
    ['1992-2-0', 'unreal'],
    ['1899-2-1', 'old'],
    ['1915-12-31', 'old'],
    ['2026-11-21', 'future'],
    ['3000-1-1', 'future'],
    ['2008-11-21', 'minor'],
  ] as const)
    assert.equal(birthdayFault(text, at), fault, text)
})
