// CSV files neutralize formulas and keep negative numbers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLines } from './csv.ts'

test('marks a cell that begins like a formula as text, also after a line break or in full-width characters', () => {
  const cellOf = (text: string) =>
    csvLines([[], [text]], true)
      .split('\r\n')
      .slice(1, -1)
      .join('\r\n')
      .replaceAll('"', '')
  for (const text of ['=1+1', '+1', '@SUM(1)', '-1+cmd', '\t=1', '\n=1', '＝1', '＋1', '－1', '＠SUM(1)'])
    assert.equal(cellOf(text), `'${text}`)
  for (const text of ['-5', '-5.25', 'a=1', 'Asha']) assert.equal(cellOf(text), text)
})
